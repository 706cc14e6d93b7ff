# SPDX-License-Identifier: GPL-2.0-only
# rig: quick=6.12
# rig: timeout=300
# Sessions of every kind start and stop while programs begin and end; nothing is left.
. /test/guest-lib.sh
count=${count:-200}
remember_machine
load
background nice -n 10 fray
churn "$count" >figures || fail "churn: $(cat figures)"
end_background
same_machine
