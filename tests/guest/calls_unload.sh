# SPDX-License-Identifier: GPL-2.0-only
# rig: paced
# rig: ci=6.12
# rig: timeout=200
# A module with hooked functions is unloaded, and loaded again, while its calls are counted or timed: no
# call until then is lost, the functions keep their names, and a line says so. A background run that is
# resumed hooks the module as it is then.
. /test/guest-lib.sh
calls_are() {	# calls_are N: of known_a() in out
	holds "$(awk -F '\t' 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i }
		NR > 1 && $at["function"] == "known_a" && $at["object"] == "known" { sum += $at["calls"] }
		END { print sum + 0 }' out) == $1"
}
run_known() { echo "$1" >/sys/module/known/parameters/rounds; }
for how in '' -each -paths; do
	for again in no yes; do
		insmod /test/known.ko || fail "no known.ko"
		# shellcheck disable=SC2086 # a word or none
		probe calls $how -fn 'known:*,vfs_read' -tsv -save run -- sh -c ': >begun
			until [ -e finished ]; do sleep 0.1; done' \
			>out 2>err &
		await [ -e begun ]
		run_known 300
		rmmod known || fail "the hooks hold the module"
		[ $again = no ] || insmod /test/known.ko || fail "no known.ko"
		: >finished
		wait $! || { cat err; fail "probe calls $how ended with an error"; }
		rm finished begun
		calls_are 300
		says err '^probe: module known was unloaded during the run: its calls until then are counted'
		expect 0 probe verify run
		[ $again = no ] || rmmod known || fail "hooks are left"
	done
done

insmod /test/known.ko || fail "no known.ko"
expect 0 probe calls -background run -fn 'known:known_*'
run_known 100
expect 0 probe pause run
rmmod known || fail "hooks are left"
expect 1 probe resume run
insmod /test/known.ko || fail "no known.ko"
expect 0 probe resume run
run_known 50
expect 0 probe dump -tsv run
calls_are 150
expect 0 probe stop run
rmmod known || fail "hooks are left"
