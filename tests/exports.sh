#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# exports.sh: test `probe export` in all formats with the programs that read them: speedscope, pprof
# and callgrind_annotate. Each must find the total and every function's samples and time.
set -eu
top=$(cd "$(dirname "$0")/.." && pwd)
# A directory of its own: npm removes what others have installed.
export CONSUMERS=$top/build/consumers/exports PPROF_TMPDIR=$top/build/consumers/exports
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

"$top/tests/rig/packages.sh" exports
make -s -C "$top" build/probe build/make_run build/make_trace

# pprof comes from Debian, as sources. For the others, these versions are known to read the formats.
mkdir -p "$CONSUMERS"
if [ ! -x "$CONSUMERS/pprof" ]; then
	GO111MODULE=off GOFLAGS='' GOPATH=/usr/share/gocode GOCACHE=$work/go \
		go build -o "$CONSUMERS/pprof" github.com/google/pprof
fi
versions="speedscope@1.25.0 ajv@8.17.1"
if [ "$(cat "$CONSUMERS/versions" 2>/dev/null)" != "$versions" ]; then
	# shellcheck disable=SC2086 # a list of words
	npm install --silent --no-audit --no-fund --no-save --ignore-scripts \
		--prefix "$CONSUMERS" $versions >/dev/null
	echo "$versions" >"$CONSUMERS/versions"
fi

long=$(printf 'long_%.0s' {1..800})
cat >"$work/text" <<-END
	sh 7 user main{sh.c:10}@sh#c0ffee0123;run{sh.c:20}@sh#c0ffee0123;read@libc.so.6 120
	sh 7 user main{sh.c:11}@sh#c0ffee0123;run{sh.c:21}@sh#c0ffee0123;read@libc.so.6 30
	sh 8 user main{sh.c:10}@sh#c0ffee0123;run{sh.c:20}@sh#c0ffee0123;read@libc.so.6 50
	sh 7 kernel main{sh.c:10}@sh#c0ffee0123;do_syscall_64@kernel;ext4_read@[ext4] 34
	sh 7 user run{sh.c:20}@sh#c0ffee0123 3
	sh 7 user [no_frame_pointer];read@libc.so.6 17
	sh 8 softirq [softirq];net_rx_action@kernel 5
	IDLE 0 kernel [idle] 700
	js 9 user start@js;interpret%3bA%20%3d%3e%20B@perf-9.map 6
	a%20b%3bc 10 user main@other;%3cscript%3ealert(1)%3c/script%3e@other;q%22uote\back%27@other 41
	a%20b%3bc 10 user main@other;fn=(1)%20x@other;calls=7%207@other;#%20no%20comment@other 42
	a%20b%3bc 10 user main@other;ends%20in%2012@other;%c3%a9t%c3%a9%20%f0%9f%94%a5@other;std::map%3cint,%20A%3cB%3e%20%3e::at(int)@other 43
	recur 11 user entry@fib;fib@fib;fib@fib;fib@fib;fib@fib 80
	recur 11 user entry@fib;fib@fib 20
	recur 11 user entry@fib;even@fib;odd@fib;even@fib;odd@fib;leaf@fib 60
	long 12 user $long@long;short@long 9
	lost 11
	other 13
END
"$top/build/make_run" "$work/text" "$work/run"
cd "$work"
"$top/build/probe" export -folded run.folded -pprof run.pb.gz -speedscope run.speedscope.json \
	-callgrind run.callgrind run
node "$top/tests/exports/check.mjs" text .

# Pictures of traces: of a small one, a part of it and one task, and of many calls in bounded memory.
trace() {	# trace NAME OPTION...: check the exports of the trace NAME
	local name=$1
	shift
	"$top/build/probe" export -perfetto trace.json -speedscope trace.speedscope.json "$@" "$name"
	"$top/build/probe" trace "$name" -json >summary.json
	node "$top/tests/exports/trace.mjs" trace.json trace.speedscope.json summary.json
}
"$top/build/make_trace" "$top/tests/exports/trace.txt" small 3000000 2
trace small
printf '0 0 r 7 7\n' >many.txt
"$top/build/make_trace" many.txt many 1000000000 1 100000
trace many
