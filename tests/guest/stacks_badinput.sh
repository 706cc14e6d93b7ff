# SPDX-License-Identifier: GPL-2.0-only
# rig: timed
# rig: full
# rig: timeout=400
# Bad input for stacks: programs without frame pointers or names, wrong perf maps, hostile names, full
# tables, files that cannot be written.
. /test/guest-lib.sh
# If a check fails, end everything that was started.
# shellcheck disable=SC2154 # of the trap
trap 'for run in twice late; do probe stop $run -save /dev/null; done
	for pid in $background_pids; do kill -9 $pid; done
	umount full.fs; umount readonly.fs; true' EXIT

# flat ARGUMENTS...: run `probe flat` for some seconds.
# A share of a third must be above a tenth: with a hundred samples, which even a busy host takes in that
# time, it is below once in a million runs.
flat() { expect 0 probe flat -sec 3 -base target -tsv "$@"; }
# of COLUMN NAME: print the column's sum over the rows of that name, or 0. NAME* matches names that begin so.
of() {
	awk -F '\t' -v column="$1" -v name="$2" '
		NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
		$at["name"] == name { n += $at[column] }
		name ~ /[*]$/ && index($at["name"], substr(name, 1, length(name) - 1)) == 1 { n += $at[column] }
		END { print n + 0 }' out
}
# dominates COLUMN NAME OTHER: the row's share is over nine tenths of all but the row OTHER, which is the
# kernel's own work: it depends on the kernel.
dominates() { holds "$(of "$1" "$2") > 0.9 * (100 - $(of "$1" "$3"))" "$(cat out)"; }
# no_controls FILE: check that the file has no control characters.
no_controls() {
	[ -s "$1" ] || fail "$1 is empty"
	tr -d '\n\t -~\200-\377' <"$1" >controls
	[ ! -s controls ] || { cat -v "$1" | head -n 20; fail "control characters in $1"; }
}

# --- neither frame pointers nor tables: the stack ends there, and is counted (on arm64 compilers keep frame pointers) ---
background proportions
sleep 0.3
flat -user -unwind fp -task proportions
holds "$(of samples work_six) > 0"
[ $machine = arm64 ] && expected=main || expected='[no frame pointer]'
dominates cumulative "$expected" '[softirq]'
kill $last_pid

# --- no names ---
background proportions-stripped
sleep 0.3
flat -user -task proportions-stripped
dominates share 'proportions-stripped+0x*' '[kernel]'
says out '^proportions-stripped\+0x[0-9a-f]+	.*	proportions-stripped	'
expect 0 probe flat -sec 1 -task proportions-stripped -lines
says out ' proportions[^ ]*\+0x[0-9a-f]+$'
kill $last_pid

# --- wrong perf maps ---
jit >address 2>/dev/null &
jit=$!
background_pids="$background_pids $jit"
await test -s address
base=$(cat address) map=/tmp/perf-$jit.map
exe=$(sed -n 's/^\([0-9a-f]*\)-[0-9a-f]* r-xp .*\/jit$/\1/p' /proc/$jit/maps)
second=$(printf '%x' $((0x$base + 0x100)))
[ -n "$exe" ] || fail "the rig: no code of jit"

flat -user -task $jit
holds "$(of share '(no symbol)') > 40" "no map: $(cat out)"
says out '\[anon\]'

printf '%s\n' "$base 20 made_first" "$second 20 made_second" >$map
flat -user -task $jit
holds "$(of share made_first) > 10 && $(of share made_second) > 10 && $(of share its_own) > 10" "$(cat out)"
grep -q 'perf map' err && { cat err; fail "a warning about a valid map"; }

# a later line cuts off earlier ones that it overlaps; malformed lines are ignored and counted
printf '%s\n' "$base 400 older" "$base 20 newer" "$base fffffffffffffff0 huge" "zz 10 odd" "$second" \
	"-1 10 negative" "0 0 nothing" "$second 10000000000000000 overflow" >$map
head -c 4096 /dev/urandom | tr -d '\n' >>$map
echo >>$map
flat -user -task $jit
holds "$(of share newer) > 10 && $(of share '(no symbol)') > 10" "$(cat out)"
for name in older huge odd negative nothing overflow; do
	holds "$(of samples $name) == 0" "$name: $(cat out)"
done
says err '^probe: warning: 7 lines of perf maps ignored: malformed'

# a map cannot rename code of a file
printf '%s\n' "$exe 3fffffff evil" "0 40000000 low" "$base 20 made_first" >$map
flat -user -task $jit
holds "$(of share its_own) > 10 && $(of samples evil) == 0" "$(cat out)"

# a map of another user, a link, a pipe, a directory or an unreadable file: ignored, with a warning
refused() {
	flat -user -task $jit
	holds "$(of samples fake) == 0" "$1: $(cat out)"
	says err '^probe: warning: 1 perf map was ignored: '
	rm -rf $map
}
echo "$base 200 fake" >fake
cp fake $map && chown nobody $map && refused "another's file"
ln -s "$PWD/fake" $map && chown -h nobody $map && refused "another's link"
ln -s "$PWD/fake" $map && refused "a link"
mkfifo $map && refused "a pipe"
mkdir $map && refused "a folder"
ln -s $map $map && refused "a link to itself"

# --- hostile names of functions and of a program ---
escape=$(printf '\033]0;owned\007\033[31m')
evil='</script><script>alert(1)</script>;"\,[{&lt;fn=(1) x'
# one line is too long for a name
{
	printf '%s\n' "$base 20 $evil$escape"
	printf '%s %s\n' "$second" "20 $(printf 'wide%.0s' $(seq 2000))"
} >$map
expect 0 probe flat -sec 2 -user -task $jit -save run -folded folded -speedscope ss -callgrind cg \
	-pprof pb.gz -html page.html
no_controls out
gzip -dc pb.gz >pb || fail "gzip cannot read the file"
for format in '' -json -tsv; do
	for command in flat graph 'graph -tree'; do
		# shellcheck disable=SC2086 # words
		expect 0 probe $command $format run
		no_controls out
	done
done
expect 0 probe flat -json run
says out '"name": "</script><script>alert\(1\)</script>;\\"'
for file in folded ss cg page.html; do no_controls $file; done
grep -q '<script>alert' page.html && fail "a name became a script of the page"
grep -q '</script>;' page.html && fail "a name ends a script of the page"
# jit, _start, two functions of the C library, main, a function, the kernel: no name adds a frame or a line
says folded '^jit;'
awk 'NF < 2 || $NF !~ /^[0-9]+$/ { bad = 1 } { $NF = ""; n = gsub(/;/, ";"); if (n > most) most = n }
	END { exit bad || most > 6 }' folded || { cat folded; fail "folded lines"; }
grep -q '^fn=(1) x' cg && fail "a name became a line of the callgrind file"
kill $jit
rm -f $map

name=$(printf 'x;y<b>"\033[31m\\')
cp /bin/calls "./$name"
background "./$name" dear
sleep 0.3
expect 0 probe flat -sec 1 -by program -task "$last_pid" -folded folded -html page.html -speedscope ss \
	-callgrind cg
for file in out folded page.html ss cg; do no_controls $file; done
says out 'x;y<b>"'
grep -q 'x;y<b>' folded && fail "a program's name became two frames"
grep -q '<b>' page.html && fail "a name became markup of the page"
kill $last_pid

# --- full tables: lost samples are counted, with a hint ---
# an interpreter has another stack in each sample
background interpreter /test/peers.lua 100000
# and the tool does not harvest
expect 0 probe flat -memory 64 -rate 4000 -save full -- \
	sh -c 'sleep 0.3; kill -STOP $PPID; sleep 3; kill -CONT $PPID; sleep 0.3'
says out '^ .* \(lost\)'
says err '^probe: warning: [0-9]+ samples \([0-9.]+%\) found no room in the table: row \(lost\)$'
says err '^hint: -memory enlarges the table of stacks'
expect 0 probe verify full
expect 0 probe flat -json full
lost=$(sed -n 's/^  "lost": \([0-9]*\),.*/\1/p' out)
holds "$lost > 0"
holds "$(awk -F '[:,]' '/"name"/ { for (i = 1; i < NF; i++) if ($i ~ /^ "samples"$/) n += $(i + 1) }
	END { print n }' out) == $(sed -n 's/^  "samples": \([0-9]*\),.*/\1/p' out)" "rows add up"
expect 2 probe flat -memory 63
one_line_error "option -memory: '63' is not from 64 to 65536"
kill $last_pid

# --- runs that do not exist, or exist already ---
for verb in dump status reset pause resume stop; do
	expect 1 probe $verb nosuchrun
	one_line_error 'find run nosuchrun: no such run'
	expect 2 probe $verb .escape
	one_line_error 'name a run'
	# a run of a user of that name
	expect 1 probe $verb ../escape
	one_line_error 'find run ../escape: no such run'
done
expect 1 probe dump
one_line_error "find run .*: no such run"
expect 0 probe start twice
expect 1 probe start twice
one_line_error 'start run twice: it is already running'
says err "^hint: end it with 'probe stop twice', or choose another name"
expect 2 probe dump twice -last 0
expect 0 probe status twice

# --- files that cannot be written ---
mkdir full.fs readonly.fs
mount -t tmpfs -o size=16k tmpfs full.fs && mount -t tmpfs tmpfs readonly.fs || fail "the rig: tmpfs"
touch readonly.fs/old && mount -o remount,ro readonly.fs || fail "the rig: read-only"
cat /dev/zero >full.fs/fill 2>/dev/null
background calls dear
sleep 0.2
# cannot FILE REASON: check that no kind of file can be written there.
cannot() {
	for option in -save -folded -pprof -speedscope -callgrind -html; do
		expect 1 probe flat -sec 0.3 -task calls $option "$1"
		one_line_error "write $1: $2"
		[ $option = -save ] || { expect 1 probe flat $option "$1" run; one_line_error "write $1: $2"; }
	done
	expect 1 probe export -html "$1" run
	one_line_error "write $1: $2"
	expect 1 probe dump twice -save "$1"
	one_line_error "write $1: $2"
}
cannot /dev/full 'No space left'
cannot full.fs/new 'No space left'
cannot readonly.fs/new 'Read-only file system'
cannot readonly.fs/old 'Read-only file system'
cannot /none/new 'No such file'
cannot . 'Is a directory'
# shellcheck disable=SC2012 # names of our own
[ "$(ls full.fs readonly.fs | tr '\n' ' ')" = "full.fs: fill  readonly.fs: old " ] ||
	{ ls full.fs readonly.fs; fail "a failed write left a file"; }
expect 1 sh -c 'probe flat -sec 0.3 -task calls >/dev/full'
one_line_error 'write standard output: No space left'
expect 1 sh -c 'probe dump twice >/dev/full'
one_line_error 'write standard output: No space left'
# a run in the background fails at its start, since nobody would see the error later
expect 1 probe start late -save /none/file
one_line_error 'write /none/file: No such file'
expect 1 probe status late
# sampling ends here, so its counts must not be lost
expect 0 probe start late -sec 1 -save full.fs/new
has_ended() { probe status late | grep -q '^late .* ended '; }
await has_ended
expect 0 probe status late
says out '^late .* ended '
expect 1 probe stop late -save full.fs/new
one_line_error 'write full.fs/new: No space left'
says out '  work'
expect 0 probe list
says out '^twice '
grep -q '^late ' out && fail "a stopped run is listed"

# --- a killed holder ---
holder=$(awk '$1 == "twice" { print $2 }' out)
kill -9 "$holder"
await dead "$holder"
expect 1 probe dump twice
one_line_error "find run twice: its holder \\(pid $holder\\) was killed"
# a message says so once, and then nothing is left of the run
for verb in dump status reset pause resume stop; do
	expect 1 probe $verb twice
	one_line_error 'find run twice: no such run'
done
umount full.fs readonly.fs
rmmod cpuprobe || fail "something still samples"
load
end_background
