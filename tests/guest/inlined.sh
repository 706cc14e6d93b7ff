# SPDX-License-Identifier: GPL-2.0-only
# rig: paced
# rig: ci=6.12
# rig: timeout=300
# Functions that the compiler inlined have the shares that they have by construction, in reports, a saved run
# and exports; and a vmlinux of another kernel is refused. Bounds are five standard errors: a check fails by
# chance once in a million runs. On the host's clock equal loops do not take equal times: one of two was 6% off there.
. /test/guest-lib.sh

background inlined
sleep 0.5
# shares COLUMN NAME=PERCENT...: check shares of functions, by samples without those in the kernel.
shares() {
	column=$1
	shift
	cat out
	awk -F '\t' -v column="$column" -v pairs="$*" '
		NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
		$at["name"] ~ /^\[(kernel|irq|softirq)\]$/ { next }
		{ all += $at["samples"]; hits[$at["name"]] += $at[column] }
		END {
			if (all < 500) exit 1
			for (i = split(pairs, pair, " "); i; i--) {
				split(pair[i], want, "=")
				off = 100 * hits[want[1]] / all - want[2]
				if (off * off > 250 * 250 / all) { print want[1], off; bad = 1 }
			}
			exit bad
		}' out || fail "shares are not those of the program"
}

expect 0 probe flat -inline -lines -user -sec 4 -base target -task inlined -tsv -save run -pprof run.pb.gz
shares samples outer=10 middle=30 inner=30 both=30 turn=0
shares cumulative_samples outer=100 middle=90 inner=60 both=30 turn=30
[ -s run.pb.gz ] || fail "no pprof"
expect 0 probe verify run

# The run as it is without the option, and with it again.
expect 0 probe flat -base target -tsv run
shares samples outer=70 middle=0 inner=0 both=15 turn=15
shares cumulative_samples outer=100 middle=0 inner=0 both=15 turn=30
expect 0 probe flat -inline -base target -tsv run
shares samples outer=10 middle=30 inner=30 both=30 turn=0
expect 0 probe flat -inline -by line -base target -tsv run
says out 'inlined\.c:'
expect 2 probe flat -inline -no-inline run
one_line_error '-inline cannot be combined with -no-inline'

# The graph shows inlined functions by itself: these programs are small and of root.
expect 0 probe graph -user -sec 2 -task inlined -save graph
says out ' middle \[[0-9]+\]$'
expect 0 probe graph -no-inline graph
grep -q ' middle ' out && fail "inlined functions with -no-inline"
expect 0 probe export -folded folded graph
says folded ';outer;middle;inner [0-9]+$'
says folded ';outer;middle;inner;turn;both [0-9]+$'
expect 0 probe export -no-inline -folded folded graph
grep -q 'middle' folded && fail "inlined functions in an export with -no-inline"
says folded ';outer;turn;both [0-9]+$'
# Two runs, one with inlined functions: they are compared without.
expect 0 probe flat -user -sec 2 -task inlined -save whole
expect 0 probe diff graph whole
says err 'only graph has inlined functions'
grep -q 'middle' out && fail "a function that only one of the runs can have"

# No vmlinux: another file, and none.
expect 1 probe flat -sec 1 -lines -vmlinux /bin/inlined
one_line_error 'its build-id is .*, the running kernel.s is '
expect 1 probe flat -sec 1 -lines -vmlinux nowhere
one_line_error 'open nowhere: No such file'
expect 2 probe flat -sec 1 -vmlinux nowhere
one_line_error '-vmlinux needs -lines or -inline'
