// SPDX-License-Identifier: GPL-2.0-only
/* Hints for another object to search: cli/proc/proc_hint.c. */
#include "unit.h"
#include "proc/place_select.h"
#include "proc/proc_hint.h"
#include "base/text.h"

static struct task task;
static struct places places;
static u64 hits[CPUPROBE_OBJECTS];
static u32 libc, odd, twin, module, vdso;

static u32 add(enum place_kind kind, const char *path)
{
	places_add_object(&places, kind, text_base_name(path), path);
	return places.nr_objects - 1;
}

static int setup(void **state)
{
	memset(hits, 0, sizeof(hits));
	memset(&task, 0, sizeof(task));
	task.exe_fd = -1;
	snprintf(task.name, sizeof(task.name), "wordstat");
	snprintf(task.path, sizeof(task.path), "/bin/wordstat");
	assert_int_equal(places_init(&places, &task, NULL), 0);
	libc = add(PLACE_FILE, "/usr/lib/libc.so.6");
	odd = add(PLACE_FILE, "/usr/lib/a b;reboot");
	twin = add(PLACE_FILE, "/usr/lib/wordstat");
	module = add(PLACE_MODULE, "a_module_of_ours");
	vdso = add(PLACE_VDSO, "[vdso]");
	return 0;
}

static int teardown(void **state)
{
	places_deinit(&places);
	return 0;
}

static void assert_hint(struct proc_hint hint, const char *expected)
{
	char text[1024] = "";

	hint.places = &places;
	hint.object_hits = hits;
	assert_int_equal(proc_hint_text(&hint, text, sizeof(text)), expected[0] != '\0');
	assert_string_equal(text, expected);
}

static void names_the_busier_object(void **state)
{
	const struct proc_hint hot = { .search = "hot", .word = "wordstat" };

	hits[CPUPROBE_OBJECT_EXE] = 300;
	hits[libc] = 570;
	hits[CPUPROBE_OBJECT_KERNEL] = 130;
	assert_hint(hot, "57% of wordstat was in libc.so.6: probe proc -hot -map libc.so.6 "
		    "wordstat");
	assert_hint((struct proc_hint){ .search = "narrow", .has_command = true },
		    "57% of wordstat was in libc.so.6: probe proc -narrow -map libc.so.6 "
		    "-- COMMAND...");
	hits[CPUPROBE_OBJECT_KERNEL] = 2000;
	assert_hint(hot, "70% of wordstat was in kernel: probe proc -hot -mode kernel wordstat");
	hits[module] = 4000;
	assert_hint(hot, "58% of wordstat was in a_module_of_ours: probe proc -hot -mode kernel "
		    "-map a_module_of_ours wordstat");
	hits[vdso] = 10000;
	assert_hint(hot, "59% of wordstat was in [vdso]: probe proc -hot -map vdso wordstat");
}

static void kernel_searches_get_hints_at_modules(void **state)
{
	const struct proc_hint hot = { .search = "hot", .word = "7", .is_kernel = true };

	hits[CPUPROBE_OBJECT_KERNEL] = 100;
	hits[libc] = 1000;
	assert_hint(hot, "");
	hits[module] = 900;
	assert_hint(hot, "45% of wordstat was in a_module_of_ours: probe proc -hot -mode kernel "
		    "-map a_module_of_ours 7");
}

static void no_hint_without_need(void **state)
{
	const struct proc_hint hot = { .search = "hot", .word = "wordstat" };

	assert_hint(hot, "");
	hits[CPUPROBE_OBJECT_EXE] = 570;
	hits[libc] = 430;
	assert_hint(hot, "");
	/* More samples, but with overlapping intervals. */
	hits[libc] = 590;
	assert_hint(hot, "");
	/* Objects that cannot be searched. */
	hits[libc] = 0;
	hits[CPUPROBE_OBJECT_SOFTIRQ] = hits[CPUPROBE_OBJECT_UNPLACED] = 5000;
	hits[CPUPROBE_OBJECTS - 1] = 5000;
	assert_hint(hot, "");
}

static void names_are_not_confused(void **state)
{
	const struct proc_hint hot = { .search = "hot", .word = "wordstat" };

	hits[odd] = 1000;
	assert_hint(hot, "");
	hits[libc] = 500;
	assert_hint(hot, "33% of wordstat was in libc.so.6: probe proc -hot -map libc.so.6 "
		    "wordstat");
	assert_hint((struct proc_hint){ .search = "hot", .word = "$(reboot)" }, "");
	/* -map wordstat would mean the executable. */
	hits[twin] = 9000;
	assert_hint(hot, "86% of wordstat was in wordstat: probe proc -hot "
		    "-map /usr/lib/wordstat wordstat");
	/* Two objects with one name are named by their paths. */
	add(PLACE_FILE, "/opt/libc.so.6");
	assert_string_equal(places_map_name(&places, libc), "/usr/lib/libc.so.6");
	/* Anonymous code belongs to one process. */
	assert_null(places_map_name(&places, add(PLACE_ANON, "")));
	task.pid = 7;
	assert_string_equal(places_map_name(&places, places.nr_objects - 1), "anon");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(names_the_busier_object, setup, teardown),
		cmocka_unit_test_setup_teardown(kernel_searches_get_hints_at_modules, setup,
						teardown),
		cmocka_unit_test_setup_teardown(no_hint_without_need, setup, teardown),
		cmocka_unit_test_setup_teardown(names_are_not_confused, setup, teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
