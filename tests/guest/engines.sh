# SPDX-License-Identifier: GPL-2.0-only
# rig: paced
# rig: ci=6.1
# rig: timeout=360
# rig: not=debug,kcsan
# The module and BPF beside each other, on the same programs at the same time: the shares of these programs differ
# by less than five standard deviations of both (4.5 points of 6,000 samples each), and nothing of BPF remains. The
# six comparisons fail by chance less than once in 10,000 runs. The tools' own time is left out, because one pauses
# while the other samples. The debug kernels have no BPF.
. /test/guest-lib.sh
background duty 0 600 10000:3000 7000:1000
await sh -c "grep -qs duty1 /proc/*/comm"
side_by_side 8 sys -by comm -background
for engine in module bpf; do
	expect 0 probe stop -tsv $engine
	cp out $engine.tsv
done
tr '\n' ' ' <err >line
says line 'module none \(engine bpf\)'
sum() { echo "($(tsv duty0 total "$1") + $(tsv duty1 total "$1") + $(tsv filler total "$1"))"; }
for row in duty0 duty1 filler; do
	for column in total user; do
		near "100 * $(tsv $row $column bpf.tsv) / $(sum bpf.tsv)" \
			"100 * $(tsv $row $column module.tsv) / $(sum module.tsv)" 4.5
	done
done
[ -z "$(duty -programs)" ] || fail "a program is left"

# addresses of a program: the same share of its samples falls into its own code
background spin 600
for engine in module bpf; do
	expect 0 probe proc spin -engine $engine -sec 4 -json
	says out "\"engine\": \"$engine\""
	holds "$(json samples) > 3000"
done

# stacks of the same programs at the same time, by frame pointers: the rows of both engines agree. By chance one
# of a hundred runs has a row beyond three standard deviations; more than three of them, or one beyond five, less
# than one of 10,000. On arm64 kernel frames differ: BPF has them from the kernel, which leaves out the caller of a
# function without a frame.
# On RT softirqs run in tasks, which BPF does not tell.
frames=
[ $machine != arm64 ] && ! uname -v | grep -q PREEMPT_RT || frames=-user
background calls diamond
side_by_side 8 start -unwind fp ${frames:+"$frames"}
for engine in module bpf; do
	expect 0 probe stop -save $engine.run $engine
	expect 0 probe show $engine.run
	says out '^User stacks \(frame pointers only\)'
	expect 0 probe verify $engine.run
	expect 0 probe export $engine.run -folded $engine.folded
done
[ -z "$frames" ] || sed -i 's/;\[softirq\];/;/' module.folded bpf.folded
# The tools themselves do not pause together.
awk '/^probe;/ { next } { n = $NF; sub(/ [0-9]+$/, ""); if (FILENAME ~ /module/) { a[$0] += n; na += n } else { b[$0] += n; nb += n }
	all[$0] } END { for (s in all) { p = a[s] / na; q = b[s] / nb; m = (a[s] + b[s]) / (na + nb)
	square = (p - q) * (p - q) / (m * (1 - m) * (1 / na + 1 / nb)); rows++
	if (square > 9) { beyond++; print s, a[s], b[s], square } if (square > 25) wrong++ }
	print rows " rows, " beyond + 0 " beyond 3 sigma, " wrong + 0 " beyond 5"
	exit wrong || beyond > 3 + rows / 100 }' module.folded bpf.folded >rows || { cat rows; fail "other stacks"; }
cat rows
says bpf.folded '^calls;.*;top;left;leaf[; ]'

# one process, one executable, one group, one side
calls=$last_pid
for target in "-task $calls" "-task calls"; do
	# shellcheck disable=SC2086 # words
	expect 0 probe flat -engine bpf -no-inline -sec 2 -tsv -user -o name,object,samples $target
	says out '^leaf	calls	'
	says out '^\(other processes\)	'
	grep -qE '^\[idle|	kernel	' out && { cat out; fail "more than was asked for"; }
done
mount -t cgroup2 none /sys/fs/cgroup 2>/dev/null
mkdir -p /sys/fs/cgroup/some && echo $calls >/sys/fs/cgroup/some/cgroup.procs
expect 0 probe flat -engine bpf -sec 2 -tsv -by program -cgroup some
says out '^calls	'
grep -q '^spin	' out && { cat out; fail "a process of another group"; }
echo $calls >/sys/fs/cgroup/cgroup.procs

# a run in the background, which pauses
expect 0 probe start night -engine bpf
sleep 2
expect 0 probe pause night
expect 0 probe dump night -save dumped
expect 0 probe resume night
sleep 1
expect 0 probe stop night -save stopped
for run in dumped stopped; do
	expect 0 probe verify $run
	expect 0 probe graph -tree $run
	says out ' leaf$'
done
[ -z "$(duty -programs)" ] || fail "a program is left"

# what BPF cannot do needs the module
for options in "late" "flat -unwind tables" "flat -unwind-memory 4096" "sys -idle sleep" "sys -jitter poisson" \
	"sys -deferred exclude" "sys -deferred-over 20us"; do
	# shellcheck disable=SC2086 # words
	expect 1 probe $options -engine bpf -sec 1
	one_line_error 'this needs the module$'
	case $options in *memory*) says err ': -unwind-memory: ' ;; esac
done
end_background

# without the module: a line says so, and -engine module fails
rmmod cpuprobe
expect 0 probe sys -sec 1
says err '^probe: .*; measuring with BPF, which cannot tell lateness'
expect 1 probe sys -sec 1 -engine module
