// SPDX-License-Identifier: GPL-2.0-only
/* Nodes of timed calls: kmod/nodes.c. */
#include "unit.h"
#include "nodes.h"

#define NODES	20

static struct call_node node[NODES + 1];
static u32 place[256];
static struct nodes nodes;

static void begin(void)
{
	memset(node, 0, sizeof(node));
	memset(place, 0, sizeof(place));
	assert_in_range(nodes_places(NODES), 2 * NODES, 256);
	nodes_init(&nodes, node, place, NODES);
}

static void a_node_is_found_again(void **state)
{
	u32 a, b;

	begin();
	a = nodes_get(&nodes, 0, CPUPROBE_NODE_SYSCALL, 39);
	b = nodes_get(&nodes, a, CPUPROBE_NODE_SYSCALL, 39);
	assert_int_equal(a, 1);
	assert_int_equal(b, 2);
	assert_int_equal(nodes_get(&nodes, 0, CPUPROBE_NODE_SYSCALL, 39), a);
	assert_int_equal(nodes_get(&nodes, a, CPUPROBE_NODE_SYSCALL, 39), b);
	assert_int_equal(node[b].parent, a);
	assert_int_equal(node[b].what, 39);
	assert_int_equal(atomic_read(&nodes.nr), 2);
}

/* TIMES reads the nodes while CPUs add more: the type of one that is not made yet would be that of a function. */
static void a_node_is_read_after_it_is_made(void **state)
{
	u32 nr;

	begin();
	nr = nodes_get_process(&nodes, 4711, 1000000000);
	assert_true(nodes_is_made(&nodes, nr));
	/* Another CPU has taken the next one, and no more. */
	assert_int_equal(atomic_inc_return(&nodes.nr), nr + 1);
	assert_false(nodes_is_made(&nodes, nr + 1));
	assert_true(nodes_is_made(&nodes, nodes_append(&nodes, CPUPROBE_NODE_FUNCTION, 0)));
	nodes_forget(&nodes, nr);
	assert_true(nodes_is_made(&nodes, nr));
	assert_false(nodes_is_made(&nodes, nr + 2));
}

/* Parent, type and number tell nodes apart. */
static void each_part_tells_nodes_apart(void **state)
{
	u32 first;

	begin();
	first = nodes_get(&nodes, 7, CPUPROBE_NODE_SYSCALL, 3);
	assert_int_not_equal(nodes_get(&nodes, 8, CPUPROBE_NODE_SYSCALL, 3), first);
	assert_int_not_equal(nodes_get(&nodes, 7, CPUPROBE_NODE_FUNCTION, 3), first);
	assert_int_not_equal(nodes_get(&nodes, 7, CPUPROBE_NODE_SYSCALL, 4), first);
	assert_int_equal(atomic_read(&nodes.nr), 4);
}

/* A number goes to another process in time. A thread whose process is unknown by now belongs to one of that number. */
static void processes_of_one_number_are_told_apart(void **state)
{
	u32 first, second;

	begin();
	first = nodes_get_process(&nodes, 4711, 1000000000);
	second = nodes_get_process(&nodes, 4711, 3000000000);
	assert_int_not_equal(second, first);
	assert_int_equal(nodes_get_process(&nodes, 4711, 1000000000), first);
	assert_int_equal(nodes_get_process(&nodes, 4711, 3000000000), second);
	assert_int_equal(nodes_get_process(&nodes, 4711, 0), first);
	assert_int_equal(atomic_read(&nodes.nr), 2);
	assert_int_equal(node[second].parent, NODE_ROOT);
	assert_int_equal(node[second].type, CPUPROBE_NODE_PROCESS);
}

static void nodes_of_functions_come_first(void **state)
{
	begin();
	assert_int_equal(nodes_append(&nodes, CPUPROBE_NODE_FUNCTION, 0), 1);
	assert_int_equal(nodes_append(&nodes, CPUPROBE_NODE_FUNCTION, 1), 2);
	/* They are not found: their numbers are known. */
	assert_int_equal(nodes_get(&nodes, 0, CPUPROBE_NODE_FUNCTION, 1), 3);
}

/* A full table keeps finding what it has. */
static void a_full_table_finds_what_it_has(void **state)
{
	u32 i, nr, found = 0;

	begin();
	for (i = 0; i < 100; i++)
		found += !!nodes_get(&nodes, 1, CPUPROBE_NODE_SYSCALL, i);
	assert_int_equal(found, NODES);
	assert_int_equal(atomic_read(&nodes.nr), NODES);
	assert_int_equal(nodes_append(&nodes, CPUPROBE_NODE_FUNCTION, 0), 0);
	for (nr = 1; nr <= NODES; nr++)
		assert_int_equal(nodes_get(&nodes, 1, CPUPROBE_NODE_SYSCALL, node[nr].what), nr);
}

/* Names end within their room; a process that executes a program has the new name. */
static void a_process_has_its_latest_name(void **state)
{
	char comm[NODE_NAME_LEN];
	u32 nr;

	begin();
	nr = nodes_get_process(&nodes, 4711, 1000000000);
	assert_string_equal((char *)node[nr].name, "");
	memset(comm, 'x', sizeof(comm));
	nodes_name(&nodes, nr, comm);
	assert_string_equal((char *)node[nr].name, "xxxxxxxxxxxxxxx");
	memset(comm, 0, sizeof(comm));
	comm[0] = 'y';
	nodes_name(&nodes, nr, comm);
	assert_string_equal((char *)node[nr].name, "y");
}

/* The table is as it was before the first node was found. */
static void nodes_are_forgotten(void **state)
{
	u32 first, nr;

	begin();
	first = nodes_append(&nodes, CPUPROBE_NODE_FUNCTION, 0);
	nr = nodes_get(&nodes, first, CPUPROBE_NODE_SYSCALL, 1);
	nodes_forget(&nodes, first);
	assert_int_equal(nodes_get(&nodes, first, CPUPROBE_NODE_SYSCALL, 2), nr);
	assert_int_equal(node[nr].what, 2);
	assert_int_equal(node[first].type, CPUPROBE_NODE_FUNCTION);
	/* The last one too. */
	while (nodes_append(&nodes, CPUPROBE_NODE_FUNCTION, 1))
		;
	assert_true(nodes_is_made(&nodes, NODES));
	nodes_forget(&nodes, first);
	assert_false(nodes_is_made(&nodes, NODES));
}

/* Nodes of one parent, and one function below many parents, spread over the table. */
static void nodes_spread(void **state)
{
	static struct call_node many[4097];
	static u32 places[16384];
	u32 i;

	assert_in_range(nodes_places(4096), 8192, 16384);
	nodes_init(&nodes, many, places, 4096);
	for (i = 0; i < 2048; i++)
		assert_int_not_equal(nodes_get(&nodes, 1, CPUPROBE_NODE_SYSCALL, i), 0);
	for (i = 0; i < 2000; i++)
		assert_int_not_equal(nodes_get(&nodes, i + 2, CPUPROBE_NODE_SYSCALL, 5), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_node_is_found_again),
		cmocka_unit_test(a_node_is_read_after_it_is_made),
		cmocka_unit_test(each_part_tells_nodes_apart),
		cmocka_unit_test(processes_of_one_number_are_told_apart),
		cmocka_unit_test(nodes_of_functions_come_first),
		cmocka_unit_test(a_full_table_finds_what_it_has),
		cmocka_unit_test(a_process_has_its_latest_name),
		cmocka_unit_test(nodes_are_forgotten),
		cmocka_unit_test(nodes_spread),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
