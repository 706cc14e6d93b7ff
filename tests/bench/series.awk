# SPDX-License-Identifier: GPL-2.0-only
# series.awk: before the other scripts of the bench: series is the kernel of this file, SERIES.raw; all_series[1] to
# all_series[nr_series] are all of them.

{ sub(/\r$/, "") }

FNR == 1 {
	series = FILENAME
	sub(/.*\//, "", series)
	if (sub(/\.raw$/, "", series) && !(series in is_known)) {
		is_known[series]
		all_series[++nr_series] = series
	}
}
