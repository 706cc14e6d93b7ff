// SPDX-License-Identifier: GPL-2.0-only
/* Names of background runs: see control_name.h. */
#include <ctype.h>
#include <errno.h>
#include <string.h>

#include "background/control_name.h"
#include "background/others.h"

int control_check_name(const char *name, struct text_error *error_ret)
{
	size_t len = strlen(name), i;

	for (i = 0; i < len; i++)
		if (!isalnum((unsigned char)name[i]) && !strchr("._-", name[i]))
			break;
	if (len && i == len && len < CONTROL_NAME_LEN && name[0] != '.' && name[0] != '-')
		return 0;
	text_fail(error_ret, 0, "name a run '%.40s': invalid name", name);
	text_hint(error_ret,
		  "1 to 32 letters, digits, '_', '.' or '-'; may not start with '.' or '-'");
	return -EINVAL;
}

int control_check_asked(const char *name, struct text_error *error_ret)
{
	const char *slash = strchr(name, '/');

	if (!slash)
		return control_check_name(name, error_ret);
	if (slash > name && slash - name < OTHERS_USER_LEN)
		return control_check_name(slash + 1, error_ret);
	return text_fail(error_ret, -EINVAL, "name a run '%.40s': no user before the slash", name);
}
