/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Profiles as text, for tests. A line is
 *	NAME PID MODE FRAME;FRAME;... HITS
 * with the root first and MODE user, kernel or softirq. A frame is FUNCTION@OBJECT or a mark such
 * as [idle], with _ for a blank. OBJECT is "kernel", a module "[ext4]", a JIT map "perf-7.map", or
 * a file.
 * Functions are 0x100 bytes long, in the order of their appearance; a frame is 0x10 bytes into its
 * function, or at the offset in FUNCTION+0x20@OBJECT. FUNCTION+0x20{FILE:LINE}@OBJECT#c0ffee adds a
 * source line and a build-id. ~FUNCTION@OBJECT is inlined in the frame to its left; with ~~ the
 * function has no code of its own. %XX in names of functions and processes is the byte of that number.
 * "lost N" and "other N" are samples without a stack.
 * Each sample represents a millisecond.
 */
#ifndef PROFILES_H
#define PROFILES_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "profile/profile.h"

/* In place: %XX becomes the byte with that number. */
static inline char *profiles_decode(char *text)
{
	char *from = text, *to = text;
	unsigned int byte;

	for (; *from; from++)
		if (*from == '%' && sscanf(from + 1, "%2x", &byte) == 1) {
			*to++ = byte;
			from += 2;
		} else {
			*to++ = *from;
		}
	*to = '\0';
	return text;
}

static inline u32 profiles_object(struct profile *profile, char *name)
{
	struct profile_object object = { .kind = PROFILE_FILE, .name = name };
	char path[256], *build_id = strchr(name, '#');
	unsigned int byte;
	size_t len;

	if (build_id) {
		*build_id++ = '\0';
		for (; sscanf(build_id, "%2x", &byte) == 1; build_id += 2)
			object.build_id[object.build_id_len++] = byte;
	}
	len = strlen(name);
	if (!strcmp(name, "kernel"))
		object.kind = PROFILE_KERNEL;
	else if (name[0] == '[')
		object.kind = PROFILE_MODULE;
	else if (len > 4 && !strcmp(name + len - 4, ".map"))
		object.kind = PROFILE_JIT;
	if (object.kind == PROFILE_FILE) {
		snprintf(path, sizeof(path), "/usr/lib/%s", name);
		object.path = path;
	}
	return profile_add_object(profile, &object);
}

static inline u32 profiles_frame(struct profile *profile, char *text)
{
	char *at = strrchr(text, '@'), *plus;
	struct profile_function function = { .name = text };
	struct profile_frame frame = { .addr = 0x10, .is_inlined = text[0] == '~' };
	bool has_code = strncmp(text, "~~", 2) != 0;
	char *blank, *source;
	u32 i;

	text += strspn(text, "~");
	function.name = text;

	if (!at) {
		for (blank = text; (blank = strchr(blank, '_')); )
			*blank = ' ';
		for (i = 0; i < PROFILE_MARK_COUNT; i++)
			if (!strcmp(profile->functions[i].name, text))
				return i;
		abort();
	}
	*at = '\0';
	source = strrchr(text, '{');
	if (source) {
		*source++ = '\0';
		frame.file = strsep(&source, ":");
		frame.line = atoi(source);
	}
	plus = strstr(text, "+0x");
	if (plus) {
		frame.addr = strtoull(plus + 1, NULL, 0);
		*plus = '\0';
	}
	profiles_decode(text);
	function.object = profiles_object(profile, at + 1);
	for (i = 0; i < profile->nr_functions; i++)
		if (profile->functions[i].object == function.object &&
		    !strcmp(profile->functions[i].name, text))
			break;
	function.addr = i < profile->nr_functions ?
		profile->functions[i].addr : 0x1000 + 0x100ULL * i;
	frame.addr += function.addr;
	if (!has_code)
		function.addr = 0;
	frame.function = profile_add_function(profile, &function);
	return profile_add_frame(profile, &frame);
}

static inline void profiles_line(struct profile *profile, char *line)
{
	char *name = strtok(line, " "), *pid = strtok(NULL, " "), *mode, *list, *hits, *at;
	u32 frames[512], nr = 0, process;
	u64 n;

	if (!name || name[0] == '#')
		return;
	if (!strcmp(name, "lost") || !strcmp(name, "other")) {
		n = strtoull(pid, NULL, 10);
		*(name[0] == 'l' ? &profile->lost : &profile->other) += n;
		*(name[0] == 'l' ? &profile->lost_ns : &profile->other_ns) += n * 1e6;
	} else {
		mode = strtok(NULL, " ");
		list = strtok(NULL, " ");
		hits = strtok(NULL, " ");
		n = strtoull(hits, NULL, 10);
		process = profile_add_process(profile, &(struct profile_process){
			.kind = !strcmp(name, "IDLE") ? CPUPROBE_KIND_IDLE : CPUPROBE_KIND_PROCESS,
			.pid = atoi(pid), .name = profiles_decode(name) });
		/* The leaf is the last frame of the line and the first of the stack. */
		while ((at = strrchr(list, ';')) && nr < 511) {
			frames[nr++] = profiles_frame(profile, at + 1);
			*at = '\0';
		}
		frames[nr++] = profiles_frame(profile, list);
		if (profile_add_stack(profile, process, mode[0] == 'u' ? CPUPROBE_MODE_USER :
				      mode[0] == 's' ? CPUPROBE_MODE_SOFTIRQ : CPUPROBE_MODE_KERNEL,
				      frames, nr, n, n * 1e6))
			abort();
	}
	profile->taken += n;
	profile->taken_ns += n * 1e6;
}

static inline struct profile *profiles_of(const char *text)
{
	struct profile *profile = profile_create();
	char *copy = strdup(text), *line, *rest = copy;

	while ((line = strsep(&rest, "\n")))
		profiles_line(profile, line);
	free(copy);
	return profile;
}

#endif
