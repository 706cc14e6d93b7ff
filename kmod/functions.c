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

bool functions_are_valid(const struct cpuprobe_function *function, u32 nr)
{
	u32 i;

	for (i = 0; i < nr; i++)
		if (function[i].reserved)
			return false;
	return true;
}
