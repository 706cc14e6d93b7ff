// SPDX-License-Identifier: GPL-2.0-only
/* Resolves kernel addresses to frames: see resolver.h. */
#include "resolve/resolver_parts.h"

static u32 get_kernel_object(struct resolver *resolver, const char *module)
{
	struct profile_object object = { .kind = PROFILE_KERNEL, .name = "kernel" };

	if (!module[0] && resolver->kernel_object != PROFILE_NONE)
		return resolver->kernel_object;
	if (module[0]) {
		object.kind = PROFILE_MODULE;
		object.name = module;
	}
	object.build_id_len = kernel_names_build_id(module, object.build_id);
	if (module[0])
		return profile_add_object(resolver->profile, &object);
	resolver->kernel_object = profile_add_object(resolver->profile, &object);
	return resolver->kernel_object;
}

static u32 add_kernel_frame(struct resolver *resolver, const struct kernel_place *place,
			    bool is_return, u32 *inlined_ret)
{
	struct kernel_names *names = &resolver->kernel;
	const struct kernel_lines *debug = &resolver->kernel_lines;
	u32 object = get_kernel_object(resolver, place->module), line = 0;
	const struct sym sym = { .entry = place->function_addr, .name = place->function };
	u64 looked_up = debug->text_start + place->addr - is_return;
	/* A vmlinux has nothing about modules, nor about code generated at run time. */
	bool has_debug = debug->lines && !place->module[0] && names->text_start &&
		object != PROFILE_NONE;
	const char *source = "";

	*inlined_ret = RESOLVER_NO_LINK;
	if (has_debug && resolver->options.lines &&
	    !sym_lines_find(debug->lines, looked_up, &source, &line))
		source = "";
	if (has_debug && resolver->options.inlined)
		*inlined_ret = resolver_add_inlined(resolver, &(struct inline_source){
			.lines = debug->lines, .looked_up = looked_up, .addr = place->addr,
			.object = object, .index = names->index, .names = &names->by_name,
			.move = names->text_start - debug->text_start, .base = names->text_start,
		}, &source, &line);
	return resolver_add_frame(resolver, object, place->function[0] ? &sym : NULL, place->addr,
				  source, line);
}

u32 resolver_kernel_frame(struct resolver *resolver, u64 addr, bool is_return)
{
	struct kernel_names *names = &resolver->kernel;
	enum resolver_found found = is_return ? RESOLVER_RETURN : RESOLVER_AT;
	struct resolved *known = frame_cache_find(&resolver->cache, KERNEL_OWNER, addr, found);
	u32 read_round = names->read_round;
	struct kernel_place place;

	resolver->last_inlined = known->inlined;
	if (known->owner)
		return known->frame;
	if (!kernel_names_find(names, addr, is_return, resolver->spaces->round, &place))
		return profile_mark(MARK_KERNEL);
	/* The symbols were read again: an address may belong to another module now. */
	if (names->read_round != read_round)
		frame_cache_forget(&resolver->cache);
	known->frame = add_kernel_frame(resolver, &place, is_return, &known->inlined);
	resolver->last_inlined = known->inlined;
	if (known->frame != PROFILE_NONE && place.function[0]) {
		known->addr = addr;
		known->found = found;
		known->owner = KERNEL_OWNER;
	}
	return known->frame;
}

static const char *get_kernel_function(const struct resolver *resolver, u32 frame)
{
	const struct profile_function *function = profile_function_of(resolver->profile, frame);

	return resolver->profile->objects[function->object].kind == PROFILE_KERNEL ?
		function->name : "";
}

bool resolver_is_irq_entry(const struct resolver *resolver, u32 frame)
{
	return kernel_names_is_irq(get_kernel_function(resolver, frame));
}

bool resolver_is_softirq_entry(const struct resolver *resolver, u32 frame)
{
	return kernel_names_is_softirq(get_kernel_function(resolver, frame));
}
