# SPDX-License-Identifier: GPL-2.0-only
# rig: quick=6.12
# rig: timeout=300
# Harvest, poll, STOP, close, CPU hotplug and rmmod of one session, in every order.
. /test/guest-lib.sh
rounds=${rounds:-24}
remember_machine
load
orders "$rounds" >figures || fail "orders: $(cat figures)"
same_machine
