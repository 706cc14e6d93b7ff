# SPDX-License-Identifier: GPL-2.0-only
# Compares the output of peers-fold.awk for all rounds; with -v skid=1, with perf's moved samples.
# Prints a table of the -v shown=N largest functions and the result of all comparisons.

# busybox's awk may be built without
function root(x,  r, i) {
	r = x < 1 ? 1 : x
	for (i = 0; i < 60; i++)
		r = (r + x / r) / 2
	return r
}

# two-proportion test, pooled
function sigmas(a, n, b, m,  p) {
	p = (a + b) / (n + m)
	return p > 0 && p < 1 ? (a / n - b / m) / root(p * (1 - p) * (1 / n + 1 / m)) : 0
}

# half a 95% interval by Wilson, to its farther end, in percent
function error(x, n,  p, z) {
	p = x / n
	z = 1.96 * 1.96 / n
	return 100 * (z * (p < 0.5 ? 0.5 - p : p - 0.5) + root(z * p * (1 - p) + z * z / 4)) / (1 + z)
}

function compare(a, n, b, m,  d) {
	d = sigmas(a, n, b, m)
	comparisons++
	beyond += d > 3 || d < -3
}

function row(name, a, b) {
	printf "| %s | %.2f | %.2f | %.2f | %.2f | %+.1f |\n", name, 100 * a / n, error(a, n),
		100 * b / m, error(b, m), sigmas(a, n, b, m)
}

# The program of two functions: lines "tool slow fast".
NF == 3 {
	if (!tools++) {
		print "| two functions | slow_multiply % | +- | fast_multiply % | +- | samples | from " \
			"probe, sigma |"
		print "| --- | ---: | ---: | ---: | ---: | ---: | ---: |"
		print "| by their making | 70.00 | | 30.00 | | | |"
		slow = $2
		n = $2 + $3
	}
	m = $2 + $3
	d = sigmas($2, m, slow, n)
	printf "| %s | %.2f | %.2f | %.2f | %.2f | %d | %+.1f |\n", $1, 100 * $2 / m, error($2, m),
		100 * $3 / m, error($3, m), m, d
	apart += !(d > -3 && d < 3)
}

NF == 7 {
	b = skid ? $7 : $5
	ours[$2] += $3
	perf[$2] += b
	samples[$1] = $4
	perf_samples[$1] = $6
	# the kernel's share is known to differ: the end of an exec, see docs/peers.md
	if ($2 == "(kernel)")
		next
	if ($3 + b >= 10) {
		compare($3, $4, b, $6)
	} else {
		rest[$1] += $3
		perf_rest[$1] += b
	}
}

END {
	if (tools)
		exit apart > 0
	for (round in samples) {
		compare(rest[round], samples[round], perf_rest[round], perf_samples[round])
		n += samples[round]
		m += perf_samples[round]
	}
	print "| function | probe % | +- | perf % | +- | difference, sigma |"
	print "| --- | ---: | ---: | ---: | ---: | ---: |"
	for (name in ours) {
		if (name == "(kernel)" || ours[name] + perf[name] < 10)
			continue
		d = sigmas(ours[name], n, perf[name], m)
		functions++
		within += d > -3 && d < 3
		if (d > most || -d > most) {
			most = d > 0 ? d : -d
			farthest = name
		}
	}
	for (name in ours) left[name]
	while (shown-- > 0) {
		largest = ""
		for (name in left)
			if (largest == "" || ours[name] > ours[largest] ||
			    (ours[name] == ours[largest] && name < largest))
				largest = name
		if (largest == "")
			break
		row(largest, ours[largest], perf[largest])
		delete left[largest]
	}
	for (name in left) {
		others++
		a += ours[name]
		c += perf[name]
	}
	if (others) row("(" others " others)", a, c)
	printf "\n%d samples of probe, %d of perf; in the sum of the rounds %d of %d functions with 10 " \
		"hits or more are within 3 sigma, the largest difference is %.1f sigma (%s).\n",
		n, m, within, functions, most, farthest
	printf "%d comparisons in single rounds, %d beyond 3 sigma.\n", comparisons, beyond
}
