# SPDX-License-Identifier: GPL-2.0-only
# rig: full
# rig: icount
# rig: timeout=600
# Functions take 6:3:1, and the instructions of a loop of five take 1/5 each, by construction. One of
# the two checks below fails by chance once in 1,000 runs.
. /test/guest-lib.sh
of() { awk -F '\t' -v f="$1" 'index($NF, f) == 1 { s += $3 } END { print s + 0 }' out; }

background proportions
sleep 1
good=0
for seed in 1 2 3 4 5 6 7 8 9 10; do
	expect 0 probe proc -sec 0.5 -rate 2000 -seed $seed -tsv -low work_six -high main proportions
	a=$(of work_six) b=$(of work_three) c=$(of work_one)
	echo "seed $seed: $a $b $c"
	# Chi-square with 2 degrees of freedom is above 5.99 once in 20.
	awk -v a="$a" -v b="$b" -v c="$c" 'BEGIN { n = a + b + c
		d = a-.6*n; e = b-.3*n; f = c-.1*n; x = d*d/(.6*n) + e*e/(.3*n) + f*f/(.1*n)
		exit !(n > 900 && x < 5.99) }' && good=$((good + 1))
done
# fewer than 6 of 10 happen by chance once in 15,000
[ $good -ge 6 ] || fail "only $good of 10 runs agree with 6:3:1"
kill $last_pid

background five
sleep 1
expect 0 probe proc -sec 2 -rate 2000 -seed 1 -tsv -low five_loop -high five_end five
cat out
[ "$(awk 'NR > 1' out | wc -l)" = 5 ] || fail "hits outside the five instructions"
awk 'NR > 1 { n += $3; h[NR] = $3 } END { for (i in h) { d = h[i] - n / 5; x += d * d / (n / 5) }
	print "chi-square", x, "of", n; exit !(n > 3500 && x < 18.5) }' out || fail "not a fifth each"
# Offsets of the instructions in the loop's code.
base=$(awk 'NR == 2 { print $1 }' out)
# shellcheck disable=SC2046 # words
set -- $(awk 'NR > 1 { print $1 }' out)
case $machine in x86) offsets='0 3 7 9 10' ;; arm64) offsets='0 4 8 12 16' ;; esac
for offset in $offsets; do
	[ $(($1 - base)) = "$offset" ] || fail "an instruction at $(($1 - base)), not $offset"
	shift
done
