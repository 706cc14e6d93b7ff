# SPDX-License-Identifier: GPL-2.0-only
# rig: ci=6.1
# rig: quick=6.12
# rig: timeout=300
# The module is loaded and unloaded, used or not, while programs begin and end; nothing is left.
. /test/guest-lib.sh
count=${count:-15}
remember_machine
background nice -n 10 fray
i=0
while [ $i -lt "$count" ]; do
	i=$((i + 1))
	load
	[ $((i % 5)) != 0 ] || churn 2 >out || fail "churn: $(cat out)"
	rmmod cpuprobe || fail "the module cannot be unloaded in round $i"
done
end_background
same_machine
read -r up _ </proc/uptime
echo "loaded and unloaded $count times, $up s after boot" >figures
