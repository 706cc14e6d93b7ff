// SPDX-License-Identifier: GPL-2.0-only
/*
 * Measures by how much it costs more to follow user frames by tables than by frame pointers. Both walk
 * the same frames, as many as a sample takes, with interrupts off. The table has as many rows in a page,
 * and the process as many mappings, as large programs have; no rule is remembered. Lower quartiles, as in
 * calibrate.c.
 */
#include <linux/irqflags.h>
#include <linux/mm.h>
#include <linux/slab.h>

#include "arch.h"
#include "calibrate.h"
#include "cost.h"
#include "now.h"
#include "unwind.h"
#include "unwinding.h"

#define ROUNDS		65
#define ROWS		1024	/* a power of two */
#define MAPPINGS	32

/** A program that is not there: its table says that every function has two words on the stack. */
struct rehearsal {
	struct unwinding *unwinding;
	struct unwind_table table;
	struct cpuprobe_rule rule;
	u32 pages[2];
	u32 rows[ROWS];
	struct {
		struct space_map map;
		struct mapping at[MAPPINGS];
	};
};

static void prepare_table(struct rehearsal *rehearsal)
{
	struct unwind_table *table = &rehearsal->table;
	u32 i;

	rehearsal->rule = (struct cpuprobe_rule){
		.kind = CPUPROBE_RULE_CFA, .fp = CPUPROBE_SAVED_STACK, .ra = CPUPROBE_SAVED_STACK,
		.offset = sizeof(struct arch_frame), .fp_words = -2, .ra_words = -1,
	};
	rehearsal->pages[1] = ROWS;
	for (i = 0; i < ROWS; i++)
		rehearsal->rows[i] = i * (CPUPROBE_UNWIND_PAGE / ROWS);
	table->cfi = (struct cfi){
		.nr_pages = 1, .nr_rows = ROWS, .nr_rules = 1, .pages = rehearsal->pages,
		.rows = rehearsal->rows, .rules = &rehearsal->rule,
	};
	table->seq = spaces_seq(0);
	table->used = jiffies;
	RCU_INIT_POINTER(rehearsal->unwinding->slot[0].table, table);
}

/* All mappings but one are elsewhere; that one has @pc in it. */
static void prepare_map(struct rehearsal *rehearsal, unsigned long pc)
{
	unsigned long start = pc & ~(CPUPROBE_UNWIND_PAGE - 1UL);
	u32 i;

	rehearsal->map.nr = MAPPINGS;
	for (i = 0; i < MAPPINGS - 1; i++)
		rehearsal->map.at[i] = (struct mapping){ .start = i, .end = i + 1 };
	rehearsal->map.at[i] = (struct mapping){ .start = start, .end = start + CPUPROBE_UNWIND_PAGE };
}

static u32 walk(struct rehearsal *rehearsal, bool is_by_tables)
{
	struct pt_regs regs = ARCH_KERNEL_REGS;
	u64 frames[CPUPROBE_FRAMES_MAX];
	u32 flags = 0, nr_sure;

	if (is_by_tables)
		return unwind_user_by_tables(rehearsal->unwinding, &rehearsal->map, current, &regs,
					     frames, &flags, &nr_sure);
	return unwind_user(current, &regs, frames, &flags);
}

/* Time of a walk in nanoseconds. */
static u32 measure_walk(struct rehearsal *rehearsal, bool is_by_tables)
{
	u32 took[ROUNDS], i;

	for (i = 0; i < ROUNDS; i++) {
		unsigned long flags;
		u64 began;

		local_irq_save(flags);
		began = clock_ns();
		walk(rehearsal, is_by_tables);
		took[i] = min_t(u64, clock_ns() - began, COST_MAX_NS);
		local_irq_restore(flags);
	}
	return calibrate_lower_quartile(took, ROUNDS);
}

int calibrate_tables(void)
{
	struct rehearsal *rehearsal = kvzalloc(sizeof(*rehearsal), GFP_KERNEL);
	u32 by_tables, by_pointers;

	if (!rehearsal)
		return -ENOMEM;
	rehearsal->unwinding = unwinding_allocate();
	if (!rehearsal->unwinding) {
		kvfree(rehearsal);
		return -ENOMEM;
	}
	prepare_table(rehearsal);
	prepare_map(rehearsal, arch_pc(task_pt_regs(current)));
	by_tables = measure_walk(rehearsal, true);
	by_pointers = measure_walk(rehearsal, false);
	cost_set_tables(by_tables - min(by_tables, by_pointers));
	unwinding_free(rehearsal->unwinding);
	kvfree(rehearsal);
	return 0;
}
