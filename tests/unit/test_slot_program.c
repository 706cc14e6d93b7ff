// SPDX-License-Identifier: GPL-2.0-only
/* The program that counts in slots, run by an interpreter of its instructions: cli/bpf/programs.c. */
#include "unit.h"
#include "bpf/interrupted.h"
#include "bpf/programs.h"
#include "bpf/slot_store.h"

#define AREA_FD	7
#define SLOTS	64
#define ROOM	(SLOTS + COUNTS_PROBES - 1)

static struct {
	struct counts_page page;
	struct counts_slot slot[2][ROOM];
} area;

/** The interrupted task. */
static struct task {
	u64 registers[32];	/* the program's argument */
	u64 pid_tgid;
	char comm[COUNTS_NAME_LEN];
	u64 cgroup;
} task;

static u64 call_helper(s32 helper, u64 at)
{
	switch (helper) {
	case BPF_FUNC_get_current_pid_tgid:
		return task.pid_tgid;
	case BPF_FUNC_get_current_cgroup_id:
		return task.cgroup;
	case BPF_FUNC_get_current_comm:
		/* As kernel 6.1, which leaves what is there after the NUL. */
		strcpy((char *)at, task.comm);
		return 0;
	}
	fail();
	return 0;
}

static u64 compute(u8 op, u64 a, u64 b)
{
	switch (op) {
	case BPF_MOV: return b;
	case BPF_ADD: return a + b;
	case BPF_SUB: return a - b;
	case BPF_MUL: return a * b;
	case BPF_AND: return a & b;
	case BPF_OR: return a | b;
	case BPF_LSH: return a << b;
	case BPF_RSH: return a >> b;
	}
	fail();
	return 0;
}

static bool jumps(u8 op, u64 a, u64 b)
{
	assert_true(op == BPF_JA || op == BPF_JEQ || op == BPF_JNE);
	return op == BPF_JA || (a == b) == (op == BPF_JEQ);
}

static void run(const struct encode *code)
{
	u64 reg[11] = { [1] = (uintptr_t)&task, [10] = 0 }, stack[64];
	u32 at, steps;

	memset(stack, 0xfe, sizeof(stack));
	reg[10] = (uintptr_t)(stack + 64);
	for (at = 0, steps = 0; at < code->nr && steps < 1000; at++, steps++) {
		const struct bpf_insn insn = code->insn[at];
		u64 other = insn.code & BPF_X ? reg[insn.src_reg] : (u64)(s64)insn.imm;

		switch (BPF_CLASS(insn.code)) {
		case BPF_ALU64:
			reg[insn.dst_reg] = compute(BPF_OP(insn.code), reg[insn.dst_reg], other);
			break;
		case BPF_LDX:
			assert_int_equal(BPF_SIZE(insn.code), BPF_DW);
			reg[insn.dst_reg] = *(u64 *)(reg[insn.src_reg] + insn.off);
			break;
		case BPF_STX:
			assert_int_equal(BPF_SIZE(insn.code), BPF_DW);
			*(u64 *)(reg[insn.dst_reg] + insn.off) = reg[insn.src_reg];
			break;
		case BPF_LD:
			reg[insn.dst_reg] = (u32)insn.imm | (u64)(u32)code->insn[++at].imm << 32;
			if (insn.src_reg == BPF_PSEUDO_MAP_VALUE) {
				assert_int_equal(reg[insn.dst_reg], AREA_FD);
				reg[insn.dst_reg] = (uintptr_t)&area;
			}
			break;
		default:
			if (BPF_OP(insn.code) == BPF_EXIT) {
				assert_int_equal(reg[0], 0);
				return;
			}
			if (BPF_OP(insn.code) == BPF_CALL)
				reg[0] = call_helper(insn.imm, reg[1]);
			else if (jumps(BPF_OP(insn.code), reg[insn.dst_reg], other))
				at += insn.off;
		}
	}
	fail();
}

static void write_program(struct encode *code, enum counts_by by, u32 pid)
{
	const struct counts_spec spec = { .by = by, .pid = pid };

	memset(&area, 0, sizeof(area));
	assert_int_equal(programs_turn_len(SLOTS), sizeof(area.slot[0]));
	*code = (struct encode){ .nr = 0 };
	programs_count(code, &spec, AREA_FD, SLOTS);
	assert_false(code->is_wrong);
}

static void sample(const struct encode *code, u32 pid, u32 thread, const char *comm, u64 mode, u64 pc)
{
	task = (struct task){ .pid_tgid = (u64)pid << 32 | thread, .cgroup = 4000 + pid };
	strcpy(task.comm, comm);
	task.registers[interrupted.mode / 8] = 0x30 | mode;
	task.registers[interrupted.pc / 8] = pc;
	run(code);
}

/* Counts of a key in a turn; checks that it has one slot. */
static u64 count(u32 turn, u32 id, u32 is_user, const char name[COUNTS_NAME_LEN], u64 pc)
{
	struct counts_key key = { .id = id, .is_user = is_user, .pc = pc };
	u64 sum = 0;
	u32 i, nr = 0;

	memcpy(key.comm, name, COUNTS_NAME_LEN);
	for (i = 0; i < ROOM; i++)
		if (area.slot[turn][i].hits && !memcmp(&area.slot[turn][i].key, &key, sizeof(key))) {
			sum += area.slot[turn][i].hits;
			nr++;
		}
	assert_true(nr <= 1);
	return sum;
}

static void tasks_have_their_slots(void **state)
{
	static const char sh[COUNTS_NAME_LEN] = "sh", other[COUNTS_NAME_LEN] = "a longer name";
	struct encode code;

	write_program(&code, COUNTS_BY_PROCESS, 0);
	sample(&code, 10, 11, "sh", 3, 0x1000);
	sample(&code, 10, 12, "sh", 3, 0x2000);
	sample(&code, 10, 12, "sh", 0, 0x2000);
	sample(&code, 10, 10, "a longer name", 3, 0x2000);
	sample(&code, 0, 0, "swapper/0", 0, 0x2000);
	assert_int_equal(count(0, 10, 3, sh, 0), 2);
	assert_int_equal(count(0, 10, 0, sh, 0), 1);
	assert_int_equal(count(0, 10, 3, other, 0), 1);
	assert_int_equal(area.page.nr_used[0], 4);
	area.page.turn = 1;
	sample(&code, 10, 11, "sh", 3, 0x1000);
	assert_int_equal(count(0, 10, 3, sh, 0), 2);
	assert_int_equal(count(1, 10, 3, sh, 0), 1);
	assert_int_equal(area.page.nr_used[0], 4);
	assert_int_equal(area.page.nr_used[1], 1);

	write_program(&code, COUNTS_BY_THREAD, 0);
	sample(&code, 10, 11, "sh", 3, 0x1000);
	sample(&code, 10, 12, "sh", 3, 0x1000);
	assert_int_equal(count(0, 11, 3, sh, 0), 1);
	assert_int_equal(count(0, 12, 3, sh, 0), 1);
}

static void groups_are_idle_or_not(void **state)
{
	u64 group[2] = { 4010, 0 }, root[2] = { 4000, 0 };
	struct encode code;

	write_program(&code, COUNTS_BY_CGROUP, 0);
	sample(&code, 10, 11, "sh", 3, 0x1000);
	sample(&code, 10, 12, "loop", 3, 0x1000);
	sample(&code, 0, 0, "swapper/0", 0, 0x1000);
	assert_int_equal(count(0, 1, 3, (char *)group, 0), 2);
	assert_int_equal(count(0, 0, 0, (char *)root, 0), 1);
}

static void addresses_have_their_slots(void **state)
{
	static const char sh[COUNTS_NAME_LEN] = "sh", none[COUNTS_NAME_LEN];
	struct encode code;

	write_program(&code, COUNTS_BY_ADDRESS, 0);
	sample(&code, 10, 11, "sh", 3, 0x1000);
	sample(&code, 10, 11, "loop", 3, 0x1000);
	sample(&code, 10, 11, "sh", 3, 0x1004);
	sample(&code, 0, 0, "swapper/0", 0, 0x1000);
	/* The name is the first sample's. */
	assert_int_equal(count(0, 10, 3, sh, 0x1000), 2);
	assert_int_equal(count(0, 10, 3, sh, 0x1004), 1);
	assert_int_equal(count(0, 0, 0, none, 0), 1);

	write_program(&code, COUNTS_BY_ADDRESS, 10);
	sample(&code, 10, 11, "sh", 3, 0x1000);
	sample(&code, 12, 12, "sh", 3, 0x1000);
	sample(&code, 13, 13, "sh", 3, 0x1004);
	assert_int_equal(count(0, 10, 3, none, 0x1000), 1);
	assert_int_equal(count(0, 0, 3, none, 0), 2);
}

/* More keys than slots: each sample is counted, or lost in its mode. */
static void no_sample_disappears(void **state)
{
	struct encode code;
	u64 sum = 0, nr_used = 0;
	u32 i;

	write_program(&code, COUNTS_BY_PROCESS, 0);
	for (i = 0; i < 2000; i++)
		sample(&code, 1 + i % 1000, 1, "sh", i % 3 ? 3 : 0, 0);
	for (i = 0; i < ROOM; i++) {
		sum += area.slot[0][i].hits;
		nr_used += area.slot[0][i].hits != 0;
	}
	assert_true(area.page.lost[0] && area.page.lost[1]);
	assert_int_equal(sum + area.page.lost[0] + area.page.lost[1], 2000);
	assert_int_equal(nr_used, area.page.nr_used[0]);
	/* A key may have any of its slots, so that few are left over. */
	assert_true(nr_used > SLOTS);
	for (i = 0; i < ROOM; i++)
		assert_int_equal(area.slot[1][i].hits, 0);
	assert_in_range(area.page.lost[0] * 100 / (area.page.lost[0] + area.page.lost[1]), 30, 37);
}

/* At the share of slots at which a harvest is due, every key has room. */
static void keys_spread(void **state)
{
	struct encode code;
	u32 i;

	write_program(&code, COUNTS_BY_PROCESS, 0);
	for (i = 0; i < SLOTS / 2; i++)
		sample(&code, 30000 + 7 * (i / 2), 1, "sh", i % 2 ? 3 : 0, 0);
	assert_int_equal(area.page.nr_used[0], SLOTS / 2);
	write_program(&code, COUNTS_BY_ADDRESS, 0);
	for (i = 0; i < SLOTS / 2; i++)
		sample(&code, 30000, 1, "sh", 3, 0x400000 + 16 * i);
	assert_int_equal(area.page.nr_used[0], SLOTS / 2);
	assert_int_equal(area.page.lost[0] + area.page.lost[1], 0);
}

/* Threads of one process with names of their own find room, more of them than a key has slots. */
static void names_spread(void **state)
{
	static const char *const formats[] = { "w%u", "thread-pool-%u" };
	struct encode code;
	char name[COUNTS_NAME_LEN];
	u32 i, k;

	for (k = 0; k < sizeof(formats) / sizeof(formats[0]); k++) {
		write_program(&code, COUNTS_BY_PROCESS, 0);
		for (i = 0; i < COUNTS_PROBES + 8; i++) {
			snprintf(name, sizeof(name), formats[k], i);
			sample(&code, 10, 10 + i, name, 3, 0);
		}
		assert_int_equal(area.page.nr_used[0], COUNTS_PROBES + 8);
		assert_int_equal(area.page.lost[0] + area.page.lost[1], 0);
	}
}

/* By address, there is a slot for each sample of a second, in a power of two and within limits. */
static void room_follows_the_rate(void **state)
{
	static const struct { u64 rate_hz; u32 room; } cases[] = {
		{ 1, 2048 }, { 2048, 2048 }, { 2049, 4096 }, { 4096, 4096 }, { 1000000, 32768 },
	};
	struct counts_spec spec = { .by = COUNTS_BY_ADDRESS };

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		spec.rate_hz = cases[i].rate_hz;
		assert_int_equal(slot_store_room(&spec), cases[i].room);
	}
	spec.by = COUNTS_BY_THREAD;
	assert_int_equal(slot_store_room(&spec), 512);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(tasks_have_their_slots),
		cmocka_unit_test(groups_are_idle_or_not),
		cmocka_unit_test(addresses_have_their_slots),
		cmocka_unit_test(no_sample_disappears),
		cmocka_unit_test(keys_spread),
		cmocka_unit_test(names_spread),
		cmocka_unit_test(room_follows_the_rate),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
