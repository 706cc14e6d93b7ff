/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Objects and areas in the memory of the target's processes and of the kernel. The module assigns
 * samples to objects by the areas. They are read from /proc, and read again when a sample falls
 * outside all known areas.
 */
#ifndef PLACES_H
#define PLACES_H

#include "cpuprobe.h"
#include "proc/proc_report.h"
#include "run/device.h"
#include "run/task.h"
#include "symbolizer.h"

/** Type of an object. */
enum place_kind { PLACE_EXE, PLACE_FILE, PLACE_VDSO, PLACE_ANON, PLACE_SPECIAL, PLACE_MODULE,
		  PLACE_OTHERS };

/** One object. The module knows it by its index. */
struct place_object {
	enum place_kind kind;
	u64 inode;			/* PLACE_FILE */
	u32 dev_major;
	u32 dev_minor;
	char name[88];			/* for reports, clean */
	char path[512];
};

/** A process of the target whose memory has been read. */
struct place_process {
	int pid;
	u64 space;			/* bottom of its stack: see struct cpuprobe_area */
	u32 crc;			/* checksum of its mappings */
	unsigned int nr_reviews_ended;	/* reviews since it ended or ran another program */
	bool is_left_out;		/* there was no room for its areas once */
};

struct places {
	const struct task *task;
	struct place_object *objects;	/* array of CPUPROBE_OBJECTS; fixed ones first */
	size_t nr_objects;
	struct place_process *processes;
	size_t nr_processes;
	size_t next_review;		/* selects the next process to read again */
	struct cpuprobe_area *areas;	/* places_tell() sorts them by pid and start */
	size_t nr_areas;
	bool is_changed;		/* since the last places_tell() */

	/* the object whose addresses are shown, unless it is the executable */
	u32 selected;			/* 0: the executable */
	struct sym_image image;		/* valid for PLACE_FILE and PLACE_VDSO */

	struct proc_mappings mappings;	/* for the report; the object is the selected one */
};

/**
 * places_init() - set up the objects of fixed meaning and the kernel's modules.
 * @task: must outlive @places
 * -ENOMEM: needs places_deinit() all the same.
 */
int places_init(struct places *places, const struct task *task, struct text_error *error_ret);

void places_deinit(struct places *places);

/** places_add_all() - read the mappings of every running process of the task. */
void places_add_all(struct places *places);

/**
 * places_read() - read the mappings of one process, again if it is known. A process that is gone or
 * is not one of the task's is ignored, as is @pid 0.
 */
void places_read(struct places *places, int pid);

/**
 * places_review() - read one of the known processes again, each in turn, to find mappings that
 * have changed without a sample outside all areas. Forgets the processes that had ended two
 * calls ago, so that a harvest in which the tool places addresses itself still knows them.
 */
void places_review(struct places *places);

/** places_reread() - read all known processes again, after another object was selected. */
void places_reread(struct places *places);

/** places_live_pid() - a running process of the task; searches /proc if none is known. 0: none. */
int places_live_pid(struct places *places);

/**
 * places_add_object() - add an object, owned by @places; the caller checks that there is room.
 * @name: copied and cleaned
 */
struct place_object *places_add_object(struct places *places, enum place_kind kind,
				       const char *name, const char *path);

/** places_tell() - sort the areas and pass them to the module. */
int places_tell(struct places *places, struct device *device, struct text_error *error_ret);

#endif
