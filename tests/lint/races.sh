#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# races.sh: tests/rig/races.awk leaves out the reports in tests/lint/races, which KCSAN made of samples and of the
# kernel itself, and keeps each one that a change turns into a race of the module. Without it no log with races passes.
set -u
judge=tests/rig/races.awk status=0

# judge_report WANTED FILE EDIT: whether the report, edited by sed, is kept or left out.
judge_report() {
	local edited found=left
	edited=$(sed "$3" "tests/lint/races/$2.txt")
	[ "$edited" != "$(cat "tests/lint/races/$2.txt")" ] || [ -z "$3" ] ||
		{ echo "tests/lint/races/$2.txt:1: '$3' changes nothing"; status=1; }
	[ -z "$(awk -f $judge <<<"$edited")" ] || found=kept
	[ $found = "$1" ] || { echo "tests/lint/races/$2.txt:1: $found, not $1${3:+, with '$3'}"; status=1; }
}

for report in exec registers; do
	judge_report left $report ''
	judge_report kept $report 's/by interrupt on cpu 0/by interrupt on cpu 1/'
	judge_report kept $report 's/read .*to 0x/write to 0x/'
	judge_report kept $report '/kcsan_setup_watchpoint/{ n; s/+0x/_other&/; }'
	judge_report kept $report '/write to/{ n; s/$/ [cpuprobe]/; }; /kcsan_setup_watchpoint/{ n; s/$/ [cpuprobe]/; }'
	judge_report kept $report 's/ write to/ read-write to/'
	judge_report kept $report 's/by interrupt on/by task 7 on/'
	judge_report kept $report 's/KCSAN: data-race/KASAN: use-after-free/'
done
judge_report left kernel ''
judge_report kept kernel '/read to/{ n; s/$/ [cpuprobe]/; }'
judge_report left kernel '/asm_sysvec/{ n; s/$/ [cpuprobe]/; }'

# A log with races is bad where their judge is missing, and good where it leaves them out.
judge_log() {	# judge_log WANTED DIRECTORY
	local found=bad
	"$2/logcheck.sh" tests/lint/races/exec.txt 2>/dev/null && found=good
	[ $found = "$1" ] || { echo "tests/rig/logcheck.sh:1: a log is $found, not $1"; status=1; }
}
alone=$(mktemp -d)
trap 'rm -rf "$alone"' EXIT
cp tests/rig/logcheck.sh "$alone"
judge_log good tests/rig
judge_log bad "$alone"
exit $status
