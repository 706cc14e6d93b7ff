# SPDX-License-Identifier: GPL-2.0-only
# rig: ci=6.12
# rig: icount
# rig: not=debug,kcsan
# rig: timeout=300
# `probe cost` measures what the module claims of a sample's cost, within the bounds that the claim
# promises: 0.6 to 1.0 of it for the kinds whose samples cost the same everywhere; stacks are shallow
# here and claimed at their deepest. With exact time, only sampling slows work down.
. /test/guest-lib.sh
# Wait until the kernel's own work after its start is over.
sleep 3

# member KEY: print a number of the only row in the file out.
member() { sed -n "s/.*\"$1\": \([-0-9.]*\).*/\1/p" out; }
for kind in sys proc late flat; do
	expect 0 probe cost -kind $kind -sec 4 -rounds 5 -rate 5000 -json
	cat out
	least=0.6
	[ $kind != flat ] || least=0.01
	holds "$(member sample_lo_ns) <= $(member sample_ns) && $(member sample_ns) <= $(member sample_hi_ns)"
	holds "$(member sample_ns) > $least * $(member claim_ns)" "of the claim for $kind"
	holds "$(member sample_ns) < 1.0 * $(member claim_ns)" "of the claim for $kind"
	holds "$(member slowdown) > $least * $(member claim) && $(member slowdown) < 1.05 * $(member claim)"
	says out '"shown": true'
done
expect 0 probe cost -sec 4 -rounds 10 -rate 5000
cat out
[ -z "$(awk 'length > 80' out)" ] || fail "wider than 80 columns"
says out '^ +Slower +95% interval +Claim +Sample +95% interval +Claim$'
says out '^A sample costs 0\.[6-9][0-9] of what the module claims \(0\.[0-9]+ to [0-9.]+\)\.$'
[ ! -s err ] || { cat err; fail "warnings"; }
! is_sampling || fail "a timer is left"
expect 0 probe cost -sec 0.4 -rounds 2 -cpu 0 -tsv
says out '^kind	cpu	rate	rounds	work	samples	'
says out '^sys	0	1000	2	0\.(1|09)[0-9]+	'

# By chance each round of 50 ms has a sample of the period of 1 s, once in 160,000 runs.
expect 1 probe cost -sec 0.4 -rounds 4 -rate 1
one_line_error 'a round without a sample'
expect 1 probe cost -cpu 77
one_line_error 'CPU 77'
expect 2 probe cost -sec 0.1
one_line_error '-sec 0.1 is too short for 20 rounds of work'
expect 2 probe cost -rounds 1
one_line_error "'1' is not from 2 to 1000"
expect 2 probe cost -kind top
one_line_error "'top' is not one of sys, proc, late, flat"
expect 2 probe cost -- true
one_line_error 'cost'
