// SPDX-License-Identifier: GPL-2.0-only
/* Calls in the code of counted functions: see call_targets.h. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "calls/call_targets.h"
#include "resolve/kernel_names.h"

#define KCORE			"/proc/kcore"
#define FUNCTION_BYTES_MAX	65536

/** The running kernel, compared with that of the run. */
struct kernel_code {
	struct kernel_names names;
	struct code code;
	struct disassembler *disassembler;
};

static int compare_starts(const void *left, const void *right)
{
	const struct call_start *a = left, *b = right;

	return (a->addr > b->addr) - (a->addr < b->addr);
}

static const struct call_start *find_start(const struct call_targets *targets, u64 addr)
{
	const struct call_start key = { .addr = addr };

	return targets->nr_starts ? bsearch(&key, targets->start, targets->nr_starts, sizeof(key),
					    compare_starts) : NULL;
}

int call_targets_add(struct call_targets *targets, struct disassembler *disassembler, u32 caller,
		     u64 addr, const u8 *bytes, size_t len)
{
	struct insn *insns = NULL;
	size_t nr = 0, i;
	int error = disassembler_decode(disassembler, bytes, len, addr, &insns, &nr);

	for (i = 0; !error && i < nr; i++) {
		const struct call_start *start;

		if ((insns[i].flags & (INSN_CALL | INSN_HAS_TARGET)) != (INSN_CALL | INSN_HAS_TARGET))
			continue;
		start = find_start(targets, insns[i].target);
		if (!start)
			continue;
		if (array_has_room(&targets->target, targets->nr, sizeof(*targets->target)))
			targets->target[targets->nr++] = (struct call_target){ caller, start->function };
		else
			error = -ENOMEM;
	}
	free(insns);
	return error;
}

/* Whether the running kernel or its module has the build-id that the run has. */
static bool is_running(const struct profile *profile, const char *module)
{
	u8 build_id[32];
	u32 i, len;

	for (i = 0; i < profile->nr_objects; i++) {
		const struct profile_object *object = &profile->objects[i];

		if (object->kind != (module[0] ? PROFILE_MODULE : PROFILE_KERNEL) ||
		    (module[0] && strcmp(object->name, module)))
			continue;
		len = kernel_names_build_id(module, build_id);
		return len && len == object->build_id_len &&
			!memcmp(build_id, object->build_id, len);
	}
	return false;
}

/* The start of the text of the kernel or a module. 0: not the run's, or not loaded. */
static u64 find_text(const struct kernel_code *kernel, const struct profile *profile,
		     const char *module)
{
	size_t i;

	if (!module[0])
		return kernel->names.text_start;
	for (i = 0; i < kernel->names.modules.nr; i++)
		if (!strcmp(kernel->names.modules.maps[i].path, module))
			return is_running(profile, module) ? kernel->names.modules.maps[i].start : 0;
	return 0;
}

static int find_starts(struct call_targets *targets, const struct kernel_code *kernel,
		       const struct call_counts *counts, const struct profile *profile)
{
	const char *module = NULL;
	u64 text = 0;
	u32 i;

	for (i = 0; i < counts->nr_functions; i++) {
		const struct call_function *function = &counts->functions[i];

		if (function->state != CALL_HOOKED || !function->addr)
			continue;
		/* Functions of a module follow each other. */
		if (!module || strcmp(module, call_counts_module(counts, i))) {
			module = call_counts_module(counts, i);
			text = find_text(kernel, profile, module);
		}
		if (!text)
			continue;
		if (!array_has_room(&targets->start, targets->nr_starts, sizeof(*targets->start)))
			return -ENOMEM;
		targets->start[targets->nr_starts++] = (struct call_start){ text + function->addr, i };
	}
	if (targets->nr_starts)
		qsort(targets->start, targets->nr_starts, sizeof(*targets->start), compare_starts);
	return 0;
}

/* Reads and decodes the functions that were called. */
static int decode_called(struct call_targets *targets, const struct kernel_code *kernel,
			 const struct call_counts *counts)
{
	bool *is_called = calloc((size_t)counts->nr_functions + 1, sizeof(*is_called));
	u8 *bytes = malloc(FUNCTION_BYTES_MAX);
	int error = is_called && bytes ? 0 : -ENOMEM;
	u32 i;

	for (i = 0; !error && i < counts->nr_arcs; i++)
		is_called[counts->arcs[i].function] = true;
	for (i = 0; !error && i < targets->nr_starts; i++) {
		const struct call_start *start = &targets->start[i];
		const struct sym *sym = sym_index_find(kernel->names.index, start->addr);
		size_t len;

		if (!is_called[start->function] || !sym || sym->end <= start->addr)
			continue;
		len = sym->end - start->addr < FUNCTION_BYTES_MAX ? sym->end - start->addr :
			FUNCTION_BYTES_MAX;
		len = code_read(&kernel->code, start->addr, bytes, len);
		error = call_targets_add(targets, kernel->disassembler, start->function, start->addr,
					 bytes, len);
	}
	free(is_called);
	free(bytes);
	return error;
}

static int open_kernel(struct kernel_code *kernel, const struct profile *profile,
		       struct text_error *error_ret)
{
	struct kernel_place place;
	int error;

	if (!is_running(profile, ""))
		return text_fail(error_ret, -ESTALE, "the run is not of the running kernel");
	/* The first search reads all names. */
	if (!kernel_names_find(&kernel->names, 0, false, 1, &place))
		return text_fail(error_ret, -EACCES, "the kernel hides its addresses");
	error = code_open_kernel(&kernel->code, KCORE, error_ret);
	return error ?: disassembler_create(&kernel->code.machine, &kernel->disassembler, error_ret);
}

int call_targets_read(struct call_targets *targets_ret, const struct call_counts *counts,
		      const struct profile *profile, struct text_error *error_ret)
{
	struct kernel_code kernel = { .disassembler = NULL };
	int error;

	*targets_ret = (struct call_targets){ .nr = 0 };
	kernel_names_init(&kernel.names, NULL, NULL);
	error = open_kernel(&kernel, profile, error_ret);
	if (!error) {
		error = find_starts(targets_ret, &kernel, counts, profile) ?:
			decode_called(targets_ret, &kernel, counts);
		if (error)
			text_fail(error_ret, error, "out of memory");
	}
	disassembler_destroy(kernel.disassembler);
	code_close(&kernel.code);
	kernel_names_deinit(&kernel.names);
	if (error)
		call_targets_deinit(targets_ret);
	return error;
}

void call_targets_deinit(struct call_targets *targets)
{
	free(targets->start);
	free(targets->target);
	*targets = (struct call_targets){ .nr = 0 };
}
