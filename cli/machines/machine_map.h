/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Counts by process become counts by virtual machine: the identity of each record is replaced by that of its
 * machine, or of its executable. A process is a machine from the harvest on in which it has samples in guest
 * mode, or in which it is found to hold a virtual machine of KVM open. It stays one, also when it has ended;
 * samples from before stay with its executable. One thread at a time.
 */
#ifndef MACHINE_MAP_H
#define MACHINE_MAP_H

#include "cpuprobe.h"
#include "machines/machine_name.h"
#include "types.h"

#define MACHINE_MAP_MAX	16384	/* processes that are remembered, beside machines */

struct machine_map;

/**
 * machine_map_create() - create an empty map. NULL: out of memory.
 * @proc: where processes are looked up, "/proc"; must live as long
 * @has_kvm: whether machines of KVM are looked for among open files
 */
struct machine_map *machine_map_create(const char *proc, bool has_kvm);

/** machine_map_destroy() - free a map. NULL is allowed. */
void machine_map_destroy(struct machine_map *map);

/**
 * machine_map_records() - replace the identity of records of processes. A machine's is of kind CPUPROBE_KIND_COMM,
 * that of its name: machines of one name that follow each other are one row. All executables of one name in
 * directories of one name are one row, of kind CPUPROBE_KIND_EXE. Kernel threads and ended processes are as in a
 * run by executable. If out of memory, a process keeps its own identity.
 * Returns the records, in memory of the map that is valid until the next call; NULL: out of memory.
 */
const struct cpuprobe_record *machine_map_records(struct machine_map *map,
						  const struct cpuprobe_record *records, size_t nr);

/** machine_map_name() - the name of a record's machine, "" for others: a namer of fold_name_with(), with the map. */
void machine_map_name(void *map, const struct cpuprobe_record *record, char *name, size_t len);

/**
 * machine_map_trim() - forget all processes and names of machines if they are more than MACHINE_MAP_MAX. Within a
 * run, only processes that are no machines are forgotten, as often as there are so many.
 */
void machine_map_trim(struct machine_map *map);

#endif
