# SPDX-License-Identifier: GPL-2.0-only
# rig: paced
# rig: ci=6.1
# rig: timeout=280
# A trace and samples of the same time agree: the traced share of nearly every function lies in the interval of the
# sampled one. Each of some 15 functions is outside of its 95% interval by chance in one run of 20, and outside of
# one 1.75 times as wide in one of 1,700. The test fails when more than a tenth of them are outside of the wide one,
# or more than half outside of their own: an honest program does so in one run of 10,000. The wide interval also
# allows for a cost of the hooks in this function that is 15% off: it was measured with an empty one. On arm64 a part
# of the cost is hidden from samples, which have it in the functions entered, by calls (6.1); or all of it (6.12).
# A sample takes some 26 us here, and the hooks' cost contains none: a higher rate would make the hooks dearer.
# Some of the functions cannot be hooked: their samples belong to their callers.
. /test/guest-lib.sh
functions="${do_sys}getppid,vfs_read,vfs_write,read_zero,pipe_read,pipe_write,vfs_statx,filename_lookup,getname_flags"
functions="$functions,do_filp_open,do_dentry_open,vfs_getattr_nosec,inode_permission,strncpy_from_user,dput,copy_page_to_iter"
functions="$functions,copy_page_from_iter,*path_openat*,*link_path_walk*,__fput"
# Samples found so many percent of the hooks' cost in the hooks.
judge() {	# judge PERCENT: columns of the comparison: functions judged, within, outside of the wide interval
	awk -F '\t' -v found="$1" '
		NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i }
		NR == FNR && $at["function"] == "(hooks)" && found > 10 { each = (100 / found - 1) * $at["traced"] / $at["calls"] }
		NR == FNR { next }
		FNR > 1 && $at["object"] != "" && $at["samples"] >= 25 {
			judged++
			within += $at["verdict"] == "within"
			hidden = each * $at["calls"]
			slack = 0.15 * ($at["raw"] - ($at["traced"] - hidden) + hidden)
			low = $at["sampled"] - 1.75 * ($at["sampled"] - $at["sampled_lo"]) - slack
			high = $at["sampled"] + 1.75 * ($at["sampled_hi"] - $at["sampled"]) + slack
			far += $at["traced"] < low || $at["traced"] > high
		}
		END { print judged + 0, within + 0, far + 0 }' out out
}

background errands 100000000
expect 0 probe trace -beside -rate 1000 -memory 32768 -task errands -fn "$functions" -sec 5 -tsv -save run
cat out
cp out measured
probe trace -beside run | tee told
found=$(sed -n 's/^Samples found \([0-9]*\)% of the cost of tracing in the hooks.*/\1/p' told | grep . || echo 100)
read -r judged within far <<END
$(judge "$found")
END
echo "$judged judged, $within within, $far far"
holds "$judged >= 10"
holds "$far * 10 <= $judged"
holds "$within * 2 >= $judged"

# The hooks' samples are theirs, those in the trampoline that has no name included, and not their functions'. Their cost
# may be 15% off, as above; 35% on kernels that check themselves, where 23% were seen. On arm64 the report says how many
# samples were found.
off=0.15
[ $patience = 1 ] || off=0.35
[ $machine != x86 ] ||
	holds "$(awk -F '\t' -v off=$off '$9 == "(hooks)" { print ($2 > (1 - off) * $4 && $2 < (1 + off) * $5) ? 1 : 0 }' out) == 1"

# The saved run has the samples, and all of them are accounted for.
expect 0 probe trace -beside -tsv run
cmp out measured || fail "the saved comparison differs"
expect 0 probe verify run
expect 0 probe trace -beside run
cat out
grep -q "of $judged functions with 25 samples" out || fail "no receipt"
case $machine in
x86) ! grep -q 'of the cost of tracing in the hooks' out || fail "hidden hooks" ;;
*) says out '^Samples found [0-9]+% of the cost of tracing in the hooks' ;;
esac
expect 0 probe trace -tsv run

# Without samples there is nothing to compare, and what cannot be compared is refused.
expect 0 probe trace -fn vfs_read -sec 0.1 -save bare
expect 1 probe trace -beside bare
expect 2 probe trace -beside -fn vfs_read -wrap
expect 2 probe trace -beside -fn vfs_read -flow
expect 2 probe trace -beside -task errands run
expect 2 probe trace -rate 100 -fn vfs_read
