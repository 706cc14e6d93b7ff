// SPDX-License-Identifier: GPL-2.0-only
/* The tree of stacks: see flame.h. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "export/flame.h"

/** State while building a tree, with indexes of nodes (by parent and name) and of programs. */
struct flame_builder {
	struct flame *tree;
	struct intern nodes;
	struct intern programs;
};

struct node_key {
	u32 parent;
	u32 name;
};

static bool is_node(const void *owner, u32 position, const void *key_at)
{
	const struct flame_node *node = &((const struct flame *)owner)->nodes[position];
	const struct node_key *key = key_at;

	return node->parent == key->parent && node->name == key->name;
}

static u32 add_node(struct flame_builder *builder, u32 parent, u32 name)
{
	const struct node_key key = { parent, name };
	struct flame *tree = builder->tree;
	u64 hash = intern_hash(0, &key, sizeof(key));
	u32 at = intern_find(&builder->nodes, hash, is_node, tree, &key);

	if (at != INTERN_NONE)
		return at;
	if (!array_has_room(&tree->nodes, tree->nr, sizeof(*tree->nodes)) ||
	    intern_add(&builder->nodes, hash, tree->nr))
		return PROFILE_NONE;
	tree->nodes[tree->nr] = (struct flame_node){
		.name = name, .parent = parent, .first_child = PROFILE_NONE, .next = PROFILE_NONE,
	};
	return tree->nr++;
}

static bool is_program(const void *owner, u32 position, const void *key_at)
{
	const struct flame_program *program = &((const struct flame *)owner)->programs[position];
	const struct flame_program *key = key_at;

	return program->kind == key->kind && !strcmp(program->name, key->name);
}

/* Cannot run out of room: flame_init() allocated it. */
static u32 add_program(struct flame_builder *builder, const char *name, u32 kind)
{
	const struct flame_program key = { name, kind };
	struct flame *tree = builder->tree;
	u64 hash = intern_hash(kind, name, strlen(name));
	u32 at = intern_find(&builder->programs, hash, is_program, tree, &key);

	if (at == INTERN_NONE) {
		if (intern_add(&builder->programs, hash, tree->nr_programs))
			return PROFILE_NONE;
		at = tree->nr_programs++;
		tree->programs[at] = key;
	}
	return add_node(builder, 0, at);
}

static enum flame_kind get_program_kind(const struct profile_process *process)
{
	switch (process->kind) {
	case CPUPROBE_KIND_KTHREAD: return FLAME_KTHREAD;
	case CPUPROBE_KIND_SOFTIRQ: return FLAME_SOFTIRQ;
	case CPUPROBE_KIND_EXITING: return FLAME_EXITING;
	case CPUPROBE_KIND_IDLE: return FLAME_IDLE;
	default: return FLAME_PROGRAM;
	}
}

static bool add_flame_stack(struct flame_builder *builder, const struct profile *profile,
			    const struct profile_stack *stack)
{
	const struct profile_process *process = &profile->processes[stack->process];
	const u32 *frames = profile_frames_of(profile, stack);
	u32 at = add_program(builder, process->name, get_program_kind(process)), i;

	for (i = stack->nr_frames; i-- && at != PROFILE_NONE; )
		at = add_node(builder, at, profile->frames[frames[i]].function);
	if (at == PROFILE_NONE)
		return false;
	builder->tree->nodes[at].self.hits += stack->hits;
	builder->tree->nodes[at].self.ns += stack->ns;
	return true;
}

/* Add samples without a stack. */
static bool add_rest(struct flame_builder *builder, const char *name, enum flame_kind kind,
		     u64 hits, double ns)
{
	u32 at;

	if (!hits)
		return true;
	at = add_program(builder, name, kind);
	if (at != PROFILE_NONE)
		builder->tree->nodes[at].self = (struct sum){ hits, ns };
	return at != PROFILE_NONE;
}

static bool build_tree(struct flame_builder *builder, const struct profile *profile)
{
	bool is_good = add_node(builder, PROFILE_NONE, 0) != PROFILE_NONE;
	u32 i;

	for (i = 0; is_good && i < profile->nr_stacks; i++)
		is_good = add_flame_stack(builder, profile, &profile->stacks[i]);
	return is_good &&
		add_rest(builder, "[other processes]", FLAME_OTHER, profile->other,
			 profile->other_ns) &&
		add_rest(builder, "[lost]", FLAME_LOST, profile->lost, profile->lost_ns);
}

static void sum_descendants(struct flame *tree)
{
	u32 i;

	for (i = tree->nr; i--; ) {
		struct flame_node *node = &tree->nodes[i];

		node->total.hits += node->self.hits;
		node->total.ns += node->self.ns;
		if (i) {
			tree->nodes[node->parent].total.hits += node->total.hits;
			tree->nodes[node->parent].total.ns += node->total.ns;
		}
	}
}

/* Sort rank: 0 for functions and programs; larger for idle, other and lost samples. */
static u32 get_sort_rank(const struct flame *tree, const struct flame_node *node)
{
	u32 kind = node->parent ? FLAME_PROGRAM : tree->programs[node->name].kind;

	return kind >= FLAME_IDLE ? kind : 0;
}

/* Last sibling first: link_children() prepends. */
static int compare_backwards(const void *a_at, const void *b_at, void *flame_at)
{
	const struct flame *tree = flame_at;
	u32 a_position = *(const u32 *)a_at, b_position = *(const u32 *)b_at;
	const struct flame_node *a = &tree->nodes[a_position], *b = &tree->nodes[b_position];
	u32 a_rank = get_sort_rank(tree, a), b_rank = get_sort_rank(tree, b);

	if (a_rank != b_rank)
		return (a_rank < b_rank) - (a_rank > b_rank);
	if (a->total.ns != b->total.ns)
		return (a->total.ns > b->total.ns) - (a->total.ns < b->total.ns);
	return (a_position < b_position) - (a_position > b_position);
}

static int link_children(struct flame *tree)
{
	u32 *order = malloc(tree->nr * sizeof(*order)), i;

	if (!order)
		return -ENOMEM;
	for (i = 1; i < tree->nr; i++)
		order[i] = i;
	qsort_r(order + 1, tree->nr - 1, sizeof(*order), compare_backwards, tree);
	for (i = 1; i < tree->nr; i++) {
		struct flame_node *node = &tree->nodes[order[i]];
		struct flame_node *parent = &tree->nodes[node->parent];

		node->next = parent->first_child;
		parent->first_child = order[i];
	}
	free(order);
	return 0;
}

int flame_init(struct flame *tree, const struct profile *profile)
{
	struct flame_builder builder = { .tree = tree };
	int error = -ENOMEM;

	/* Two more than processes: lost samples, and samples of other processes. */
	*tree = (struct flame){
		.programs = calloc(profile->nr_processes + 2UL, sizeof(*tree->programs)),
	};
	if (tree->programs && build_tree(&builder, profile)) {
		sum_descendants(tree);
		error = link_children(tree);
	}
	intern_deinit(&builder.nodes);
	intern_deinit(&builder.programs);
	if (error)
		flame_deinit(tree);
	return error;
}

void flame_deinit(struct flame *tree)
{
	free(tree->nodes);
	free(tree->programs);
	*tree = (struct flame){ 0 };
}
