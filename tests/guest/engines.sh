# SPDX-License-Identifier: GPL-2.0-only
# rig: paced
# rig: quick=6.1
# The module and BPF beside each other, on the same programs at the same time: their shares differ by less
# than five standard deviations of both (4.1 points of 7,500 samples each), and nothing of BPF remains. The
# six comparisons fail by chance less than once in 10,000 runs.
. /test/guest-lib.sh
background duty 0 60 10000:3000 7000:1000
await sh -c "grep -qs duty1 /proc/*/comm"
probe sys -engine module -sec 8 -tsv -by comm >module.tsv 2>module.err &
expect 0 probe sys -engine bpf -sec 8 -tsv -by comm
says err 'none \(engine$|none \(engine bpf\)'
wait $! || { cat module.err; fail "the module"; }
for row in duty0 duty1 filler; do
	kernel=$(tsv $row kernel) user=$(tsv $row user)
	near "$kernel + $user" "$(tsv $row total module.tsv)" 4.1
	near "$user" "$(tsv $row user module.tsv)" 4.1
done
[ "$(duty -programs)" = 0 ] || fail "a program is left"

# addresses of a program: the same share of its samples falls into its own code
background spin 60
for engine in module bpf; do
	expect 0 probe proc spin -engine $engine -sec 4 -json
	says out "\"engine\": \"$engine\""
	holds "$(json samples) > 3000"
done

# what BPF cannot do needs the module
for options in "late" "flat" "sys -idle sleep" "sys -jitter poisson" "sys -deferred exclude"; do
	# shellcheck disable=SC2086 # words
	expect 1 probe $options -engine bpf -sec 1
	one_line_error 'this needs the module$'
done
end_background

# without the module: a line says so, and -engine module fails
rmmod cpuprobe
expect 0 probe sys -sec 1
says err '^probe: .*; measuring with BPF, which cannot tell lateness'
expect 1 probe sys -sec 1 -engine module
