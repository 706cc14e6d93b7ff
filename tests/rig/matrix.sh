# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
# Sourced: the parts of `make check-full`, each of which needs a row in docs/testing.md.
full_parts="unit layout lint man manners install release completions sign unwind exports push fleet browser dkms configs packages rpm newer fuzz guests coverage"
full_guests="6.1 6.12 6.1-rt 6.1-cloud 6.12-rt debug kcsan 6.1-arm64 6.12-arm64"
# Slow tests run on these kernels only, and on those of arm64.
# shellcheck disable=SC2034 # for guest-tests.sh
long_guests="6.1 6.12 debug"

# abi_fuzz_long, ten million calls of the device, has a row of its own.
full_rows() {
	local part series
	for part in $full_parts; do
		[ "$part" != guests ] || for series in $full_guests; do echo "kernel $series"; done
		[ "$part" = guests ] || echo "$part"
	done
	echo "abi_fuzz_long debug"
}
