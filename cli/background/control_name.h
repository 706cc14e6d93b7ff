/* SPDX-License-Identifier: GPL-2.0-only */
/* Names of background runs: which ones are allowed. */
#ifndef CONTROL_NAME_H
#define CONTROL_NAME_H

#include "base/text.h"

#define CONTROL_NAME_LEN	33	/* bytes of a run's name, with its NUL */

/** control_check_name() - check a name. -EINVAL, and a hint that says what names may contain. */
int control_check_name(const char *name, struct text_error *error_ret);

/** control_check_asked() - check the name of a run to be asked, which root may name USER/NAME. Errors as above. */
int control_check_asked(const char *name, struct text_error *error_ret);

#endif
