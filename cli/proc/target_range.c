// SPDX-License-Identifier: GPL-2.0-only
/* Finds the address range that was asked for: see target_range.h. */
#include <ctype.h>
#include <errno.h>
#include <string.h>

#include "base/option_values.h"
#include "proc/target_range.h"

static int parse_address(const struct target *target, const char *option, const char *text,
			 u64 *addr_ret, struct text_error *error_ret)
{
	struct text_error reason;
	const char *plus = strrchr(text, '+');
	u64 offset = 0;
	char name[512];

	if (isdigit((unsigned char)text[0])) {
		if (!parse_c_number(text, addr_ret, &reason))
			return 0;
		return text_fail(error_ret, -EINVAL, "option -%s: %s", option, reason.what);
	}
	if (target->symbols && sym_index_by_name(target->symbols, text, addr_ret))
		return 0;
	snprintf(name, sizeof(name), "%.*s", plus ? (int)(plus - text) : 0, text);
	if (plus && target->symbols && !parse_c_number(plus + 1, &offset, NULL) &&
	    sym_index_by_name(target->symbols, name, addr_ret)) {
		*addr_ret += offset;
		return 0;
	}
	text_fail(error_ret, 0, "option -%s: '%s' is neither a number nor a symbol of %s", option,
		  text, target->object);
	return -EINVAL;
}

/*
 * The same name for both ends probably means the whole function: hint at the name of its end. The
 * next function's name must be unambiguous and must not need quoting in a shell.
 */
static void hint_function(const struct target *target, const char *name, u64 addr,
			  struct text_error *error_ret)
{
	const struct sym_index *symbols = target->symbols;
	size_t size = sym_index_size(symbols), i;
	u64 end = addr, found;
	const struct sym *next;

	/* A function with a symbol inside continues after that symbol. */
	for (i = sym_index_lower_bound(symbols, addr); i < size; i++)
		if (sym_index_at(symbols, i)->entry == addr)
			end = sym_index_at(symbols, i)->end;
	if (end == addr || !text_is_word(name))
		return;
	i = sym_index_lower_bound(symbols, end);
	next = i < size ? sym_index_at(symbols, i) : NULL;
	if (next && next->start == next->entry && text_is_word(next->name) &&
	    !isdigit((unsigned char)next->name[0]) &&
	    sym_index_by_name(symbols, next->name, &found) && found == next->entry)
		text_hint(error_ret, "for all of %s: -low %s -high %s", name, name, next->name);
	else
		text_hint(error_ret, "for all of %s: -low %s -high 0x%llx", name, name, end);
}

int target_choose_range(struct target *target, const struct target_request *request,
			struct text_error *error_ret)
{
	u64 low = target->code_low, high = target->code_high;
	int error = 0;

	if (request->low)
		error = parse_address(target, "low", request->low, &low, error_ret);
	if (!error && request->high)
		error = parse_address(target, "high", request->high, &high, error_ret);
	if (error)
		return error;
	if (request->low && request->high && low >= high) {
		text_fail(error_ret, 0, "range 0x%llx to 0x%llx: -low must be below -high", low,
			  high);
		if (!strcmp(request->low, request->high) && target->symbols)
			hint_function(target, request->low, low, error_ret);
		return -EINVAL;
	}
	if (high <= target->code_low || low >= target->code_high || low >= high) {
		text_fail(error_ret, 0, "range 0x%llx to 0x%llx: outside the code of %s%s", low,
			  high, request->is_kernel && target->is_exe ? "the " : "", target->object);
		text_hint(error_ret, "its code is at 0x%llx to 0x%llx", target->code_low,
			  target->code_high);
		return -EINVAL;
	}
	return slots_layout_init(&target->layout, low, high);
}
