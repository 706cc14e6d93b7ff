# SPDX-License-Identifier: GPL-2.0-only
# Every field's validation, calls out of order, harvests that fail and come again.
. /test/guest-lib.sh
expect 0 abi
[ ! -s out ] || { cat out; fail "see above"; }
