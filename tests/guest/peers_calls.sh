# SPDX-License-Identifier: GPL-2.0-only
# rig: ci=6.12
# rig: not=debug,kcsan
# rig: icount
# rig: timeout=300
# rig: module max_overhead_pct=100
# Two functions call a third one equally often, and cause 10% and 90% of its time. probe graph, from
# stacks, and gprof, from counts of calls, measure the same run. probe's share is beyond 5 standard
# errors by chance once in 800,000 runs; gprof gives each caller half.
#
# The test leaves its tables in the file figures, a part of docs/peers.md.
. /test/guest-lib.sh
expect 0 probe graph -tsv -min 0 -rate 4000 -seed 1 -user -task /bin/calls-pg -save run -- calls-pg dear 25000
mv out rows
expect 0 probe graph -width 80 run
awk '/^ *\[[0-9]+\].* work / { print above $0; exit } /^-+$/ { above = ""; next } { above = above $0 "\n" }' out >ours
our_title=$(grep '^Index' out)
expect 0 gprof -b -q /bin/calls-pg gmon.out
awk '/^\[[0-9]+\].* work / { print above $0; exit } /^(-+$|index)/ { above = ""; next } { above = above $0 "\n" }' out >theirs
title=$(grep "^index % time" out)

# share TOOL CALLER: print the caller's part of the samples or seconds of work(), in percent.
probe_samples() {
	awk -F '\t' -v caller="$1" 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
		$at["role"] == "function" { entry[$1] = $at["name"] }
		{ role[NR] = $at["role"]; name[NR] = $at["name"]; of[NR] = $1; n[NR] = $at["samples"] }
		END { for (i in role) if (entry[of[i]] == "work" && role[i] == (caller ? "parent" : "function") &&
			(!caller || name[i] == caller)) print n[i] }' rows
}
gprof_seconds() { awk -v caller="$1" '$4 == caller { print $1 }' theirs; }
whole=$(probe_samples '')
cheap=$(probe_samples cheap)
dear=$(probe_samples dear)
gprof_cheap=$(gprof_seconds cheap) gprof_dear=$(gprof_seconds dear)
[ -n "$title" ] && [ -n "$our_title" ] || fail "listings without titles"
[ -n "$whole" ] && [ -n "$cheap" ] && [ -n "$dear" ] || { cat rows; fail "probe has no callers of work"; }
[ -n "$gprof_cheap" ] && [ -n "$gprof_dear" ] || { cat theirs; fail "gprof has no callers of work"; }

{
	printf '### Kernel %s, %s\n\n' "$(uname -r)" "$(gprof --version | head -n 1)"
	awk -v n="$whole" -v cheap="$cheap" -v dear="$dear" -v gcheap="$gprof_cheap" -v gdear="$gprof_dear" '
		# Distance from the share to the farther end of its 95% Wilson interval, in percent.
		# An awk may lack sqrt(): root() uses the method of Newton.
		function root(x,  r, i) { r = x < 1 ? 1 : x; for (i = 0; i < 60; i++) r = (r + x / r) / 2; return r }
		function error(x,  p, z) {
			p = x / n; z = 1.96 * 1.96 / n
			return 100 * (z * (p < 0.5 ? 0.5 - p : p - 0.5) + root(z * p * (1 - p) + z * z / 4)) / (1 + z)
		}
		function row(name, truth, x, g) {
			printf "| %s | %.2f | %.2f | %.2f | %d | %.2f | %+.1f |\n", name, truth, 100 * x / n, error(x), x,
				100 * g / (gcheap + gdear), 100 * g / (gcheap + gdear) - truth
		}
		BEGIN {
			print "| time of `work` for | truth % | probe % | +- | samples | gprof % | gprof is off by |"
			print "| --- | ---: | ---: | ---: | ---: | ---: | ---: |"
			row("cheap", 10, cheap, gcheap)
			row("dear", 90, dear, gdear)
		}'
	printf '\n    $ probe graph run\n    %s\n' "$our_title"
	sed 's/^/    /' ours
	printf '\n    $ gprof -b -q calls-pg gmon.out\n    %s\n' "$title"
	sed 's/^/    /' theirs
} >figures
cat figures
# likely PART SHARE: check that the share is within 5 standard errors of the truth.
likely() { holds "($1 - $whole * $2) * ($1 - $whole * $2) < 25 * $whole * $2 * (1 - $2)" "($1 of $whole)"; }
holds "$whole > 16000"
holds "$cheap + $dear == $whole"
likely "$cheap" 0.1
likely "$dear" 0.9
near "$gprof_cheap" "$gprof_dear" "0.02 * ($gprof_cheap + $gprof_dear)"
