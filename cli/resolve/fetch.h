/* SPDX-License-Identifier: GPL-2.0-only */
/* Fetches debug files from servers with debuginfod-find, a program of elfutils. */
#ifndef FETCH_H
#define FETCH_H

#include <stddef.h>

#include "base/text.h"
#include "types.h"

/**
 * fetch_debug() - fetch the debug file of a build-id from the servers in $DEBUGINFOD_URLS, or from
 * debuginfod-find's cache. Takes as long as the servers do, at most FETCH_SECONDS_MAX.
 *
 * Returns a descriptor that the caller closes. -ENOENT: no debug file; the reason is in @error_ret.
 */
int fetch_debug(const u8 *build_id, size_t len, struct text_error *error_ret);

#define FETCH_SECONDS_MAX	180

#endif
