# SPDX-License-Identifier: GPL-2.0-only
# rig: paced
# rig: ci=6.1
# rig: timeout=280
# Calls are counted and timed in the background: dump, pause, resume, reset and stop keep their numbers
# exact. While a run is paused, and after its end, no function is hooked.
. /test/guest-lib.sh
mount -t tracefs tracefs /sys/kernel/tracing 2>/dev/null
caller=$(command -v caller)
calls_are() {	# calls_are N: of getppid() in out
	holds "$(awk -F '\t' -v name="${sys}getppid" 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i }
		NR > 1 && $at["function"] == name { sum += $at["calls"] }
		END { print sum + 0 }' out) == $1"
}
dump_is() {
	expect 0 probe dump -tsv run
	calls_are "$1"
}
before=$(hooks)
unhooked() {	# The worker that removes the hooks needs a moment.
	until [ "$(hooks)" = "$before" ]; do sleep 0.1; done
}
for how in '' -each '-paths -processes'; do
	# shellcheck disable=SC2086 # words or none
	expect 0 probe calls -background run $how -fn ${sys}getppid,vfs_read -task "$caller"
	says out '^run run is sampling in the background'
	dump_is 0
	# On arm64 timed calls are hooked without ftrace: switching it off loses none.
	! sysctl -q kernel.ftrace_enabled=0 2>/dev/null || [ "$machine:${how:+timed}" = arm64:timed ] ||
		fail "hooks were switched off"
	"$caller" 1000
	dump_is 1000
	sysctl -q kernel.ftrace_enabled=1
	expect 0 probe pause run
	unhooked
	"$caller" 700
	dump_is 1000
	expect 0 probe resume run
	"$caller" 300
	dump_is 1300
	expect 0 probe reset run
	dump_is 0
	"$caller" 200
	dump_is 200
	expect 0 probe pause run
	expect 0 probe reset run
	dump_is 0
	expect 0 probe resume run
	"$caller" 50
	expect 0 probe list
	says out '^run .* calls *sampling'
	# Options that calls counted, or timed, do not have end no run.
	for unfit in ${how:+-arcs -never} $([ "$how" ] || echo -hist -functions) '-o nothing'; do
		# shellcheck disable=SC2086 # words
		expect 2 probe stop $unfit run
		expect 0 probe status run
		says out '^run .* calls *sampling'
	done
	expect 0 probe stop -save kept run
	unhooked
	expect 0 probe calls -tsv kept
	calls_are 50
	expect 0 probe verify kept
done
# The reports and the files of a run with paths.
expect 0 probe calls -background run -paths -fn vfs_read,read_zero -task "$caller"
"$caller" 1000
expect 2 probe dump -arcs -bars run
expect 1 probe rate run 100
one_line_error 'ask run run: it counts calls, and has no rate'
expect 0 probe dump -functions -hist -folded folded run
says out '^Times of Kernel Functions'
grep -q '^read_zero [1-9]' folded || fail "folded: $(cat folded)"
expect 0 probe stop run
says out '^Paths of Calls'
expect 2 probe calls -background run -fn vfs_read -hist
says err "give -hist to 'probe dump'"
expect 2 probe calls -background run -fn vfs_read -- true
expect 1 probe calls -background run -fn no_such_function
