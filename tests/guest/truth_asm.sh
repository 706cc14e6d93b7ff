# SPDX-License-Identifier: GPL-2.0-only
# rig: full
# rig: icount
# rig: timeout=200
# rig: arch=x86
# Its program has instructions of x86 that take known shares.
# Here every instruction takes the same time, so its share is known by construction. Twelve shares
# must be inside intervals of 99.99%, and one count within 5 standard errors. The test fails by chance
# once in 900 runs.
. /test/guest-lib.sh
# column KEY PATTERN: print a value of the row whose instruction matches.
column() {
	awk -F '\t' -v key="$1" -v pattern="$2" '
		NR == 1 { for (i = 1; i <= NF; i++) c[$i] = i }
		NR > 1 && $c["instruction"] ~ pattern { print $c[key]; exit }' out
}
# within PATTERN SHARE: check that the share is in the row's interval of 99.99%, twice that of 95%.
within() {
	echo "$1: $(column lo "$1") to $(column hi "$1") for $2"
	near "$(column share "$1")" "$2" "2 * $(column error "$1")"
}

# A string instruction takes 95 of 99 steps; the search finds it, and names its loop.
background dear
sleep 1
expect 0 probe proc -asm -sec 6 -rate 2000 dear
cat out
says out '^0x0+[0-9a-f]+-dear_rep$'
says out '^\+0xb +[0-9]+ +9[4-7]\.[0-9] +[0-9.]+ +[*]+.*rep stosb %al, \(%rdi\)$'
says out '^Hottest loop: dear_rep\+0x3, 13 bytes, 5 instructions, '
says out '^Hottest instruction: dear_rep\+0xb at 0x'
says out '^Total +[0-9]+ +100\.0$'
expect 0 probe proc -asm -sec 6 -rate 2000 -tsv -low dear_rep -high dear_rep+16 dear
within '^rep stosb' '100 * 95 / 99'
for other in 'movl .*ecx' 'movq .*rsi, %rdi' nop jmp; do
	within "$other" '100 / 99'
done
[ "$(column hits '^movq .*rdi, %rsi')" = 0 ] || fail "hits before the loop"
kill $last_pid

# A division takes no longer than other instructions here: a seventh each.
background dear div
sleep 0.5
expect 0 probe proc -asm -sec 4 -rate 2000 -tsv -low dear_div -high dear_div+24 dear
for each in xorl 'movl .*eax' divl leaq incq nop jmp; do
	within "$each" '100 / 7'
done
[ "$(column slip leaq)" = long ] || fail "no note about the instruction after a division"
kill $last_pid

# Five instructions are decoded as one, with jumps around them: no hit is left out.
background dear hidden
sleep 0.5
expect 0 probe proc -asm -sec 2 -json -low dear_hidden -high dear_end dear
hits=$(json hits)
astray=$(sed -n 's/.*"astray": \([0-9]*\),.*/\1/p' out)
# 4 of the loop's 6 instructions
near "$astray / $hits" '4 / 6' 0.08
holds "$(sed -n 's/^    {"address.*"joint.*"hits": \([0-9]*\),.*/\1/p; s/^    {"address": [^}]*"hits": \([0-9]*\), .*"instruction.*/\1/p' out | awk '{ n += $1 } END { print n + 0 }') + $astray == $hits"
expect 0 probe proc -asm -sec 2 -low dear_hidden -high dear_end dear
says out '\(where no instruction begins\)$'
says out '^[0-9]+ hits are where no instruction begins'
