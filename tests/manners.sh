#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# manners.sh: output robustness. Tables keep their width, and columns their position, whatever the
# names; no output controls the terminal or reverses a line; -help and -version work everywhere;
# mistyped words get suggestions; pipes get nothing but data, without colours; programs get the same
# numbers in any locale. All on saved runs made from text: no module is needed.
set -u
top=$(cd "$(dirname "$0")/.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
probe=$top/build/probe passed=0 failed=0
export LC_ALL=C.UTF-8
unset LANG NO_COLOR COLUMNS

check() {	# check NAME COMMAND...: the command succeeds and prints nothing
	local name=$1 output
	shift
	if output=$("$@" 2>&1) && [ -z "$output" ]; then
		echo "ok   manners $name"
		passed=$((passed + 1))
	else
		printf 'FAIL manners %s\n%s\n' "$name" "$output"
		failed=$((failed + 1))
	fi
}

make_runs() {
	make -s -C "$top" build/make_run build/make_report tool || exit 1
	cd "$work" || exit 1
	"$top/build/make_run" "$top/tests/manners/stacks.txt" stacks || exit 1
	"$top/build/make_report" "$top/tests/manners/sys.txt" sys || exit 1
	"$top/build/make_report" "$top/tests/manners/proc.txt" proc || exit 1
	echo 'rate = 10' >conf
	echo 'prom-rows = 5' >wrong-conf
}

# Words, and what is wrong with them.
misused="show -plain sys|-plain does not apply to a run of 'probe sys'
show -percpu proc|-percpu does not apply to a run of 'probe proc'
show sys proc|SYMBOLS does not apply to a run of 'probe sys'
export -pprof new $top/docs/man/runs/cold|-pprof needs a run with stacks; this is a trace
export -perfetto new stacks|-perfetto needs a trace; this run is none
export -from 1 -html new stacks|-from needs a trace; this run is none
push ftp://x stacks|push to ftp://x: it is not a URL of http or https
push http://x:1 run -event cycles|-event needs a saved run
trace -depth 1 $top/docs/man/runs/cold|-depth needs -flow or -longest
trace -over 1ms $top/docs/man/runs/cold|-over needs -flow or -longest
trace -from 1 $top/docs/man/runs/cold|-from needs -flow
trace -longest vfs_read -to 1 $top/docs/man/runs/cold|-longest cannot be combined with -to
trace -fn vfs_read -start-at vfs_read:0|-start-at vfs_read:0: calls are numbered from 1 to 2147483647
calls -each -syscalls|-each cannot be combined with -syscalls
calls -each -paths -fn x|-each cannot be combined with -paths
calls -paths -syscalls|-paths cannot be combined with -syscalls
calls -paths -arcs -fn x|-paths cannot be combined with -arcs
calls -syscalls -never|-syscalls cannot be combined with -never
sys -prom-rows 5|-prom-rows needs -prom or -listen
agent -check -prom-rows 5|-prom-rows needs -prom or -listen
agent -check -table-window 0.5|table-window: shorter than 1 s
agent -check -config conf -table-window 0.5|table-window: shorter than 1 s
agent -check -push x://y|push to x://y: it is not a URL of http or https"

# Reports of these runs as text: the words before and after -width.
reports='show:sys
show -percpu:sys
show -o name,kernel,softirq,guest,user,total,error,lo,hi:sys
show:proc
show -all:proc
show -o address,hits,share,lo,hi,name:proc
show:stacks
flat:stacks
flat -o name,share,error,lo,hi,object:stacks
flat -by object:stacks
flat -by process:stacks
flat -by line:stacks
flat -bars:stacks
graph:stacks
graph -min 0:stacks
graph -o index,name,object,role,percent,lo,hi:stacks
graph -tree:stacks
graph -tree -o +object,+lo,+hi:stacks
graph -callers main:stacks
diff -sampling-only:sys sys
diff -sampling-only:proc proc
doctor:'

# wc measures the width of a line in a way other than the tool's.
is_narrow() {	# is_narrow WIDTH REPORT RUNS
	local cols line
	# shellcheck disable=SC2086 # words
	"$probe" $2 -width "$1" $3 >out 2>err || [ "$2" = doctor ] || echo "status $?: $(cat err)"
	cols=$(wc -L <out)
	if [ "$cols" -gt "$1" ]; then
		echo "$cols columns:"
		while IFS= read -r line; do
			[ "$(wc -L <<<"$line")" -le "$1" ] || echo "$line"
		done <out | head -n 5
	fi
	# Control characters, and direction marks except U+200E.
	if grep -nP '[\x00-\x08\x0b-\x1f\x7f\x{80}-\x{9f}\x{200f}\x{202a}-\x{202e}\x{2066}-\x{2069}\x{61c}]' out; then
		echo "controls"
	fi
	# Right-to-left letters are between marks.
	grep -nP '(?<![\x{590}-\x{8ff}\x{300}-\x{36f} _.a-z])[\x{590}-\x{8ff}]' out | grep -vP '\x{200e}' && echo "turned"
	return 0
}

make_runs
while IFS=: read -r report runs; do
	for width in 40 60 80 200; do
		check "width $width: $report $runs" is_narrow "$width" "$report" "$runs"
	done
done <<<"$reports"

# A terminal with this number of columns, made by script(1).
terminal() {	# terminal COLS COMMAND
	script -qec "stty cols $1; $2" /dev/null </dev/null 2>&1 | tr -d '\r'
}

keeps_to_terminal() {	# keeps_to_terminal COMMAND
	local cols
	for cols in 50 70; do
		terminal "$cols" "$1" >out
		[ -s out ] || echo "nothing"
		[ "$(wc -L <out)" -le "$cols" ] || { echo "$cols columns:"; head out; }
	done
	# No table fits fewer than 40 columns; none is wider than 80.
	terminal 20 "$1" >out
	[ "$(wc -L <out)" -le 40 ] || { echo "20 columns:"; head out; }
	terminal 200 "$1" >out
	[ "$(wc -L <out)" -le 80 ] || { echo "200 columns:"; head out; }
}

says_help() {	# says_help COMMAND
	local form
	"$probe" help "$1" >wanted 2>err || echo "help $1: status $?"
	head -n 1 wanted | grep -q "^Usage: probe $1" || echo "no usage"
	[ ! -s err ] || cat err
	for form in -help --help; do
		"$probe" "$1" "$form" >out 2>err || echo "$form: status $?"
		cmp out wanted && [ ! -s err ] || cat err
	done
	[ "$(wc -L <wanted)" -le 80 ] || echo "wider than 80 columns"
}

says_version() {
	local form
	for form in version -version --version; do
		"$probe" "$form" 2>&1 | head -n 1 | grep -q '^probe [0-9]*\.[0-9]*\.[0-9]' || echo "$form"
	done
}

# Two letters swapped, one wrong letter, one letter too many.
guesses() {	# guesses COMMAND: the command suggests each of its options
	local option word
	for option in $("$probe" help "$1" | sed -n 's/^  -\([a-z-]*\).*/\1/p'); do
		[ ${#option} -gt 4 ] || continue
		for word in "${option:0:1}${option:2:1}${option:1:1}${option:3}" "${option:0:2}q${option:3}" "${option}q"; do
			"$probe" "$1" "-$word" >out 2>err
			[ $? = 2 ] && [ ! -s out ] || echo "$word: status"
			grep -q "unknown option '-$word'" err || echo "$word: $(cat err)"
			grep -qx "hint: did you mean -$option?" err || echo "$word: $(cat err)"
		done
	done
}

answers() {	# answers WORD HINT: with status 2, on stderr only
	# shellcheck disable=SC2086 # words
	"$probe" $1 >out 2>err
	[ $? = 2 ] && [ ! -s out ] && [ "$(wc -l <err)" = 2 ] && grep -q "^hint: $2" err || cat out err
}

# A command that cannot show a run says so under its own name, and names the one that can.
names_itself() {	# names_itself COMMAND RUN
	# shellcheck disable=SC2086 # words
	"$probe" $1 "$2" >out 2>err
	[ $? = 1 ] && [ ! -s out ] && [ "$(wc -l <err)" = 2 ] || cat out err
	grep -qx "probe: ${1%% *} $2: it is a run without stacks" err || cat err
	grep -qx "hint: 'probe show' shows it" err || cat err
}

# Wrong usage has status 2 wherever it is found, also when the run has been read.
misuses() {	# misuses WORDS MESSAGE
	# shellcheck disable=SC2086 # words
	"$probe" $1 >out 2>err
	[ $? = 2 ] && [ ! -s out ] && grep -qxF -- "probe: ${1%% *}: $2" err || cat out err
}

is_no_misuse() {
	"$probe" agent -check -config wrong-conf -rate 5 >out 2>err
	[ $? = 1 ] && grep -qx "probe: -prom-rows needs -prom or -listen" err || cat out err
	"$probe" agent -check -config wrong-conf -prom /tmp/metrics >out 2>&1 || cat out
}

# `probe` alone prints little, and nothing that the doctor would not print.
welcomes() {
	local line
	"$probe" >out 2>err
	[ $? = 2 ] && [ ! -s out ] || echo "status or stdout"
	[ "$(wc -l <err)" -le 24 ] && [ "$(wc -L <err)" -le 80 ] || { echo "too much"; cat err; }
	"$probe" doctor >out
	line=$(grep '^FAIL' out | head -n 1)
	grep -qxF "${line:-$(grep '^ok *module' out)}" err || { echo "not: $line"; cat err; }
	[ -z "$line" ] || grep -qxF "$(grep -A 1 '^FAIL' out | sed -n 2p)" err || echo "without its hint"
	for line in doctor top 'sys -sec 10' 'flat -sec 10'; do
		grep -q "^  probe $line  " err || echo "not: probe $line"
	done
	for line in $commands; do
		grep -qw "$line" err || echo "not: $line"
	done
}

# Pipes, files and terminals of all kinds get no escape sequence and nothing but data.
is_quiet() {	# is_quiet REPORT RUNS
	# shellcheck disable=SC2086 # words
	"$probe" $1 $2 >out 2>err || [ "$1" = doctor ] || echo "status"
	[ ! -s err ] || cat err
	! grep -q $'\033' out || echo "escapes"
	# shellcheck disable=SC2086
	[ "$1" = doctor ] || "$probe" $1 $2 2>&1 | cmp - out
	for environment in NO_COLOR=1 TERM=dumb TERM=xterm-256color; do
		! terminal 80 "$environment $probe $1 $2" | grep $'\033' || echo "escapes: $environment"
	done
}

# A reader that stops reading.
takes_leave() {
	{ sleep 0.2; "$probe" help 2>err; echo $? >status; } | :
	[ ! -s err ] && [ "$(cat status)" = 1 ] || cat err status
	"$probe" help >/dev/full 2>err
	[ $? = 1 ] && grep -q '^probe: write standard output: No space left' err || cat err
}

# Numbers have a decimal point, and the output is otherwise unchanged.
ignores_locale() {	# ignores_locale REPORT RUNS
	local form
	for form in -tsv -json ''; do
		# shellcheck disable=SC2086 # words
		LC_ALL=de_DE.UTF-8 LOCPATH=$work/locales "$probe" $1 $form $2 >out 2>&1
		# shellcheck disable=SC2086
		LC_ALL=C "$probe" $1 $form $2 2>&1 | cmp - out
	done
}

has_comma() {
	localedef -c -i de_DE -f UTF-8 "$work/locales/de_DE.UTF-8" >/dev/null 2>&1
	[ "$(env LC_ALL=de_DE.UTF-8 "LOCPATH=$work/locales" printf %.1f 1,5)" = 1,5 ] || echo "no such locale"
}

# A terminal without UTF-8 might take its bytes for control characters.
is_ascii() {
	LC_ALL=C terminal 80 "$probe show sys; $probe flat stacks; $probe show no-漢字-file" >out
	! grep -P '[^\x00-\x7f]' out || echo "not ASCII"
	grep -q '^???????  ' out || { echo "no name in its place"; cat out; }
	[ "$(awk '/^Task/ { is_row = 1 } /^---/ { exit } is_row { print length }' out | sort -u | wc -l)" = 1 ] || cat out
	LC_ALL=C.UTF-8 terminal 80 "$probe show sys" | grep -q '^漢字プログラム ' || echo "not UTF-8"
}

# An export on standard output is not mixed with the report.
is_alone() {	# is_alone OPTION REPORT RUN
	"$probe" "$2" "$1" - "$3" >out 2>&1
	"$probe" "$2" "$1" file "$3" >/dev/null 2>&1
	cmp out file
}

is_full() {	# is_full OPTION
	"$probe" export "$1" - stacks >/dev/full 2>err
	[ $? = 1 ] && grep -q '^probe: write standard output: No space left' err || cat err
}

# A reader of an export that closes the pipe needs only the status.
leaves_export() {	# leaves_export OPTION
	{ sleep 0.2; "$probe" export "$1" - stacks 2>err; echo $? >status; } | :
	[ ! -s err ] && [ "$(cat status)" = 1 ] || cat err status
}

ends_on_device() {	# a device has no end
	timeout 10 "$probe" show /dev/zero >out 2>&1
	grep -q 'not a run saved' out || cat out
}

commands=$("$probe" help | sed -n 's/^  \([a-z][a-z]*\) .*/\1/p')
for command in $commands; do
	check "$command -help" says_help "$command"
	check "$command, options mistyped" guesses "$command"
	check "help $command on a terminal" keeps_to_terminal "$probe help $command"
done
check "version" says_version
check "a command mistyped" answers prco "did you mean 'probe proc'?"
check "a command cut short" answers lat "did you mean 'probe late'?"
check "another tool's version" answers -V "did you mean 'probe -version'?"
check "an option before the command" answers '-sec 5 sys' 'options go after'
check "version takes nothing" answers 'version sys' "'probe help version'"
check "help takes one command" answers 'help sys proc' "'probe help help'"
for run in sys proc; do
	for command in flat graph 'export -html page'; do
		check "${command%% *} of a run of $run" names_itself "$command" $run
	done
done
while IFS='|' read -r words message; do
	check "misused: $words" misuses "$words" "$message"
done <<<"$misused"
check "a configuration that is wrong is no wrong usage" is_no_misuse
check "probe alone" welcomes
check "probe alone on a terminal" keeps_to_terminal "$probe"
check "help on a terminal" keeps_to_terminal "$probe help"
mkdir "$work/locales"
check "a locale with a comma" has_comma
while IFS=: read -r report runs; do
	check "$report $runs on a terminal" keeps_to_terminal "$probe $report $runs"
	check "$report $runs in a pipe" is_quiet "$report" "$runs"
	case $report in *-bars* | doctor) continue ;; esac
	check "$report $runs elsewhere" ignores_locale "$report" "$runs"
done <<<"$reports"
check "a reader that leaves" takes_leave
check "a terminal without UTF-8" is_ascii
for option in -folded -pprof -html; do
	check "flat $option on standard output" is_alone $option flat stacks
	check "export $option on a full disk" is_full $option
	check "a reader that leaves export $option" leaves_export $option
done
check "show -html on standard output" is_alone -html show sys
check "a device as a run" ends_on_device
echo "$passed passed, $failed failed"
