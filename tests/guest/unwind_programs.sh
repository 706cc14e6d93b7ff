# SPDX-License-Identifier: GPL-2.0-only
# rig: paced
# rig: full
# rig: timeout=300
# Stacks by tables of programs whose file is gone, replaced, or not to be seen from outside, of libraries
# that replace each other, and of 32-bit programs. The receipt accounts for each stack.
. /test/guest-lib.sh
export LD_LIBRARY_PATH=/bin

# measure [PID]: sample a process, or all; leaves the files folded and receipt.
measure() {
	expect 0 probe flat -json -sec "${seconds:-1}" -rate 1000 -seed 1 -user ${1:+-task "$1"} -save run
	sed -n '/"user_stacks"/,$p' out >receipt
	expect 0 probe export -folded folded run
	sum=$(sed -n 's/.*"ended": {\(.*\)}.*/\1/p' receipt | tr ',' '\n' | awk -F : '{ sum += $2 } END { print sum }')
	holds "$(user samples) > 500 && $(user outermost) + $sum == $(user samples)" "$(cat receipt)"
}
# user NAME: print a number of the receipt.
user() { sed -n "s/.*\"$1\": \([0-9]*\).*/\1/p" receipt | head -n 1; }
# hits PATTERN: print the samples of stacks that match.
hits() { awk -v p="$1" '{ n = $NF; sub(/ [0-9]+$/, ";") } $0 ~ p { sum += n } END { print sum + 0 }' folded; }
# is_diamond NAME: check that the process NAME has the calls of `calls diamond`, and that its stacks are whole.
is_diamond() {
	measure $last_pid
	holds "$(user outermost) > 0.9 * $(user samples)" "($1: $(cat receipt))"
	holds "$(hits "^$1;.*;main;top;left;leaf;") > 0.45 * $(user samples)" "($1: $(cat folded))"
	holds "$(hits "^$1;.*;main;top;right;leaf;") > 0.2 * $(user samples)" "($1: $(cat folded))"
	kill $last_pid
}

cp /bin/calls-frameless gone
background ./gone diamond
rm gone
is_diamond gone

# Other functions are at the same addresses of the file that has the name now.
cp /bin/calls-frameless swapped
background ./swapped diamond
cp /bin/kinds new && mv new swapped
is_diamond swapped

# File systems that other processes do not see, mounted over a directory and as root.
mkdir -p hidden jail
# shellcheck disable=SC2016 # for the other shell
background unshare -m sh -c 'mount -t tmpfs none hidden; cp /bin/calls-frameless hidden/inside; exec hidden/inside diamond'
sleep 0.5
[ ! -e hidden/inside ] || fail "the rig: the program is seen from outside"
is_diamond inside
background unshare -m sh -c 'mount -t tmpfs none jail; cp /bin/calls-frameless-static jail/inside; exec chroot jail /inside diamond'
sleep 0.5
[ ! -e jail/inside ] || fail "the rig: the program is seen from outside"
is_diamond inside

# Two libraries by turns at one address, for 9.6 and 3.2 seconds: only samples of the harvest in which one
# replaces the other, about a second, have no names. Each turn has two harvests between these. An instruction takes
# 1 ns instead of 8 in the boots of the debug kernels.
turns=8000
[ $patience = 1 ] || turns=64000
background loads $turns
sleep 0.3
seconds=14 measure $last_pid
replaced=$(hits ';main;call_once;object unknown .replaced.;')
holds "$(hits ';main;call_once;(one;one_inner|three;three_inner);') + $replaced > 0.95 * $(user samples)" "$(cat folded)"
holds "$replaced < 0.5 * $(user samples)" "$(cat folded)"
holds "$(hits ';one_inner;') + $(hits ';three_inner;') > 0"
near "$(hits ';one;one_inner;')" "0.23 * $(user samples)" "0.16 * $(user samples)"
holds "$(hits ';(one;three_inner|three;one_inner);') == 0" "$(cat folded)"
kill $last_pid

# Only the first frame of 32-bit code is known. Such a program cannot be a target.
await dead $last_pid
case $machine in
x86) background proportions-32; name=proportions-32 ;;
*) background arm32 ./three-one; name=three-one ;;
esac
sleep 0.3
measure
ended=$(hits "^$name;.32-bit code.;")
holds "$ended > 200 && $ended == $(user 32bit) && $ended > 0.95 * $(hits "^$name;")" "$(cat receipt)"
