/* SPDX-License-Identifier: GPL-2.0-only */
/* The limit on open descriptors (RLIMIT_NOFILE). */
#ifndef FILE_LIMIT_H
#define FILE_LIMIT_H

#include <stddef.h>

#define FILE_LIMIT_SPARE	64	/* descriptors for everything else */

/**
 * file_limit_raise() - make room for @nr descriptors and FILE_LIMIT_SPARE more. Without the right to
 * raise the hard limit, the soft one becomes as high as that; opening more then fails with EMFILE.
 * Returns for how many there is room besides FILE_LIMIT_SPARE, at least 1.
 */
size_t file_limit_raise(size_t nr);

#endif
