# SPDX-License-Identifier: GPL-2.0-only
# rig: paced
# rig: ci=6.12
# rig: timeout=240
# Listings of instructions with their hits: in executables, libraries, the vdso, code without a file
# and the kernel; saved and shown again; and code that cannot be listed.
. /test/guest-lib.sh
case $machine in
x86) loop=0x5 loop_bytes=4 ;;
arm64) loop=0x4 loop_bytes=8 ;;
esac
narrow() { [ "$(awk '{ if (length > 80) print }' out | wc -l)" = 0 ] || { cat out; fail "wider than 80 columns"; }; }

# The search finds the hot function by itself; source lines are named (the guest has no sources).
background proportions; pid=$last_pid
sleep 0.2
expect 0 probe proc -asm -sec 3 $pid
says out '^0x0+[0-9a-f]+-work_six$'
says out '^  proportions\.c:[0-9]+$'
says out "^\+$loop +[0-9]+ +[0-9.]+ +[0-9.]+ .*>/.* $count_down\$"
says out "^Hottest loop: work_six\+$loop, $loop_bytes bytes, 2 instructions"
says out "^Emulated machine \(QEMU's TCG\)"
narrow
expect 0 probe proc -asm -sec 1 -low work_six -high main -o address,hits,instruction $pid
says out '^Address +Hits  Instruction$'
says out "^0x[0-9a-f]+ +$count_down\$|^0x[0-9a-f]+ +[0-9]+  $count_down\$"

# One function has all hits. (truth_asm judges the hits of its instructions.)
other=/bin/five
if [ $machine = x86 ]; then
	other=/bin/dear
	background dear div
	sleep 0.2
	expect 0 probe proc -asm -sec 3 -tsv -low dear_div -high dear_div+24 dear
	holds "$(awk -F '\t' 'NR > 1 { n += $3 } END { print n }' out) > 200"
	kill $last_pid
fi

# saved and shown again, even after the file of the code has changed
cp /bin/proportions kept
background ./kept; kept=$last_pid
sleep 0.2
expect 0 probe proc -asm -sec 2 -save run $kept
cp out live
expect 0 probe show -asm run
cmp out live || { diff out live; fail "not shown as live"; }
[ ! -s err ] || { cat err; fail "unexpected output on standard error"; }
kill $kept
wait $kept 2>/dev/null
cat $other >kept
expect 0 probe show -asm run
says err 'has changed or is gone since the run'
says out "^\+$loop .* $count_down\$"
grep -q 'proportions\.c' out && fail "source lines of another file"
expect 0 probe show -asm -o source,instruction -tsv run
says out "^	$count_down\$"
expect 0 probe verify run

# a file that changes during the run: a warning, and slots instead of instructions
cp /bin/proportions changing
background ./changing; changing=$last_pid
sleep 0.2
(sleep 1; kill $changing; sleep 0.5; cat $other >changing) &
expect 1 probe proc -asm -sec 4 ./changing
says err '^probe: read code of .*changing: the file has changed since it was measured$'
says out '^Task changing was active'
says out '^ *Address +Hits$'

# a library, the vdso, code generated at run time, the kernel
export LD_LIBRARY_PATH=/bin
background objects lib=50 vdso=50; objects=$last_pid
sleep 0.3
expect 0 probe proc -asm -sec 3 -map libbeside.so $objects
says out '^Hottest loop: '
expect 0 probe proc -asm -sec 3 -map vdso $objects
says out '^0x0*[0-9a-f]+-__(vdso|kernel)_clock_gettime$'
kill $objects
background jit; made=$last_pid
sleep 0.2
expect 0 probe proc -asm -sec 3 -map anon $made
says out " $count_down\$"
says out '^No symbol says where code begins'
kill $made
# The debug kernels have no /proc/kcore.
if [ $patience = 1 ]; then
	background sh -c 'while :; do read x </proc/uptime; done'
	sleep 0.2
	expect 0 probe proc -asm -mode kernel -sec 3 -low $dispatch -high $dispatch+0x180 $last_pid
	says out "^${high}[0-9a-f]+-$dispatch\$"
	says out '^Total +[0-9]+ +100\.0$'
	kill $last_pid
fi

# a stripped program
background proportions-stripped
sleep 0.2
expect 0 probe proc -asm -sec 2 $last_pid
says out " $count_down\$"
says out '^No symbol says where code begins'
kill $last_pid

# slots too wide to tell instructions apart; and misuse
gunzip -c /test/huge.gz >huge
chmod +x huge
background ./huge; huge=$last_pid
sleep 0.2
expect 1 probe proc -asm -sec 1 -low 0x1000 -save wide $huge
one_line_error 'list instructions: slots of 0x[0-9a-f]+ bytes are too wide$'
says err '^hint: give -hot more time'
says out '^Task huge was active'
expect 1 probe show -asm wide
one_line_error 'list the instructions of this run: its code was not saved$'
expect 2 probe proc -asm -repeat 1 $pid
one_line_error '-asm cannot be combined with -repeat$'
expect 2 probe proc -asm -o hist $pid
one_line_error "option -o: unknown column 'hist'$"
expect 2 probe proc -o instruction $pid
one_line_error "option -o: unknown column 'instruction'$"
