/* SPDX-License-Identifier: GPL-2.0-only */
/* Events and calls of a trace become spans and instants of a picture. */
#ifndef PICTURE_WATCH_H
#define PICTURE_WATCH_H

#include "picture/picture.h"

/** picture_watch() - the callbacks that draw what happens. @picture: it must outlive them */
struct trace_watch picture_watch(struct picture *picture);

/** picture_end_rows() - end what is still open at the end of the trace; the last events may be lost too. */
void picture_end_rows(struct picture *picture, u64 end_ns);

#endif
