/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What lies where in the memory of the target's processes and in the kernel:
 * the objects that samples are told apart by, and the areas that tell the module.
 * Read from /proc; read again when a sample fell where nothing was known.
 */
#ifndef PLACES_H
#define PLACES_H

#include "cpuprobe.h"
#include "run/device.h"
#include "run/task.h"
#include "symbolizer.h"

/** What an object is. */
enum place_kind { PLACE_EXE, PLACE_FILE, PLACE_VDSO, PLACE_ANON, PLACE_SPECIAL, PLACE_MODULE,
		  PLACE_OTHERS };

/** One object. Its number for the module is its index. */
struct place_object {
	enum place_kind kind;
	uint64_t inode;			/* PLACE_FILE */
	uint32_t dev_major;
	uint32_t dev_minor;
	char name[88];			/* for people, clean */
	char path[512];
};

/** A process of the target whose memory has been read. */
struct place_process {
	int pid;
	uint64_t space;			/* bottom of its stack: see struct cpuprobe_area */
	uint32_t crc;			/* of what was mapped */
};

struct places {
	const struct task *task;
	struct place_object *objects;	/* CPUPROBE_OBJECTS of them; those of fixed meaning first */
	size_t nr_objects;
	struct place_process *processes;
	size_t nr_processes;
	size_t next_review;		/* index of the process to be read again next */
	struct cpuprobe_area *areas;	/* by pid and start */
	size_t nr_areas;
	bool is_changed;		/* since the module was told */

	/* the object whose addresses are shown, when it is not the executable */
	uint32_t selected;		/* 0: the executable */
	struct sym_image image;		/* of it; valid for PLACE_FILE and PLACE_VDSO */

	/* what the user should hear of */
	size_t nr_left_out;		/* processes for which there was no room */
	unsigned int nr_mapped_max;	/* places of the selected object in one process */
	bool is_unmapped;		/* the selected object has gone from a process */
	bool is_code_replaced;		/* the executable has gone from a process's memory */
};

/** places_init() - objects of fixed meaning, and the kernel's modules. @task stays the caller's. */
int places_init(struct places *places, const struct task *task, struct text_error *error_ret);

void places_deinit(struct places *places);

/** places_add_all() - read the memory of every process of the task that runs now. */
void places_add_all(struct places *places);

/**
 * places_read() - read the memory of one process, again if need be; @pid 0 is nothing.
 * A process that is gone or not of the task is passed over.
 */
void places_read(struct places *places, int pid);

/**
 * places_review() - read one of the known processes again, another one each time: what it
 * maps and unmaps without being seen elsewhere comes to light.
 */
void places_review(struct places *places);

/** places_reread() - read all known processes again: another object has been selected. */
void places_reread(struct places *places);

/** places_live_pid() - a process of the task that runs now, newly read if need be; 0: none does. */
int places_live_pid(struct places *places);

/**
 * places_add_object() - a new object, its name cleaned; there must be room for one.
 * It belongs to @places.
 */
struct place_object *places_add_object(struct places *places, enum place_kind kind,
				       const char *name, const char *path);

/** places_tell() - hand the areas to the module, if they have changed. */
int places_tell(struct places *places, struct device *device, struct text_error *error_ret);

/** places_warn() - print on stderr what the user should hear of, after the run. */
void places_warn(const struct places *places);

#endif
