# SPDX-License-Identifier: GPL-2.0-only
# rig: alone
# rig: icount
# rig: shift=3
# rig: timeout=200
# rig: machine=mte=on
# rig: arch=arm64
# Memory with tags is arm64's.
# A program's frame pointer leads to memory with a tag. Sampling reads it by an address with another tag, or does not,
# since the address has a tag itself. The program, which checks tags at once or later, lives on. A stack ends where a check
# fails at once, as if that memory was absent; tables do without it.
. /test/guest-lib.sh
grep -q ' mte' /proc/cpuinfo || fail "the rig: no memory tags"

# all FUNCTION BEGINNING: check that stacks of its samples begin so, all but those before there are tables.
all() {
	awk -v leaf=";$1 " -v beginning="^mte;$2" '
		index($0, leaf) { sum += $NF; if ($0 !~ beginning) { lacking += $NF; print >"lacking" } }
		END { print sum + 0, lacking + 0 }' folded >counts
	read -r sum lacking <counts
	holds "$sum > 1000 && $lacking <= 0.02 * $sum" "($mode, $unwind: $sum samples of $1; $(cat folded))"
}

for mode in sync async; do
	for unwind in fp tables; do
		mte $mode 20 >said 2>&1 & program=$!
		sleep 0.5
		kill -0 $program || { wait $program; fail "the rig: status $?: $(cat said)"; }
		expect 0 probe flat -unwind $unwind -rate 3000 -sec 2 -user -task $program -folded folded
		wait $program || fail "$mode, $unwind: the program was killed: $(cat said)"
		[ "$(cat said)" = alive ] || fail "the program says $(cat said)"
		all own_frame 'libc[^;]*;libc[^;]*;compute;'
		case $unwind,$mode in
		tables,*)
			all right_tag 'libc[^;]*;libc[^;]*;compute;'
			all wrong_tag 'libc[^;]*;libc[^;]*;compute;' ;;
		fp,sync)
			all right_tag '.no frame pointer.;compute;'
			all wrong_tag '.stack not in memory.;compute;' ;;
		fp,async)
			all right_tag '.no frame pointer.;compute;'
			all wrong_tag '.no frame pointer.;libc[^;]*;compute;' ;;
		esac
	done
done
