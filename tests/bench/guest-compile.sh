# SPDX-License-Identifier: GPL-2.0-only
# In the guest: account for the samples of a machine that compiles a C project with two jobs, again
# and again, for /bench/seconds. Results are lines "compile KEY VALUE" on ttyS1 (standard output);
# progress lines begin with "# ".
PATH=/usr/bin:$PATH
seconds=$(cat /bench/seconds)
cd /tmp || exit 1
# An emulated interrupt costs tens of microseconds: more than 5% of a CPU at 1 kHz.
insmod /lib/modules/cpuprobe.ko max_overhead_pct=10000 || exit 1

tell() { echo "compile $1 $2"; }

compile() {
	while :; do
		rm -rf /project/build
		make -j2 -C /project tool 2>&1 || echo "compiling failed"
	done >made
}

module_kb() { awk '/^(VmallocUsed|Percpu|Slab):/ { n += $2 } END { print n }' /proc/meminfo; }
forks() { sed -n 's/^processes //p' /proc/stat; }

# The kernel itself allocates memory at a first use.
probe start compile >started && probe stop compile -save run || exit 1
sleep 1
kernel_kb=$(module_kb)
probe start compile -rate 1000 -seed 1 >started || exit 1
holder=$(sed 's/.*pid \([0-9]*\).*/\1/' started)
tell module_kb $(($(module_kb) - kernel_kb))
compile &
compiling=$!
began=$(forks)
passed=0
while [ $passed -lt "$seconds" ]; do
	sleep 30
	passed=$((passed + 30))
	# shellcheck disable=SC2094 # a word of the tool
	probe status compile >status
	sed -n '2s/^/# /p' status
done
tell seconds "$seconds"
tell processes $(($(forks) - began))
tell stacks "$(awk '$1 == "compile" { print $9 }' status)"
# utime and stime, in hundredths of a second
tell tool_seconds "$(awk '{ sub(/.*\) /, ""); print ($12 + $13) / 100 }' "/proc/$holder/stat")"
tell tool_kb "$(sed -n 's/^VmHWM:[^0-9]*\([0-9]*\) kB/\1/p' "/proc/$holder/status")"
probe stop compile -save run || exit 1
kill $compiling
tell files "$(grep -c '^[a-z]*cc .* -c ' made)"
tell programs "$(grep -c '^[a-z]*cc .* -o build/probe ' made)"
tell failures "$(grep -c 'compiling failed' made)"
probe verify run | sed 's/^/# /'
probe flat -json run >flat.json || exit 1
for key in samples lost; do
	tell $key "$(sed -n "s/^  \"$key\": \([0-9.]*\).*/\1/p" flat.json)"
done
# How user stacks ended.
sed -n '/"user_stacks"/,/}$/p' flat.json | grep -v '_objects"' | grep -o '"[a-z_0-9]*": [0-9]*' | tr -d '":' |
	while read -r key value; do tell "user_$key" "$value"; done
probe export -folded folded run || exit 1
awk '
	{ hits = $NF }
	/\[kernel stack broken\]/ { n["broken"] += hits }
	/unknown \(exited\)/ { n["unknown"] += hits; sub(/;.*/, ""); who[$0] += hits }
	END {
		split("broken unknown", keys)
		for (i = 1; i in keys; i++) print "compile", keys[i], n[keys[i]] + 0
		for (program in who) print "# unknown:", program, who[program]
	}' folded
probe flat -by program -min 1 run | sed 's/^/# /'
echo "done"
