// SPDX-License-Identifier: GPL-2.0-only
/* Arrays of functions: see functions.h. */
#include <linux/err.h>
#include <linux/mm.h>
#include <linux/uaccess.h>

#include "functions.h"
#include "session.h"

void *functions_copy(u64 address, u32 nr, u32 bytes)
{
	void *functions = kvmalloc_array(max(nr, 1U), bytes, SESSION_GFP);

	if (!functions)
		return ERR_PTR(-ENOMEM);
	if (!copy_from_user(functions, u64_to_user_ptr(address), (size_t)nr * bytes))
		return functions;
	kvfree(functions);
	return ERR_PTR(-EFAULT);
}

int functions_tell(u64 address, const void *functions, u32 nr, u32 bytes)
{
	return copy_to_user(u64_to_user_ptr(address), functions, (size_t)nr * bytes) ? -EFAULT : 0;
}

static bool are_valid(const struct cpuprobe_function *function, u32 nr)
{
	u32 i;

	for (i = 0; i < nr; i++)
		if (function[i].reserved)
			return false;
	return true;
}

int functions_get(struct functions *functions, u64 address, u32 nr, u32 *reason_ret)
{
	int error = 0;

	functions->function = functions_copy(address, nr, sizeof(*functions->function));
	if (IS_ERR(functions->function))
		return PTR_ERR(functions->function);
	functions->ips = kvmalloc_array(max(nr, 1U), sizeof(*functions->ips), SESSION_GFP);
	if (!functions->ips) {
		error = -ENOMEM;
	} else if (!are_valid(functions->function, nr)) {
		*reason_ret = CPUPROBE_REASON_FIELD;
		error = -EINVAL;
	}
	if (error)
		functions_put(functions);
	return error;
}

void functions_put(struct functions *functions)
{
	kvfree(functions->ips);
	kvfree(functions->function);
}
