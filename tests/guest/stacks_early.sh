# SPDX-License-Identifier: GPL-2.0-only
# rig: paced
# rig: timeout=200
# Programs that end before their first harvest have all their names. In exact time: the tool must look at a program while
# it is there, and on a busy host that would take longer.
. /test/guest-lib.sh

# named PROGRAM OBJECT: check that samples of the program are in that object, and next to none in "(exited)".
named() {
	expect 0 probe flat -rate 4000 -sec $run_sec -by program-object -tsv -o program,object,cumulative_samples
	awk -F '\t' -v program="$1" -v object="$2" '$1 == program { n[$2] = $3 }
		END { exit !(n[object] > 100 && n["(exited)"] <= 5) }' out || fail "$1: $(cat out)"
}

# It starts before the run and ends during its first second. Debug kernels are slow.
early_sec=0.8 late_sec=0.2 run_sec=2
case $(uname -r) in *-debug | *-kcsan) early_sec=8 late_sec=2 run_sec=10 ;; esac
calls dear & early=$!
sleep 0.3
{ await is_sampling; sleep $early_sec; kill $early; } &
named calls calls
# It starts during the run and lives too briefly for anybody to read its mappings: the kernel's events tell of them.
{ await is_sampling; sleep 0.3; proportions & late=$!; sleep $late_sec; kill $late; } &
named proportions proportions
