/* SPDX-License-Identifier: GPL-2.0-only */
/* Debug files from servers, by the program debuginfod-find of elfutils. */
#ifndef FETCH_H
#define FETCH_H

#include <stddef.h>
#include <stdint.h>

#include "base/text.h"

/**
 * fetch_debug() - the debug file of a build-id, from the servers in $DEBUGINFOD_URLS or from
 * what was fetched before. Takes as long as the servers do, at most FETCH_SECONDS_MAX.
 * Returns a descriptor, to be closed; -ENOENT: not to be had.
 */
int fetch_debug(const uint8_t *build_id, size_t len, struct text_error *error_ret);

#define FETCH_SECONDS_MAX	180

#endif
