/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Identities of counted tasks: finds in /proc the executable of a process that a BPF program counted by
 * number and name. A process that is gone before it could be read has the identity that it had before,
 * or else that of the only executable known by its name, or else it goes by its name.
 */
#ifndef IDENTITIES_H
#define IDENTITIES_H

#include "bpf/counts.h"
#include "cpuprobe.h"

struct identities;

/** identities_create() - @by: enum cpuprobe_by. NULL: out of memory. */
struct identities *identities_create(unsigned int by);

void identities_destroy(struct identities *identities);

/** identities_counted_by() - how the program must tell tasks apart for an enum cpuprobe_by. */
enum counts_by identities_counted_by(unsigned int by);

/** identities_begin() - begin a harvest: every process is looked up once until the next one. */
void identities_begin(struct identities *identities);

/**
 * identities_find() - the identity of a key in the fields id, kind and name of a record without
 * counts. Equal identities have equal ids. The record is valid until the next call.
 */
const struct cpuprobe_record *identities_find(struct identities *identities,
					      const struct counts_key *key);

#endif
