/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Nodes of timed calls: what was called, and the node in which it was called. One table for all
 * CPUs, of fixed size. Any CPU adds nodes, in any context, NMI included, without a lock; of a node
 * that was found only the name changes. The first nodes are the functions called outside of any other.
 */
#ifndef CPUPROBE_NODES_H
#define CPUPROBE_NODES_H

#include "cpuprobe.h"
#include "pure.h"

/* The parent of a process and of interrupts; never a node. */
#define NODE_ROOT	(~0U)
/* Places searched for a node. */
#define NODES_SEARCH	8
/* Bytes of a name. */
#define NODE_NAME_LEN	16

struct call_node {
	u32 parent;	/* 0: none */
	u32 what;	/* number of a function, system call or process */
	u32 since;	/* of a process: when it began; 0: unknown, or another type */
	u16 type;	/* enum cpuprobe_node_type */
	u16 is_made;	/* the fields above are written; calls are counted afterwards */
	u64 name[NODE_NAME_LEN / 8];	/* of a process; characters that end with 0 */
};

struct nodes {
	struct call_node *node;	/* by number; 0 is not used */
	u32 *place;		/* number of a node, or 0; found by hash */
	u32 mask;		/* number of places less one */
	u32 nr_max;
	atomic_t nr;		/* nodes used; may count some that no CPU finds */
};

/** nodes_places() - number of places that a table for @nr_max nodes needs. */
u32 nodes_places(u32 nr_max);

/**
 * nodes_init() - make a table.
 * @node: zeroed memory of @nr_max + 1 nodes, @place: of nodes_places(); both belong to the caller
 */
void nodes_init(struct nodes *nodes, struct call_node *node, u32 *place, u32 nr_max);

/**
 * nodes_append() - add a node that nodes_get() will not find, or 0: no room. Before the table is in
 * use.
 */
u32 nodes_append(struct nodes *nodes, u32 type, u32 what);

/** nodes_forget() - keep only the first @nr nodes, all of nodes_append(). Nobody uses the table. */
void nodes_forget(struct nodes *nodes, u32 nr);

/**
 * nodes_get() - find or add a node.
 * Returns its number, or 0: no room. Any context.
 */
u32 nodes_get(struct nodes *nodes, u32 parent, u32 type, u32 what);

/**
 * nodes_get_process() - find or add a root, that of a process.
 * @began: when it began, in ns, since processes may have one number, one after the other; 0: unknown, any will do
 * Otherwise as nodes_get().
 */
u32 nodes_get_process(struct nodes *nodes, u32 pid, u64 began);

/** nodes_is_made() - whether node @nr can be read: not yet, while another CPU makes it. Any context. */
static inline bool nodes_is_made(const struct nodes *nodes, u32 nr)
{
	/* Pairs with make_node(). */
	return smp_load_acquire(&nodes->node[nr].is_made);
}

/**
 * nodes_name() - name a node as its process is called now: a program that it executes renames it.
 * @name: NODE_NAME_LEN bytes. They may change during the call; the next one names the node right.
 */
void nodes_name(struct nodes *nodes, u32 nr, const char *name);

#endif
