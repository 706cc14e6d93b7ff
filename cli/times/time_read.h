/* SPDX-License-Identifier: GPL-2.0-only */
/* Reading the times of a session that times calls. */
#ifndef TIME_READ_H
#define TIME_READ_H

#include "calls/call_session.h"
#include "times/time_counts.h"

/** time_read() - all times so far. NULL and a reason: they cannot be read. */
struct time_counts *time_read(const struct call_session *session, struct text_error *error_ret);

#endif
