# SPDX-License-Identifier: GPL-2.0-only
# rig: paced
# rig: ci=6.1
# rig: quick=6.12
# rig: module max_overhead_pct=100
# rig: timeout=280
# Functions of programs are followed: numbers and order are exact, also under recursion, longjmp() and depth
# beyond the hooks of returns; one sum with the kernel's; breakpoints leave when the tool is killed.
. /test/guest-lib.sh
value_of() {	# value_of COLUMN VALUE COLUMN: the sum of the last column where the first has a value
	awk -F '\t' -v by="$1" -v wanted="$2" -v key="$3" '
		NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i }
		NR > 1 && $at[by] == wanted { sum += $at[key] }
		END { print sum + 0 }' out
}
of() { value_of function "$@"; }
layers=$(command -v layers)
expect 0 probe trace -ufn layers:outer,middle,leaf,countdown,dive,hop -task layers -budget 90 -memory 4096 \
	-syscalls -fn "${do_sys}getppid" -tsv -save run -- layers 100
holds "$(of outer calls) == 101"
holds "$(of outer ended) == 101"
holds "$(of middle ended) == 101"
holds "$(of leaf ended) == 303"
holds "$(of getppid calls) == 303"
holds "$(of ${do_sys}getppid ended) == 303"
holds "$(of countdown calls) == 10"
holds "$(of countdown ended) == 10"
holds "$(of countdown recursive) == 9"
holds "$(of dive calls) == 100"
holds "$(of dive ended) == 64"
holds "$(of dive unwound) == 36"
holds "$(of hop calls) == 400"
holds "$(of hop ended) == 0"
# Nothing shows that the last one has been left.
holds "$(of hop unwound) == 399"
holds "$(of hop open) == 1"
grep -q 'probe: 36 calls of programs have no duration' err || fail "no word about deep calls"
# Under recursion elapsed time counts once; all of a caller's time is its own or its callees'.
holds "$(of outer elapsed_raw_ns) == $(of outer net_raw_ns) + $(of middle net_raw_ns) + $(of leaf elapsed_raw_ns)"
[ "$(value_of object layers calls)" = 1015 ] || fail "object: $(value_of object layers calls)"
cp out measured
expect 0 probe trace -tsv run
cmp out measured || fail "the saved trace differs"
expect 0 probe verify run
grep -q 'all [0-9]* sums hold' out || fail "verify"

# The code path: user, system call and kernel in one order.
expect 0 probe trace -flow -tsv run
order=$(awk -F '\t' '$6 == "call" && ($7 == "outer" || nr) { printf "%s ", $7; if (++nr == 11) exit }' out)
leaf="leaf getppid ${do_sys}getppid"
[ "$order" = "outer middle $leaf $leaf $leaf " ] || fail "order: $order"
holds "$(awk -F '\t' -v inner="${do_sys}getppid" '$6 == "call" { names[$5] = $7
	if ($7 == inner && (names[$5 - 1] != "getppid" || names[$5 - 2] != "leaf")) bad++
	} END { print bad + 0 }' out) == 0"
expect 0 probe trace -longest outer run
grep -q -- '-> outer (' out || fail "no longest call"
expect 0 probe trace -hist leaf -n 1 run
[ "$(awk '/^leaf$/ { on = 1 } on && / to / { sub(/ *#*$/, ""); sum += $NF } END { print sum }' out)" = 303 ] || fail "the histogram's sum"

# A path and a library, without a task; triggers.
expect 0 probe trace -ufn "$layers:outer,leaf" -start-at outer:3 -stop-at outer -tsv -budget 90 -- layers 9
holds "$(of outer calls) == 1"
holds "$(of leaf calls) == 3"
expect 0 probe trace -ufn libc.so.6:getppid,syscall -task layers -budget 90 -tsv -- layers 20
holds "$(of syscall calls) == 63"

# On a stacked file system, as in a container.
mkdir lower upper union
if has_overlay; then
	mount -t tmpfs lower lower && mount -t tmpfs upper upper && mkdir upper/data upper/work &&
		cp "$layers" lower/below && cp "$layers" upper/data/above || fail "the rig: tmpfs"
	mount -t overlay -o lowerdir=lower,upperdir=upper/data,workdir=upper/work union union ||
		fail "the rig: overlay"
	for x in below above; do
		expect 0 probe trace -ufn union/$x:outer,leaf -task $x -budget 90 -tsv -- union/$x 20
		holds "$(of outer calls) == 21 && $(of leaf ended) == 63"
	done
	# The worker lets go of the files.
	await umount union
	umount lower && umount upper || fail "something holds the programs"
else
	echo "# this kernel has no overlayfs"
fi

# Programs end hooked calls by a system call of the kernel's own since 6.11: it is not counted.
probe trace -ufn "$layers:leaf" -budget 60 -sec 60 >/dev/null 2>&1 &
tool=$!
sleep 1
expect 0 probe calls -syscalls -task layers -budget 10 -rate 1 -tsv -- layers 100
kill -TERM $tool
wait $tool || fail "no trace beside it"
holds "$(of getppid calls) == 303"
! grep -q 'uretprobe' out || fail "a system call of the kernel's own"

# The tool is killed: the program's text is its own again.
probe trace -ufn "$layers:leaf" -budget 90 -sec 60 >/dev/null 2>&1 &
tool=$!
sleep 1
kill -9 $tool
wait $tool 2>/dev/null
unhooked() { probe trace -ufn "$layers:leaf" -sec 0.05 >/dev/null 2>&1; }
await unhooked

# An exception that passes through a followed call ends the program: refused, unless it is asked for.
expect 125 probe trace -ufn throws:climb -task throws -sec 1 -- throws
grep -q 'uses exceptions' err && grep -q 'hint: .*-ufn-unwinds' err || fail "exceptions: $(cat err)"
# SIGABRT.
expect 134 probe trace -ufn-unwinds -ufn 'throws:climb' -task throws -sec 5 -budget 90 -- throws

# Bad requests.
expect 2 probe trace -ufn layers
expect 1 probe trace -ufn no_such_object:leaf
expect 1 probe trace -ufn "$layers:no_such_function"
grep -q "none matches 'no_such_function'" err || fail "no reason"
expect 1 probe trace -ufn "$layers:zz*"
says err '^hint: layers has [0-9]+ functions with names'
expect 1 probe trace -ufn /etc:leaf
