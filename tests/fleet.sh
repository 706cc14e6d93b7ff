#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# fleet.sh: metrics of `probe sys` in the stores that read them. promtool finds nothing to say about the file;
# Prometheus and VictoriaMetrics scrape the tool itself, an agent, and the file through node_exporter; their answers to the
# queries of docs/fleet-dashboard.json equal what the tool prints. Servers listen on 127.0.0.1 at free ports, and
# all of them end with this script.
#
# Counts are compared exactly, shares as far as they are printed. Nothing depends on how busy the machine is,
# except that no more than 1,000 programs may run in 44 seconds.
set -eu
top=$(cd "$(dirname "$0")/.." && pwd)
probe=$top/build/probe
work=$(mktemp -d)
pids=
# shellcheck disable=SC2086 # a list of process ids
trap 'kill $pids 2>/dev/null || :; wait; rm -rf "$work"' EXIT
export LC_ALL=C no_proxy=127.0.0.1

fail() {
	echo "fleet: $*" >&2
	exit 1
}

# The servers come from Debian. They are not installed, which would start them as services.
consumers=$top/build/consumers/fleet
find_program() {	# find_program PROGRAM PACKAGE: print its path
	local found
	found=$(command -v "$1" || find "$consumers" -path "*/bin/$1" -type f 2>/dev/null | head -n 1)
	if [ -z "$found" ]; then
		mkdir -p "$consumers"
		(cd "$consumers" && apt-get download -qq "$2" >&2 && dpkg-deb -x "$2"_*.deb .) || return 1
		found=$(find "$consumers" -path "*/bin/$1" -type f | head -n 1)
	fi
	echo "$found"
}
promtool=$(find_program promtool prometheus)
prometheus=$(find_program prometheus prometheus)
node_exporter=$(find_program prometheus-node-exporter prometheus-node-exporter)
victoria=$(find_program victoria-metrics victoria-metrics)
"$top/tests/rig/packages.sh" fleet

make -s -C "$top" tool build/guest-bin/spin

free_port() {
	node -e 's = require("net").createServer().listen(0, "127.0.0.1", () => { console.log(s.address().port); s.close() })'
}

start() {	# start NAME COMMAND...: in the background
	local name=$1
	shift
	"$@" >"$work/$name.log" 2>&1 &
	pids="$pids $!"
}

await() {	# await COMMAND...: until it succeeds, for at most a minute
	local tries=0
	until "$@" >/dev/null 2>&1; do
		tries=$((tries + 1))
		[ $tries -lt 300 ] || { tail -n 5 "$work"/*.log >&2; fail "waited in vain: $*"; }
		sleep 0.2
	done
}

window=2
cd "$work"
mkdir text prometheus victoria
cp "$top/build/guest-bin/spin" burn-one
cp "$top/build/guest-bin/spin" burn-two
start one ./burn-one 300
start two ./burn-two 300

"$probe" sys -repeat $window -sec 44 -json -prom text/cpuprobe.prom -prom-rows 1000 -listen 127.0.0.1:0 \
	>tables.json 2>errors &
tool=$!
pids="$pids $tool"
await grep -q 'metrics at' errors
tool_port=$(sed -n 's/.*metrics at port //p' errors)
exporter_port=$(free_port)
# The agent samples by BPF, where that is allowed. It has a /run of its own, since a machine has one agent.
with_own_run() { exec unshare -m sh -c 'mount -t tmpfs none /run && exec "$@"' sh "$@"; }
agent_port=
if "$probe" doctor 2>&1 | grep -q '^ok *bpf:' && (with_own_run true) 2>/dev/null; then
	agent_port=$(free_port)
	with_own_run "$probe" agent -engine bpf -rate 500 -table-window 1 -ring-dir "$work/ring" \
		-prom agent.prom -prom-rows 1000 -listen "127.0.0.1:$agent_port" >agent.log 2>&1 &
	agent=$!
	pids="$pids $agent"
	await curl -sf "http://127.0.0.1:$agent_port/metrics"
fi
cat >scrape.yml <<-END
	global: { scrape_interval: 1s, scrape_timeout: 1s }
	scrape_configs:
	  - { job_name: tool, static_configs: [ { targets: [ "127.0.0.1:$tool_port" ] } ] }
	  - { job_name: agent, static_configs: [ { targets: [ ${agent_port:+"'127.0.0.1:$agent_port'"} ] } ] }
	  - { job_name: file, static_configs: [ { targets: [ "127.0.0.1:$exporter_port" ] } ] }
END
"$promtool" check config scrape.yml >/dev/null
start exporter "$node_exporter" --collector.disable-defaults --collector.textfile --log.level=error \
	--collector.textfile.directory="$work/text" --web.listen-address="127.0.0.1:$exporter_port"
prometheus_port=$(free_port)
start prometheus "$prometheus" --config.file=scrape.yml --storage.tsdb.path=prometheus --log.level=error \
	--web.listen-address="127.0.0.1:$prometheus_port"
victoria_port=$(free_port)
start victoria "$victoria" -promscrape.config=scrape.yml -storageDataPath=victoria -loggerLevel=ERROR \
	-httpListenAddr="127.0.0.1:$victoria_port" -search.latencyOffset=1ms -search.disableCache
await curl -sf "http://127.0.0.1:$prometheus_port/-/ready"
await curl -sf "http://127.0.0.1:$victoria_port/health"

wait "$tool" || fail "the tool failed: $(cat errors)"
if [ "$agent_port" ]; then
	kill "$agent"
	wait "$agent" || fail "the agent failed: $(cat agent.log)"
fi
for file in text/cpuprobe.prom ${agent_port:+agent.prom}; do
	said=$("$promtool" check metrics <"$file" 2>&1) || fail "promtool: $said"
	[ -z "$said" ] || fail "promtool: $said"
done

# Two more scrapes of the file, and VictoriaMetrics shows new samples after a second or two.
sleep 6
status=0
for port in $prometheus_port $victoria_port; do
	node "$top/tests/fleet/check.mjs" tables.json "$top/docs/fleet-dashboard.json" "http://127.0.0.1:$port" $window \
		${agent_port:+agent.prom} ||
		status=1
done
exit $status
