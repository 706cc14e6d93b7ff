# SPDX-License-Identifier: GPL-2.0-only
# rig: full
# rig: not=debug,kcsan
# rig: paced
# rig: timeout=300
# Thousands of processes: 20,000 that live for a few milliseconds, sampled by pid; and 2,000 different
# executables, started as fast as the machine can. Next to no samples are lost, every name is right,
# and the memory of module and tool stays within bounds.
. /test/guest-lib.sh

# judge: check the lost samples and the tool's peak memory in KB.
judge() {
	taken=$(json samples) lost=$(json lost)
	peak=$(sed -n 's/^peak: //p' err)
	echo "$taken samples, $lost lost, $(grep -c '"kind"' out) rows, $peak KB"
	holds "$lost < 0.001 * $taken" "too many samples are lost"
	holds "$peak > 500 && $peak < 32 * 1024" "the tool takes $peak KB"
}
# names_are_right: check the name of each child's row with the file list (pid name).
names_are_right() {
	sed -n 's/.*"name": "\([^"]*\)", "kind": "process", "pid": \([0-9]*\),.*/\2 \1/p' out >seen
	awk 'NR == FNR { name[$1] = name[$1] " " $2 " "; next }
		$1 in name { n++; if ($2 != "crowd" && !index(name[$1], " " $2 " ")) { print; wrong++ } }
		END { print n + 0, "rows of children,", wrong + 0, "of a wrong name"; exit wrong || n < 200 }' \
		"$1" seen || fail "names are wrong"
}

crowd forks 10000 2 >list1 &
first=$!
crowd forks 10000 2 >list2 &
second=$!
peak probe sys -by pid -rate 500 -json -- sh -c \
	"while [ -e /proc/$first/exe ] || [ -e /proc/$second/exe ]; do sleep 0.3; done" >out 2>err ||
	fail "probe failed: $(cat err)"
wait $first $second
judge
cat list1 list2 >list
[ "$(wc -l <list)" = 20000 ] || fail "the rig: not 20,000 processes"
names_are_right list

mkdir programs
crowd execs 0.01 programs >/dev/null
peak probe sys -by pid -sec 8 -rate 500 -json -- sh -c \
	'crowd execs 6 programs >list1 & crowd execs 6 programs >list2; wait' >out 2>err ||
	fail "probe failed: $(cat err)"
judge
cat list1 list2 >list
echo "$(wc -l <list) executables started in 6 s"
names_are_right list
expect 0 peak probe sys -sec 6 -rate 500 -json -- sh -c "crowd execs 4 programs >/dev/null"
judge
sed -n 's/.*"name": "\(c[0-9]*\)".*/\1/p' out | sort | uniq -d | grep -q . && fail "one program is two rows"
expect 0 probe version
says out '27 KB per CPU'
