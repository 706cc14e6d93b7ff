/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The system call bpf(2): maps and programs are descriptors, closed with close(). Nothing of them
 * remains in the kernel when the last descriptor is closed, also when the tool is killed.
 */
#ifndef MAPS_H
#define MAPS_H

#include <linux/bpf.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/text.h"
#include "bpf/encode.h"

/** A map to be created; unused fields are 0. */
struct map_spec {
	enum bpf_map_type type;
	u32 key_len;
	u32 value_len;
	u32 nr;			/* entries */
	u32 flags;		/* BPF_F_* */
	int inner_fd;		/* maps of maps: a map like those that it will hold */
};

/** maps_create() - create a map. Returns a descriptor, or -errno with a reason. */
int maps_create(const struct map_spec *spec, struct text_error *error_ret);

/** maps_put() - set the value of a key. A map of maps waits for programs that use the old one. */
int maps_put(int fd, const void *key, const void *value);

/** maps_next() - get the key after @key; NULL: the first one. -ENOENT: there is none. */
int maps_next(int fd, const void *key, void *next_ret);

/** maps_remove() - remove a key. */
int maps_remove(int fd, const void *key);

/**
 * maps_take() - get the value of a key and remove the key. -ENOENT: there is none.
 * @is_slow: false at first; set if the kernel needs two calls for a map of this type
 */
int maps_take(int fd, const void *key, void *value_ret, bool *is_slow);

/**
 * maps_take_all() - move all entries out of a hash map.
 * @keys, @values: room for @nr entries; a value of a per-CPU map has one part for each possible CPU
 * Returns the number of entries, or -errno.
 */
int maps_take_all(int fd, void *keys, void *values, u32 nr);

/**
 * maps_load() - load a program that perf events run. Returns a descriptor, or -errno with a reason:
 * the verifier's last line, if it refused the program.
 */
int maps_load(const struct encode *code, struct text_error *error_ret);

#endif
