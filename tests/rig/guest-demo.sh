# SPDX-License-Identifier: GPL-2.0-only
# In the guest: show the reports on real programs, each after its command line.
cd /tmp || exit 1

show() {
	printf '\n$ %s\n' "$*"
	"$@"
}

printf 'Linux %s, unmodified, on an emulated machine.\n' "$(uname -r)"
show insmod /lib/modules/cpuprobe.ko || exit 1

# Typical work of a machine: compression, checksums, short-lived processes, sleep.
cat /bin/openssl /bin/probe /bin/sh >data
sh -c 'while :; do gzip -c data >/dev/null; done' &
busy=$!
sh -c 'while :; do openssl dgst -sha256 data; sleep 0.05; done' >/dev/null &
sums=$!
sh -c 'while :; do true | cat; /bin/busybox true; sleep 0.02; done' &
stream=$!
sleep 1000 &
sleeper=$!
sleep 1
echo
echo "A machine at work: gzip, openssl, a stream of short-lived processes, a sleeper."
show probe sys -sec 4
kill $busy $sums $stream $sleeper

proportions &
work=$!
sleep 0.5
echo
echo "One process: three functions that take 60%, 30% and 10% by construction."
show probe proc -sec 2 -low work_six -high main proportions
kill $work
wait 2>/dev/null

gunzip -c /test/huge.gz >huge && chmod +x huge
./huge &
work=$!
sleep 0.2
echo
echo "A program of 100 MB that spends its time in one instruction: the search finds it."
show probe proc -hot -sec 3 huge
kill $work
wait 2>/dev/null

echo
echo "A program that computes 3 of every 4 ms but sleeps whenever the tick strikes."
hider &
hider=$!
sleep 1
# shellcheck disable=SC2046 # words
set -- $(head -n 1 /proc/stat)
busy0=$(($2 + $3 + $4 + $7 + $8)) idle0=$5
read -r ran0 _ </proc/$hider/schedstat
read -r at0 _ </proc/uptime
show probe sys -sec 4
# shellcheck disable=SC2046 # words
set -- $(head -n 1 /proc/stat)
read -r ran1 _ </proc/$hider/schedstat
read -r at1 _ </proc/uptime
busy=$(($2 + $3 + $4 + $7 + $8 - busy0)) idle=$(($5 - idle0))
awk -v b="$busy" -v i="$idle" -v ran="$((ran1 - ran0))" -v at0="$at0" -v at1="$at1" 'BEGIN {
	printf "\nMeanwhile /proc/stat, and so top, counted %.1f%% busy and %.1f%% idle.\n", 100 * b / (b + i), 100 * i / (b + i)
	printf "The scheduler'"'"'s exact clock of that program: %.1f%%.\n", ran / (at1 - at0) / 1e7 }'
kill $hider
