# SPDX-License-Identifier: GPL-2.0-only
# rig: paced
# rig: timeout=200
# rig: quick=6.12
# rig: ci=6.1,6.12
# Rows by container: real nested control groups as docker, kubernetes and systemd make them. Their samples are
# those of all groups below, with both engines; a name comes from the runtime's file; a group that is gone keeps
# its container. Metrics have the containers as labels.
. /test/guest-lib.sh
id=d0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcde
other=e0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcde
gone=f0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcde
uid=5f3c1a2b_7d4e_4a90_8b6c_0123456789ab
root=/sys/fs/cgroup

mkdir -p $root && mount -t cgroup2 none $root 2>/dev/null
grep -q cgroup2 /proc/mounts || fail "the rig: no cgroup2"
pod=$root/kubepods.slice/kubepods-burstable.slice/kubepods-burstable-pod$uid.slice
docker=$root/system.slice/docker-$id.scope
in_group() {	# in_group GROUP PROGRAM...: in the background, in a group that is made for it
	local group=$1
	shift
	mkdir -p "$group" || fail "the rig: cannot make $group"
	background "$@"
	echo "$last_pid" >"$group/cgroup.procs"
}
in_group "$docker/init.scope" spin 300
in_group "$docker/system.slice/cron.service" spin 300
in_group "$pod/cri-containerd-$other.scope" spin 300
in_group "$root/system.slice/nginx.service/workers/1" spin 300
in_group "$root/system.slice/nginx.service/workers/2" spin 300
in_group "$root/user.slice/user-1000.slice/user@1000.service/app.slice/app.service" spin 300
in_group "$root/batch/7" spin 300
mkdir -p /var/lib/docker/containers/$id
echo '{"State":{"Name":"no"},"Name":"/web"}' >/var/lib/docker/containers/$id/config.v2.json

hits() { awk -F '"' -v name="$1" '$4 == name' out | sed 's/.*"user_hits": \([0-9]*\).*/\1/'; }
shares() {	# shares: each row has the samples of all its groups, which have equal shares
	local name groups n
	while read -r groups name; do
		n=$(hits "$name")
		[ "$(echo "$n" | grep -c .)" = 1 ] || { cat out; fail "not one row of $name"; }
		# Programs that compute take turns of a few ms, in a run of 4000: a group has a 7th of them.
		holds "$n > $groups * 400 && $n < $groups * 800"
	done <<-END
		2 docker web
		1 containerd ${other%"${other#????????????}"}
		2 nginx.service
		1 user@1000.service/app.service
		1 /batch/7
	END
}
expect 0 probe sys -sec 4 -by container -json -save saved
shares
expect 0 probe show -json saved
shares
# The debug kernels have no BPF.
if [ $patience = 1 ]; then
	expect 0 probe sys -engine bpf -sec 4 -by container -json
	shares
fi
expect 0 probe diff saved saved
expect 0 probe sys -sec 1 -by cgroup -save groups
expect 1 probe diff saved groups
one_line_error "one has a row per container, the other per cgroup"

# the container of a group that ends during the run
mkdir -p $root/system.slice/docker-$gone.scope
probe sys -sec 2.5 -by container -json >out 2>err &
probe_pid=$!
sleep 0.3
sh -c "echo \$\$ >$root/system.slice/docker-$gone.scope/cgroup.procs; exec spin 0.4" & short=$!
wait $short
rmdir $root/system.slice/docker-$gone.scope || fail "the rig: the group stays"
wait $probe_pid || fail "probe failed: $(cat err)"
[ "$(hits "docker f0123456789a" | grep -c .)" = 1 ] || { cat out; fail "no row of a container that is gone"; }

# metrics: labels, and the counters of the row
expect 0 probe sys -sec 1 -by container -json -prom metrics
value=$(sed -n "s/^cpuprobe_samples_total{by=\"container\",name=\"docker web\",kind=\"container\",runtime=\"docker\",container_id=\"$id\",container=\"web\",mode=\"user\"} //p" metrics)
[ "$value" = "$(hits 'docker web')" ] || { cat metrics; fail "metrics of the container: '$value'"; }
grep -q '^cpuprobe_share_ratio{.*kind="container",runtime="containerd",.*pod_uid="5f3c1a2b-7d4e-4a90-8b6c-0123456789ab"}' metrics ||
	{ cat metrics; fail "no uid of the pod"; }
ls metrics.* 2>/dev/null && fail "a temporary file of metrics is left"
expect 1 probe sys -sec 1 -prom /nowhere/metrics
one_line_error "write /nowhere/metrics: No such file or directory"

for pid in $background_pids; do kill "$pid"; done
background_pids=
sleep 0.3
find $root -mindepth 1 -depth -type d -exec rmdir {} \; 2>/dev/null
umount $root
