// SPDX-License-Identifier: GPL-2.0-only
/* Memory for events: kmod/events.c. */
#include "unit.h"
#include "events.h"

#define SLOTS	1024

static struct cpuprobe_event slot[SLOTS + 8];
static struct events events;

static void begin(u64 nr, bool wraps, u64 max_events)
{
	memset(slot, 0, sizeof(slot));
	events_init(&events, slot, nr, wraps, max_events);
}

/* Write an event with text as the module's handlers do. Returns its number. */
static u64 put(u64 ns, u32 type, u32 data, u32 text)
{
	u64 pos = local_read(&events.next);

	assert_true(events_take(&events, pos, 1 + text));
	events_write(events_slot(&events, pos), events_head(ns, type << CPUPROBE_EVENT_TYPE_SHIFT), 7, data);
	return pos;
}

static void fill(u64 nr, u64 ns_each)
{
	while (nr--)
		put(local_read(&events.next) * ns_each, CPUPROBE_EVENT_ENTRY, 0, 0);
}

static void heads_hold_time_type_and_flags(void **state)
{
	u64 head = events_head(0x123456789abcULL, CPUPROBE_EVENT_SWITCH << 8 | CPUPROBE_LEFT_DEAD | 2);

	assert_int_equal(head >> CPUPROBE_EVENT_TIME_SHIFT, 0x123456789abcULL);
	assert_int_equal(head >> CPUPROBE_EVENT_TYPE_SHIFT & 0xff, CPUPROBE_EVENT_SWITCH);
	assert_int_equal(head & CPUPROBE_EVENT_LEFT, CPUPROBE_LEFT_DEAD);
	assert_int_equal(head & CPUPROBE_EVENT_LEVEL, 2);
	/* Time is modulo 2^48. */
	assert_int_equal(events_head(1ULL << 48, 5), 5);
}

static void a_slot_is_taken_by_whom_comes_first(void **state)
{
	begin(SLOTS, false, 0);
	assert_true(events_take(&events, 0, 1));
	assert_false(events_take(&events, 0, 1));
	assert_true(events_take(&events, 1, 5));
	assert_int_equal(local_read(&events.next), 6);
}

static void the_limit_leaves_room_for_text(void **state)
{
	begin(SLOTS, false, 0);
	assert_int_equal(events.limit, SLOTS - 4);
	begin(SLOTS, false, 10);
	assert_int_equal(events.limit, 10);
	begin(SLOTS, false, SLOTS - 4);
	assert_int_equal(events.limit, SLOTS - 4);
	begin(SLOTS, false, SLOTS);
	assert_int_equal(events.limit, SLOTS - 4);
	begin(SLOTS, true, 0);
	assert_true(events.limit > 1ULL << 62);
}

static void blocks_are_a_quarter_of_little_memory(void **state)
{
	begin(64, false, 0);
	assert_int_equal(events.block, 16);
	begin(256, false, 0);
	assert_int_equal(events.block, 64);
	begin(1024, false, 0);
	assert_int_equal(events.block, 256);
	events_init(&events, slot, 1 << 20, false, 0);
	assert_int_equal(events.block, 256);
}

static void text_stays_in_a_block(void **state)
{
	u64 pos;
	u32 nr;

	begin(256, false, 0);
	for (nr = 1; nr <= 5; nr++)
		for (pos = 0; pos < 256; pos++) {
			u32 padding = events_padding(&events, pos, nr);

			assert_int_equal((pos + padding) / 64, (pos + padding + nr - 1) / 64);
			if (padding) {
				assert_int_equal((pos + padding) % 64, 0);
				assert_int_not_equal(pos / 64, (pos + nr - 1) / 64);
			}
		}
}

/* The last event of a one-shot recording, whatever its length, ends inside the memory. */
static void the_last_text_fits(void **state)
{
	u64 pos;
	u32 nr;

	begin(256, false, 0);
	for (pos = 240; pos < events.limit; pos++)
		for (nr = 1; nr <= 1 + EVENTS_TEXT_SLOTS; nr++)
			assert_in_range(pos + events_padding(&events, pos, nr) + nr, pos + 1, 256);
}

static void the_running_task_is_named(void **state)
{
	u64 pos;

	begin(256, false, 0);
	assert_true(events_must_name(&events, 0));
	for (pos = 1; pos < 256; pos++)
		assert_false(events_must_name(&events, pos));
	begin(256, true, 0);
	for (pos = 0; pos < 1000; pos++)
		assert_int_equal(events_must_name(&events, pos), pos % 64 == 0);
}

static void slots_need_a_look_at_the_edges(void **state)
{
	begin(256, false, 0);
	assert_int_equal(events.until, 0);
	events_raise(&events, 0);
	assert_int_equal(events.until, 256 - 4 - 1);
	begin(256, true, 0);
	events_raise(&events, 0);
	assert_int_equal(events.until, 64);
	events_raise(&events, 63);
	assert_int_equal(events.until, 64);
	events_raise(&events, 640);
	assert_int_equal(events.until, 704);
	events_clear(&events);
	assert_int_equal(events.until, 0);
}

static void events_know_their_slots(void **state)
{
	static const struct { u32 type, data, slots; } is[] = {
		{ CPUPROBE_EVENT_ENTRY, 64, 1 }, { CPUPROBE_EVENT_LOST, 0, 1 },
		{ CPUPROBE_EVENT_NAME, 0, 2 }, { CPUPROBE_EVENT_NAME, 1 << 20, 2 },
		{ CPUPROBE_EVENT_MARK, 1, 2 }, { CPUPROBE_EVENT_MARK, 16, 2 }, { CPUPROBE_EVENT_MARK, 17, 3 },
		{ CPUPROBE_EVENT_MARK, 64, 5 }, { CPUPROBE_EVENT_MARK, ~0u, 5 },
	};
	u32 i;

	for (i = 0; i < sizeof(is) / sizeof(is[0]); i++) {
		const struct cpuprobe_event event = { events_head(99, is[i].type << 8), 0, is[i].data };

		assert_int_equal(events_slots(&event), is[i].slots);
	}
}

static void overwritten_slots_are_not_read(void **state)
{
	begin(256, true, 0);
	assert_int_equal(events_first(&events, 0), 0);
	assert_int_equal(events_first(&events, 256), 0);
	assert_int_equal(events_first(&events, 257), 64);
	assert_int_equal(events_first(&events, 256 + 64), 64);
	assert_int_equal(events_first(&events, 256 + 65), 128);
	assert_int_equal(events_first(&events, 1000 * 256), 999 * 256);
}

static void an_overtaken_writer_writes_nothing(void **state)
{
	begin(256, true, 0);
	fill(1, 1);
	assert_true(events_is_ours(&events, 0));
	fill(255, 1);
	assert_true(events_is_ours(&events, 0));
	fill(1, 1);
	assert_false(events_is_ours(&events, 0));
	assert_true(events_is_ours(&events, 1));
}

static void events_after_the_end_are_cut_off(void **state)
{
	u64 end;

	begin(SLOTS, false, 0);
	assert_int_equal(events_end(&events, 5), 0);
	fill(1000, 10);
	assert_int_equal(events_end(&events, 1ULL << 47), 1000);
	for (end = 0; end < 10000; end += 7)
		assert_int_equal(events_end(&events, end), end / 10 + 1);
}

static void the_end_of_a_ring_is_found(void **state)
{
	u64 end;

	begin(256, true, 0);
	fill(1000, 10);
	/* The oldest slots that can be read are from 768 on. */
	for (end = 7680; end < 10000; end += 7)
		assert_int_equal(events_end(&events, end), end / 10 + 1);
	assert_int_equal(events_end(&events, 100), 768);
}

/* The time in an event is modulo 2^48. It wraps @early nanoseconds after the event number 995. */
static void ends_at(u64 wrap, s64 early)
{
	u64 base = wrap - early - 995 * 10, end;
	u32 i;

	begin(256, true, 0);
	for (i = 0; i < 1000; i++)
		put(base + i * 10, CPUPROBE_EVENT_ENTRY, 0, 0);
	for (end = 900; end < 1000; end++)
		assert_int_equal(events_end(&events, base + end * 10), end + 1);
}

static void the_end_is_found_when_the_time_wraps(void **state)
{
	s64 early;

	for (early = -1000; early <= 1000; early += 5) {
		ends_at(1ULL << 48, early);
		ends_at(3ULL << 48, early);
	}
}

/* An event that is days older than the end is kept. */
static void old_events_are_before_the_end(void **state)
{
	u64 hour = 3600 * 1000000000ULL;

	begin(256, true, 0);
	put(0, CPUPROBE_EVENT_ENTRY, 0, 0);
	put(70 * hour, CPUPROBE_EVENT_ENTRY, 0, 0);
	put(70 * hour + 10, CPUPROBE_EVENT_ENTRY, 0, 0);
	assert_int_equal(events_end(&events, 70 * hour + 5), 2);
}

/* Text may look like any event. */
static void text_is_no_event(void **state)
{
	u64 pos;

	begin(256, false, 0);
	fill(60, 1);
	pos = put(60, CPUPROBE_EVENT_MARK, 40, 3);
	memset(events_slot(&events, pos + 1), 0xff, 3 * sizeof(*slot));
	put(70, CPUPROBE_EVENT_ENTRY, 0, 0);
	assert_int_equal(events_end(&events, 65), pos + 4);
	assert_int_equal(events_end(&events, 70), pos + 5);
	assert_int_equal(events_end(&events, 59), pos);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(heads_hold_time_type_and_flags),
		cmocka_unit_test(a_slot_is_taken_by_whom_comes_first),
		cmocka_unit_test(the_limit_leaves_room_for_text),
		cmocka_unit_test(blocks_are_a_quarter_of_little_memory),
		cmocka_unit_test(text_stays_in_a_block),
		cmocka_unit_test(the_last_text_fits),
		cmocka_unit_test(the_running_task_is_named),
		cmocka_unit_test(slots_need_a_look_at_the_edges),
		cmocka_unit_test(events_know_their_slots),
		cmocka_unit_test(overwritten_slots_are_not_read),
		cmocka_unit_test(an_overtaken_writer_writes_nothing),
		cmocka_unit_test(events_after_the_end_are_cut_off),
		cmocka_unit_test(the_end_of_a_ring_is_found),
		cmocka_unit_test(the_end_is_found_when_the_time_wraps),
		cmocka_unit_test(old_events_are_before_the_end),
		cmocka_unit_test(text_is_no_event),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
