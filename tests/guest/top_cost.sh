# SPDX-License-Identifier: GPL-2.0-only
# rig: full
# rig: icount
# rig: timeout=240
# rig: not=debug,kcsan
# The live view takes less than 1% of one CPU, at a nanosecond per instruction and one update a second,
# with some sixty programs in the table, and zoomed in. The cost of samples is not included. In debug kernels
# each system call takes several times as long.
. /test/guest-lib.sh
. /test/guest-terminal.sh

# cost SECONDS: print the percentage of a CPU that the tool uses in that time.
cost() {
	viewer=$(pidof probe | tr ' ' '\n' | sort -n | head -n 1)
	read -r used _ <"/proc/$viewer/schedstat"
	read -r began _ </proc/uptime
	sleep "$1"
	read -r used_then _ <"/proc/$viewer/schedstat"
	read -r ended _ </proc/uptime
	awk "BEGIN { printf \"%.3f\", ($used_then - $used) / 1e7 / ($ended - $began) }"
}
figure() {
	echo "probe top, $1: $2% of a CPU" | tee -a figures
	holds "$2 < 1" "$1"
}

for i in $(seq 60); do
	cp /bin/proportions "program$i"
done
for i in $(seq 60); do
	background sh -c "while :; do ./program$i & sleep 0.01; kill -9 \$!; sleep 5; done"
done
begin 80 24 screen "probe top"
sees '^Task Name '
sleep 20
look; cat screen
figure "80x24, a look a second" "$(cost 20)"
press q; ends 0
begin 200 60 screen "probe top -window 10"
sees '^Task Name '
sleep 15
figure "200x60, a moving window of 10 s" "$(cost 20)"
look; cat screen
press q; ends 0
end_background
background proportions
begin 80 24 screen "probe top proportions"
sees '^proportions '
press Enter; sees '^work_six'
press Enter; sees '^work_six.0x'
press Enter; sees '> instructions'
sleep 5
figure "80x24, the instructions of a function" "$(cost 20)"
press q; ends 0
end_terminal
