# SPDX-License-Identifier: GPL-2.0-only
# rig: paced
# rig: timeout=200
# rig: ci=6.1,6.12
# Containers of an agent, with the module: real nested control groups in the layouts of docker, containerd and
# kubernetes, by systemd and without. Programs that compute have equal shares in the metrics, with their labels, and the
# windows have their groups. A bomb of short-lived groups makes no more series than rows have places.
. /test/guest-lib.sh
root=/sys/fs/cgroup
ring=$PWD/ring
uid=5f3c1a2b_7d4e_4a90_8b6c_0123456789ab
id_of() { printf '%s0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcde' "$1"; }

mkdir -p $root && mount -t cgroup2 none $root 2>/dev/null
grep -q cgroup2 /proc/mounts || fail "the rig: no cgroup2"
in_group() {	# in_group GROUP PROGRAM...: in the background, in a group that is made for it
	local group=$root/$1
	shift
	mkdir -p "$group" || fail "the rig: cannot make $group"
	background "$@"
	echo "$last_pid" >"$group/cgroup.procs"
}
in_group "docker/$(id_of 1)/init.scope" spin 300
in_group "docker/$(id_of 1)/work" spin 300
in_group "system.slice/docker-$(id_of 2).scope" spin 300
in_group "default/$(id_of 3)" spin 300
in_group "kubepods.slice/kubepods-burstable.slice/kubepods-burstable-pod$uid.slice/cri-containerd-$(id_of 4).scope" spin 300
in_group "kubepods/besteffort/pod5f3c1a2b-7d4e-4a90-8b6c-0123456789ac/$(id_of 5)" spin 300
in_group "system.slice/nginx.service" spin 300

probe agent -rate 500 -table-window 1 -stacks-window 2 -ring-dir "$ring" -prom "$PWD/prom" -prom-by container \
	-prom-rows 20 >journal 2>&1 &
agent=$!
windows() { [ "$(sed -n 's/^cpuprobe_windows_total //p' prom)" -ge "$1" ]; }
await windows 5

samples_of() {	# samples_of LABELS: of the row that has them
	awk -v labels="$1" '/^cpuprobe_samples_total/ && index($0, labels) { sum += $NF } END { print sum + 0 }' prom
}
cp prom first
all=0 nr=0
while read -r programs labels; do
	n=$(samples_of "$labels")
	[ "$n" -gt 0 ] || { cat prom; fail "no samples of $labels"; }
	all=$((all + n)) nr=$((nr + programs))
	echo "$programs $n $labels" >>rows
done <<-END
	2 runtime="docker",container_id="$(id_of 1)"
	1 runtime="docker",container_id="$(id_of 2)"
	1 runtime="containerd",container_id="$(id_of 3)"
	1 runtime="containerd",container_id="$(id_of 4)",pod_uid="$(echo $uid | tr _ -)"
	1 container_id="$(id_of 5)",pod_uid="5f3c1a2b-7d4e-4a90-8b6c-0123456789ac"
	1 name="nginx.service"
END
# Programs that compute take turns of a few ms, in some seconds; the agent is one more that begins in the meantime.
while read -r programs n labels; do
	holds "$n > $all * $programs / $nr * 0.7 && $n < $all * $programs / $nr * 1.4" "$labels"
done <rows
while read -r _ _ labels; do
	grep -F "$labels" prom | grep -q '^cpuprobe_share_ratio' || { cat prom; fail "no share of $labels"; }
done <rows

# Groups that live for a moment: as many as this machine makes in ten windows, but six at least, each with a process of
# some milliseconds.
i=0
until [ $i -gt 5 ] && windows 15; do
	i=$((i + 1))
	group=$root/system.slice/docker-$(id_of 9 | cut -c 1-48)$(printf %016d $i).scope
	mkdir "$group" || fail "the rig: cannot make $group"
	sh -c "echo \$\$ >$group/cgroup.procs; exec spin 0.01"
	rmdir "$group" || fail "the rig: $group stays"
done
holds "$(grep -c '^cpuprobe_share_ratio' prom) <= 25" rows
holds "$(grep -vc '^#' prom) <= (20 + 5) * 11 + 20" series
# The agent has a ninth of a slow CPU and is late with its windows, but answers.
expect 0 probe status agent
says out '^faults +0$'

end_background
expect 0 probe stop agent -save stopped
wait "$agent" || { cat journal; fail "the agent failed"; }
grep -q "docker/$(id_of 1)/work" "$ring"/*.probe || fail "no window has the group in a container"
expect 0 probe verify stopped
sleep 0.3
find $root -mindepth 1 -depth -type d -exec rmdir {} \; 2>/dev/null
umount $root
