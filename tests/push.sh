#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# push.sh [KILLS]: test `probe push` with a stub of a store (fleet/stub.py): all interfaces, decoded by Datadog's
# pprof-format; servers that are slow, refuse, close early or send answers without end; redirects, certificates, secrets
# and proxies; the spool, also full, damaged, of another store, locked, and with the process killed KILLS times (40).
set -u
top=$(cd "$(dirname "$0")/.." && pwd)
kills=${1:-40}
export CONSUMERS=$top/build/consumers/push
unset http_proxy https_proxy all_proxy HTTPS_PROXY ALL_PROXY no_proxy NO_PROXY PROBE_PUSH_TOKEN PROBE_PUSH_USER
work=$(mktemp -d)
stubs=
trap '[ -z "$stubs" ] || kill $stubs; rm -rf "$work"' EXIT
passed=0 failed=0 RANDOM=5
probe=$top/build/probe

set -e
"$top/tests/rig/packages.sh" push
make -s -C "$top" build/probe build/make_run build/make_windows
mkdir -p "$CONSUMERS"
[ -d "$CONSUMERS/node_modules/pprof-format" ] ||
	npm install --silent --no-audit --no-fund --no-save --ignore-scripts --prefix "$CONSUMERS" pprof-format@2.3.2 >/dev/null
cat >"$work/text" <<-END
	sh 7 user main{sh.c:10}@sh#c0ffee0123;run{sh.c:20}@sh#c0ffee0123;read@libc.so.6 120
	sh 8 user main{sh.c:10}@sh#c0ffee0123;run{sh.c:20}@sh#c0ffee0123;read@libc.so.6 50
	sh 7 kernel main{sh.c:10}@sh#c0ffee0123;do_syscall_64@kernel;ext4_read@[ext4] 34
	IDLE 0 kernel [idle] 700
	a%20b%3bc 10 user main@other;%3cscript%3e@other;q%22uote\back%27@other 42
	lost 11
	other 13
END
"$top/build/make_run" "$work/text" "$work/run"
set +e

check() {	# check NAME COMMAND...: the command succeeds and prints nothing
	local name=$1
	shift
	# In this shell: the stub is its child.
	if "$@" >"$work/check" 2>&1 && [ ! -s "$work/check" ]; then
		echo "ok   push $name${TIMES:+ $SECONDS}"
		passed=$((passed + 1))
	else
		echo "FAIL push $name"
		cat "$work/check"
		failed=$((failed + 1))
	fi
}

stub() {	# stub NAME [PORT [CERTIFICATE KEY]]: start a stub in $work/NAME; sets port
	[ $# -gt 1 ] || set -- "$1" 0
	mkdir -p "$work/$1"
	rm -f "$work/$1/port"
	python3 "$top/tests/fleet/stub.py" "$work/$1" "${@:2}" >>"$work/$1/errors" 2>&1 &
	stub=$!
	stubs="$stubs $stub"
	until [ -e "$work/$1/port" ]; do sleep 0.05; done
	port=$(cat "$work/$1/port")
}

stop_stub() {
	kill "$stub"
	wait "$stub" 2>/dev/null
	stubs=${stubs/ $stub/}
}

forget() { rm -rf "$work/s/got" "$work/s/log" "$work/s/plan"; }

push() {	# push STATUS URL OPTION...: push the run, status as expected; output in $work/out and err
	local want=$1 got=0
	shift
	timeout 100 "$probe" push "$@" "$work/run" >"$work/out" 2>"$work/err" || got=$?
	[ "$got" = "$want" ] || { echo "status $got, not $want"; cat "$work/out" "$work/err"; }
}

says() { grep -qF -- "$2" "$work/$1" || { echo "no '$2' in $1:"; cat "$work/$1"; }; }

sums() {	# sums: the profiles kept by the stub are those of the run
	node "$top/tests/fleet/sums.cjs" "$work/s" >"$work/sums" || return
	diff - "$work/sums" <<-END
		1000000000 970000000 11 11000000 (other) 1
		1000000000 970000000 204 204000000 sh 1
		1000000000 970000000 42 42000000 a_b;c 1
		1000000000 970000000 700 700000000 IDLE 1
	END
}

interface() {	# interface PATH NAME REQUESTS: all services arrive, once, with their labels
	forget
	push 0 "http://127.0.0.1:$port$1" -label env=prod -label 'odd={a="b",c}'
	says out "pushed 957 samples to http://127.0.0.1:$port ($2) in $3 request"
	sums
	grep -q '"service_name": "sh", "host": "[^"]*", "build_id": "c0ffee0123", "env": "prod"' "$work"/s/got/*.json ||
		cat "$work"/s/got/*.json
	push 0 "http://127.0.0.1:$port$1" -label env=prod -label 'odd={a="b",c}'
	sums
	[ "$(awk '{ new += $5; old += $6 } END { print new, old }' "$work/s/log")" = "4 4" ] || cat "$work/s/log"
}

options() {
	forget
	push 0 "http://127.0.0.1:$port/prefix/" -service 'my service' -tenant t1
	says out "pushed 957 samples"
	grep -q '^X-Scope-OrgID: t1' "$work/s/head" || cat "$work/s/head"
	grep -q 'POST /prefix/push.v1.PusherService/Push 2 0' "$work/s/log" || cat "$work/s/log"
	grep -q '"service_name": "my service"' "$work"/s/got/*.json || cat "$work"/s/got/*.json
	forget
	push 0 "http://127.0.0.1:$port" -services 1
	node "$top/tests/fleet/sums.cjs" "$work/s" | diff - <(printf '1000000000 970000000 %s 1\n' \
		'257 257000000 (other)' '700 700000000 IDLE')
	forget
	push 0 "http://127.0.0.1:$port" -compress -detail
	sums
	grep -q '^Content-Encoding: gzip' "$work/s/head" || cat "$work/s/head"
	grep -q '^Content-Type: application/proto' "$work/s/head" || cat "$work/s/head"
	push 2 "http://127.0.0.1:$port" -service a -by exe
	push 2 "http://127.0.0.1:$port" -label 5=a
	push 2 "http://127.0.0.1:$port" -spool-size 5
}

plan() { echo "$*" >"$work/s/plan"; }

repeats() {	# repeats PLAN REPEATED DOUBLED: everything arrives in the end, once for a store that knows ids
	forget
	plan "$1"
	push 0 "http://127.0.0.1:$port" -wait 60 -timeout 4
	says out "; $2 repeated, $3 perhaps doubled; 0 refused, 0 dropped"
	sums
}

refused() {	# refused PLAN TEXT: final, and said why
	forget
	plan "$1" ok
	push 1 "http://127.0.0.1:$port"
	says out "pushed 0 samples"
	says out "1 refused, 0 dropped"
	says err "$2"
	[ "$(wc -l <"$work/s/log")" = 1 ] || cat "$work/s/log"
}

same_process() {	# a connection that ends between two requests does not hide that the second one was repeated
	forget
	plan ok silent ok
	rm -rf "$work/spool3"
	"$top/build/make_windows" "http://127.0.0.1:$port" "$work/spool3" 1 2 "$work/stored" >"$work/out" || cat "$work/out"
	says out "delivered 2 doubled 1"
	[ "$(wc -l <"$work/s/log")" = 3 ] || cat "$work/s/log"
}

cut_off() {	# cut_off PLAN: an answer without end is cut off at once; its status counts
	local begin=$SECONDS
	forget
	plan "$1"
	push 0 "http://127.0.0.1:$port"
	sums
	[ $((SECONDS - begin)) -lt 20 ] || echo "took $((SECONDS - begin)) s"
}

waits() {	# the pause that a server asks for is kept
	local begin=$SECONDS
	forget
	plan 503+2 ok
	push 0 "http://127.0.0.1:$port"
	[ $((SECONDS - begin)) -ge 2 ] || echo "took $((SECONDS - begin)) s"
	sums
}

absent() {	# a server that is not there, then there; nothing was repeated
	forget
	stop_stub
	(sleep 5 && exec python3 "$top/tests/fleet/stub.py" "$work/s" "$port" 2>/dev/null) &
	stub=$!
	stubs="$stubs $stub"
	rm -f "$work/s/port"
	push 0 "http://127.0.0.1:$port" -wait 60
	says out "0 repeated, 0 perhaps doubled; 0 refused, 0 dropped"
	says err "probe: push to http://127.0.0.1:$port failed: "
	says err "probe: push works again"
	sums
}

redirects() {
	forget
	plan "to:http://127.0.0.1:$port/prefix/push.v1.PusherService/Push" ok
	push 0 "http://127.0.0.1:$port"
	sums
	refused "to:http://localhost:$port/push.v1.PusherService/Push" "a redirect to http://localhost:"
	refused "moved:http://127.0.0.1:$port/push.v1.PusherService/Push" "a redirect to http://127.0.0.1:"
	forget
	plan to:/ to:/ to:/ to:/ to:/ to:/
	push 1 "http://127.0.0.1:$port"
	[ "$(wc -l <"$work/s/log")" = 4 ] || cat "$work/s/log"
}

secrets() {
	forget
	printf 'abc.DEF\n' >"$work/token"
	printf 'user:pass word\n' >"$work/user"
	push 0 "http://127.0.0.1:$port" -token-file "$work/token"
	grep -q '^Authorization: Bearer abc.DEF' "$work/s/head" || cat "$work/s/head"
	push 0 "http://127.0.0.1:$port" -user-file "$work/user"
	grep -q '^Authorization: Basic dXNlcjpwYXNzIHdvcmQ=' "$work/s/head" || cat "$work/s/head"
	PROBE_PUSH_TOKEN=tok push 0 "http://127.0.0.1:$port"
	grep -q '^Authorization: Bearer tok' "$work/s/head" || cat "$work/s/head"
	PROBE_PUSH_USER=a:b push 0 "http://127.0.0.1:$port"
	grep -q '^Authorization: Basic YTpi' "$work/s/head" || cat "$work/s/head"
	PROBE_PUSH_TOKEN=tok push 1 http://store.invalid
	says err "without encryption"
	push 2 "http://a:b@127.0.0.1:$port"
	says err "visible to everyone"
	! grep -q 'a:b' "$work/err" || echo "the password is in the message"
	printf 'a\001b\n' >"$work/token"
	push 1 "http://127.0.0.1:$port" -token-file "$work/token"
	push 1 "http://127.0.0.1:$port" -token-file "$work/none"
}

proxy() {
	forget
	http_proxy=http://127.0.0.1:$port push 0 http://store.invalid
	grep -q 'POST http://store.invalid/push.v1.PusherService/Push 4 0' "$work/s/log" || cat "$work/s/log"
	# A token for this machine is not given to a proxy.
	forget
	http_proxy=http://127.0.0.1:9 PROBE_PUSH_TOKEN=tok push 0 "http://127.0.0.1:$port"
	grep -q '^Authorization: Bearer tok' "$work/s/head" || cat "$work/s/head"
}

certificate() {	# certificate NAME SUBJECT-ALT-NAME DAYS: signed by the authority ca
	openssl req -newkey rsa:2048 -nodes -keyout "$work/$1.key" -out "$work/$1.csr" -subj /CN=stub -batch
	openssl x509 -req -in "$work/$1.csr" -CA "$work/ca.pem" -CAkey "$work/ca.key" -CAcreateserial -out "$work/$1.pem" \
		-days "$3" -extfile <(echo "subjectAltName=$2")
}

make_certificates() {
	openssl req -x509 -newkey rsa:2048 -nodes -keyout "$work/ca.key" -out "$work/ca.pem" -subj /CN=ca -days 2 -batch
	openssl req -x509 -newkey rsa:2048 -nodes -keyout "$work/other.key" -out "$work/other.pem" -subj /CN=other -days 2 -batch
	certificate right IP:127.0.0.1 2
	certificate wrong DNS:elsewhere.example 2
}

tls() {	# tls NAME STATUS [OPTION...]: a server with this certificate
	local begin=$SECONDS
	rm -rf "$work/tls-$1"
	stub "tls-$1" 0 "$work/$1.pem" "$work/$1.key"
	push "$2" "https://127.0.0.1:$port" "${@:3}"
	stop_stub
	[ "$2" = 0 ] && return
	# A repeat does not help.
	says err certificate
	[ ! -e "$work/tls-$1/log" ] || cat "$work/tls-$1/log"
	[ $((SECONDS - begin)) -lt 20 ] || echo "took $((SECONDS - begin)) s"
}

spooled() {	# what is not delivered is delivered by the next push, with its id and count
	forget
	stop_stub
	push 1 "http://127.0.0.1:$port" -spool "$work/spool" -wait 0.5s
	says out "1 waiting in the spool"
	compgen -G "$work/spool/*.ready" >"$work/list" || ls "$work/spool"
	[ "$(stat -c %a "$work/spool")" = 700 ] || stat "$work/spool"
	stub s "$port"
	push 0 "http://127.0.0.1:$port" -spool "$work/spool" -label more=yes
	says out "pushed 1914 samples"
	says out "0 perhaps doubled"
	[ "$(ls "$work/spool")" = lock ] || ls "$work/spool"
	# A request that may have arrived is perhaps doubled, also for the next process.
	plan silent silent silent silent silent silent silent silent
	push 1 "http://127.0.0.1:$port" -spool "$work/spool" -wait 2s -label more=2
	plan ok
	compgen -G "$work/spool/*.tried" >"$work/list" || ls "$work/spool"
	push 0 "http://127.0.0.1:$port" -spool "$work/spool" -label more=3
	grep -q '; [1-9][0-9]* repeated, 1 perhaps doubled' "$work/out" || cat "$work/out"
}

damaged_spool() {
	local files
	forget
	plan 500 500 500 500
	push 1 "http://127.0.0.1:$port" -spool "$work/spool" -wait 0.2s -label n=1
	push 1 "http://127.0.0.1:$port" -spool "$work/spool" -wait 0.2s -label n=2
	files=("$work"/spool/*1-*.ready)
	printf X | dd of="${files[0]}" bs=1 seek=300 conv=notrunc status=none
	: >"$work/spool/00000000000000000000-5-$(printf %036d 0).ready"
	echo rubbish >"$work/spool/request.new"
	echo rubbish >"$work/spool/README"
	rm -f "$work/s/plan"
	push 1 "http://127.0.0.1:$port" -spool "$work/spool" -label n=3
	says out ", 2 damaged"
	says out "pushed 1914 samples"
	push 0 "http://127.0.0.1:$port" -spool "$work/spool" -label n=4
	[ "$(ls "$work/spool")" = $'README\nlock' ] || ls "$work/spool"
}

spool_of_another_store() {	# told, kept, and delivered by the next push to the right one
	forget
	plan 500
	push 1 "http://127.0.0.1:$port" -spool "$work/spool" -wait 0.2s -label n=5
	push 0 "http://127.0.0.1:$port/profiles/writeraw" -spool "$work/spool" -label n=6
	says err "has requests of -to pyroscope: deliver them first, or choose another -spool; requests wait in memory"
	compgen -G "$work/spool/*.ready" >"$work/list" || ls "$work/spool"
	push 0 "http://127.0.0.1:$port" -spool "$work/spool" -label n=7
	says out "pushed 1914 samples"
}

locked_spool() {
	forget
	exec 8>"$work/spool/lock"
	flock 8
	push 0 "http://127.0.0.1:$port" -spool "$work/spool"
	exec 8>&-
	says err "another process uses it; requests wait in memory"
	sums
}

unusable_spool() {	# nowhere to write, or a full disk: told, and delivered
	forget
	push 0 "http://127.0.0.1:$port" -spool /proc/spool
	says err "probe: make the spool /proc/spool"
	sums
	forget
	(
		trap '' XFSZ
		ulimit -f 1
		exec "$probe" push "http://127.0.0.1:$port" -spool "$work/spool" "$work/run" >"$work/out" 2>"$work/err"
	) || echo "status $?"
	says err "probe: write the spool $work/spool: File too large; requests wait in memory"
	sums
	[ "$(ls "$work/spool")" = $'README\nlock' ] || ls "$work/spool"
}

has_more_than() {	# has_more_than N: wait until more windows are stored, at most a minute
	local tries
	for ((tries = 0; tries < 600; tries++)); do
		[ "$(wc -l <"$work/stored")" -le "$1" ] || return
		sleep 0.1
	done
}

# Windows of an agent that is killed at random instants while the stub misbehaves. The agent begins with the window after
# the last one stored or tried, as time goes on. All windows together are fewer than the files that a spool holds.
killed() {
	local next=1 last i
	forget
	rm -rf "$work/spool2" "$work/stored"
	: >"$work/stored"
	for ((i = 0; i < kills; i++)); do
		plan ok silent ok 500 partial ok ok early ok ok silent
		"$top/build/make_windows" "http://127.0.0.1:$port" "$work/spool2" $next $((next + 15)) "$work/stored" >/dev/null 2>&1 &
		# Most are killed when they have stored something, however slow the host.
		((i % 4 == 3)) || has_more_than "$(wc -l <"$work/stored")"
		sleep "0.$(printf %03d $((RANDOM % 250 + 30)))"
		kill -9 $! 2>/dev/null
		wait $! 2>/dev/null
		# One window may be lost: it is the gap.
		last=$(tail -n 1 "$work/stored")
		next=$((${last:-0} + 2))
	done
	rm -f "$work/s/plan"
	"$top/build/make_windows" "http://127.0.0.1:$port" "$work/spool2" $next $next "$work/stored" >"$work/out" || cat "$work/out"
	says out "refused 0 dropped 0 damaged 0"
	node "$top/tests/fleet/sums.cjs" "$work/s" >"$work/sums"
	# Each window once: two services with as many samples as its number says.
	awk '{ n[$1 " " $5]++; if ($3 != $1 / 10 || n[$1 " " $5] > 1) print "wrong: " $0 }' "$work/sums"
	# All that were stored have arrived; a window that was not is a gap of 10 s.
	awk 'NR == FNR { is[$1 / 10]++; next } is[$1] != 2 { print "stored, and not delivered: " $1 }' \
		"$work/sums" "$work/stored"
	[ "$(wc -l <"$work/stored")" -ge $((kills * 3 / 4)) ] || wc -l "$work/stored"
	awk '{ old += $6 } END { if (old < 1) print "nothing was repeated" }' "$work/s/log"
}

stub s
check "pyroscope" interface "" pyroscope 1
check "pyroscope by its path" interface /push.v1.PusherService/Push pyroscope 1
check "pyroscope's ingest" interface /ingest pyroscope-ingest 4
check "parca" interface /profiles/writeraw parca 1
check "options" options
check "status 500, 429" repeats "500 429 ok" 0 0
check "no answer" repeats "silent ok" 1 1
check "gateway's 504" repeats "504 ok" 1 1
check "closed early" repeats "early ok" 1 1
check "answer cut short" repeats "partial" 0 0
check "slow" repeats "slow ok" 1 1
check "no answer to the second request" same_process
check "status 400" refused 400 "status 400: no: 400 as planned"
check "status 404" refused 404 "status 404: no: 404 as planned"
check "answer without end" cut_off endless
check "head without end" cut_off "head ok"
check "Retry-After" waits
check "absent, then there" absent
check "redirects" redirects
check "secrets" secrets
check "proxy" proxy
check "spool" spooled
check "damaged spool" damaged_spool
check "spool of another store" spool_of_another_store
check "locked spool" locked_spool
check "unusable spool" unusable_spool
check "killed $kills times" killed
stop_stub
make_certificates >"$work/openssl" 2>&1 || cat "$work/openssl"
check "certificate" tls right 0 -cacert "$work/ca.pem"
check "unknown certificate" tls other 1 -cacert "$work/ca.pem"
check "unknown authority" tls right 1
check "certificate of another host" tls wrong 1 -cacert "$work/ca.pem"
check "errors of the stub" cat "$work/s/errors"

echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
