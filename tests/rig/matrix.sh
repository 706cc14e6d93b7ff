# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
# shellcheck disable=SC2034 # for the scripts that source it
# Sourced: which parts and kernels each depth of the tests has.
# `make check`; `make check-ci` has more parts and guest tests.
short_parts="unit layout lint man native manners release push unwind fuzz guests"
short_guests="6.12"
ci_parts="install completions sign"
ci_guests="6.1 6.12"
# `make check-full`: each part, and each kernel, needs a row in docs/testing.md.
full_parts="unit layout lint man manners install release completions sign unwind exports push fleet browser dkms configs packages rpm newer fuzz guests coverage"
full_guests="6.1 6.12 6.1-rt 6.1-cloud 6.12-rt debug kcsan 6.1-arm64 6.12-arm64"
# Slow tests run on these kernels only, and on those of arm64.
long_guests="6.1 6.12 debug"

full_rows() {
	local part series
	for part in $full_parts; do
		[ "$part" != guests ] || for series in $full_guests; do echo "kernel $series"; done
		[ "$part" = guests ] || echo "$part"
	done
}
