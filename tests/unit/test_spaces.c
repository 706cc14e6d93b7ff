// SPDX-License-Identifier: GPL-2.0-only
/* Address spaces over time: cli/resolve/spaces.c. */
#include "unit.h"
#include "resolve/spaces.h"

static struct files files;
static struct spaces *spaces;

static int begin(void **state)
{
	spaces = spaces_create(&files);
	return spaces ? 0 : -1;
}

static int finish(void **state)
{
	u32 i, held = 0;
	struct mapped_file *file;

	spaces_destroy(spaces);
	for (i = 0; i < FILES_BUCKETS; i++)
		for (file = files.bucket[i]; file; file = file->next)
			held += file->nr_holders;
	files_deinit(&files);
	memset(&files, 0, sizeof(files));
	return held ? -1 : 0;	/* held references are returned */
}

static void map(struct space *space, u64 start, u64 end, u64 inode)
{
	char path[] = "/x";

	spaces_map(spaces, space, &(struct sym_map){
		.start = start, .end = end, .offset = start, .inode = inode, .path = path });
}

/* The inode mapped at an address; 0: none. Each mapping begins at its recorded start. */
static u64 inode_at(const struct space *space, u64 addr)
{
	const struct space_map *found = space_at(space, addr);

	if (!found)
		return 0;
	assert_true(found->start <= addr && addr < found->end);
	assert_true(found->offset == found->start);
	return found->file->inode;
}

/* Newer mappings cover older ones, on random histories, compared with an array of all addresses. */
static void newer_covers_older(void **state)
{
	unsigned int seed = 1, round, i, a;
	u64 truth[64];
	u32 total;

	for (round = 0; round < 300; round++) {
		struct space *space = spaces_add(spaces, round, 1);

		memset(truth, 0, sizeof(truth));
		for (i = 1; i < 30; i++) {
			unsigned int start = rand_r(&seed) % 60,
				end = start + 1 + rand_r(&seed) % 20;

			if (end > 64)
				end = 64;
			map(space, start, end, i);
			for (a = start; a < end; a++)
				truth[a] = i;
			for (a = 0; a < 64; a++)
				assert_int_equal(inode_at(space, a), truth[a]);
			for (a = 0; a < space->nr; a++) {
				assert_true(space->maps[a].start < space->maps[a].end);
				assert_true(!a || space->maps[a - 1].end <= space->maps[a].start);
			}
		}
	}
	for (total = round = 0; round < 300; round++)
		total += spaces_newest(spaces, round)->nr;
	assert_int_equal(spaces->nr_maps, total);
}

static void set(struct space *space, const char *text)
{
	struct sym_maps maps;
	char *copy = strdup(text);

	assert_int_equal(sym_maps_parse(copy, &maps), 0);
	spaces_set_maps(spaces, space, &maps);
	sym_maps_deinit(&maps);
	free(copy);
}

static void unmapped_code_is_remembered(void **state)
{
	struct space *space = spaces_add(spaces, 7, 1);

	set(space, "1000-3000 r-xp 00001000 08:01 10 /a\n4000-5000 rw-p 00000000 08:01 10 /a\n"
	    "6000-7000 r-xp 00006000 08:01 11 /b\n");
	assert_int_equal(space->knowledge, SPACE_ALL);
	assert_int_equal(space->nr, 2);
	assert_null(space_at(space, 0x4000));
	/* /b is gone, /c covers a part of /a */
	set(space, "1000-2000 r-xp 00001000 08:01 10 /a\n2000-2800 r-xp 00002000 08:01 12 /c\n");
	assert_int_equal(space->nr, 3);
	assert_int_equal(inode_at(space, 0x6fff), 11);
	assert_int_equal(inode_at(space, 0x1fff), 10);
	assert_int_equal(inode_at(space, 0x2000), 12);
	assert_null(space_at(space, 0x2800));
	assert_int_equal(spaces->nr_maps, 3);
}

/* Other code in the place of code makes addresses ambiguous until the harvest ends. */
static void code_is_replaced(void **state)
{
	struct space *space, *child;

	spaces_begin_round(spaces, true);
	space = spaces_add(spaces, 7, 1);
	map(space, 0x1000, 0x3000, 10);
	map(space, 0x3000, 0x4000, 10);
	map(space, 0x1000, 0x2000, 10);		/* the same once more */
	assert_false(spaces_is_replaced(spaces, space, 0x1000));
	map(space, 0x2000, 0x5000, 11);
	assert_false(spaces_is_replaced(spaces, space, 0x1fff));
	assert_true(spaces_is_replaced(spaces, space, 0x2000));
	assert_true(spaces_is_replaced(spaces, space, 0x3fff));
	assert_false(spaces_is_replaced(spaces, space, 0x4000));	/* nothing was there */
	child = spaces_fork(spaces, 8, 7);
	assert_true(spaces_is_replaced(spaces, child, 0x2000));
	map(space, 0x1800, 0x1900, 12);
	assert_true(spaces_is_replaced(spaces, space, 0x1800));
	assert_true(spaces_is_replaced(spaces, space, 0x3fff));
	spaces_begin_round(spaces, true);
	assert_false(spaces_is_replaced(spaces, space, 0x2000));

	/* as the list of a process shows it */
	set(space, "1000-2000 r-xp 00001000 08:01 10 /a\n8000-9000 r-xp 00000000 00:00 0\n");
	spaces_begin_round(spaces, true);
	set(space, "1000-1800 r-xp 00001000 08:01 10 /a\n1900-3000 r-xp 00000000 08:01 13 /d\n");
	assert_false(spaces_is_replaced(spaces, space, 0x17ff));
	assert_true(spaces_is_replaced(spaces, space, 0x1900));
	/* generated code may move */
	spaces_begin_round(spaces, true);
	set(space, "7800-8800 r-xp 00000000 00:00 0\n");
	assert_false(spaces_is_replaced(spaces, space, 0x8000));
}

/* Adjacent mappings share no address. */
static void a_neighbour_covers_nothing(void **state)
{
	struct space *space = spaces_add(spaces, 7, 1);

	set(space, "2000-3000 r-xp 00002000 08:01 10 /a\n5000-6000 r-xp 00005000 08:01 10 /a\n");
	set(space, "3000-5000 r-xp 00003000 08:01 11 /b\n");
	assert_int_equal(space->nr, 3);
	assert_int_equal(inode_at(space, 0x2fff), 10);
	assert_int_equal(inode_at(space, 0x3000), 11);
	assert_int_equal(inode_at(space, 0x5000), 10);
}

static void equal_inodes_are_one_file(void **state)
{
	struct space *space = spaces_add(spaces, 7, 1), *other = spaces_add(spaces, 8, 2);
	struct mapped_file *file;

	set(space, "1000-2000 r-xp 00000000 08:01 10 /a\n2000-3000 r-xp 00000000 08:02 10 /a\n"
	    "3000-4000 r-xp 00000000 08:01 10 /b (deleted)\n4000-5000 r-xp 00000000 00:00 0\n"
	    "5000-6000 r-xp 00000000 00:00 0 [heap]\n6000-7000 r-xp 00000000 00:00 0 [vdso]\n");
	set(other, "9000-a000 r-xp 00000000 08:01 10 /a (deleted)\n");
	file = space->maps[0].file;
	assert_ptr_equal(other->maps[0].file, file);
	assert_int_equal(file->nr_holders, 2);
	assert_ptr_not_equal(space->maps[1].file, file);
	assert_ptr_not_equal(space->maps[2].file, file);
	assert_ptr_equal(space->maps[3].file, space->maps[4].file);
	assert_int_equal(space->maps[3].file->kind, 6);		/* PROFILE_ANON */
	assert_int_equal(space->maps[5].file->kind, 4);		/* PROFILE_VDSO */
	assert_int_equal(files.nr, 5);
	/* the inode belongs to another file now */
	files_retire(file);
	set(other, "b000-c000 r-xp 00000000 08:01 10 /a\n");
	assert_ptr_not_equal(other->maps[1].file, file);
	assert_ptr_equal(other->maps[0].file, file);
}

/* An inode that nobody maps, of a file that is not open, can become that of another file. */
static void an_unheld_inode(void **state)
{
	struct sym_map one = { .start = 0, .end = 1, .inode = 7, .path = "/unheld" };
	struct mapped_file *file = files_get(&files, &one);
	u32 serial = file->serial;

	file->object = 3;
	assert_ptr_equal(files_get(&files, &one), file);
	assert_int_equal(file->serial, serial);
	files_put(file);
	files_put(file);
	file->binary = (struct binary *)&one;
	assert_ptr_equal(files_get(&files, &one), file);
	assert_int_equal(file->serial, serial);
	files_put(file);
	file->binary = NULL;
	assert_ptr_equal(files_get(&files, &one), file);
	assert_int_not_equal(file->serial, serial);
	assert_int_equal(file->object, UINT32_MAX);
	files_put(file);
}

static void files_are_forgotten(void **state)
{
	struct sym_map one = { .start = 0, .end = 1, .path = "/x" };
	struct mapped_file *held = NULL;
	int i;

	for (i = 1; i <= FILES_MAX; i++) {
		one.inode = i;
		held = files_get(&files, &one);
		assert_non_null(held);
		held->object = i % 2 ? UINT32_MAX : 1;
		if (i < FILES_MAX)
			files_put(held);
	}
	one.inode = i;
	assert_null(files_get(&files, &one));
	assert_int_equal(files.nr_left_out, 1);
	files_trim(&files, NULL, NULL);
	assert_int_equal(files.nr, FILES_MAX / 2);
	files_trim(&files, NULL, NULL);
	assert_int_equal(files.nr, FILES_MAX / 2);
	one.inode = i;
	files_put(files_get(&files, &one));
	files_trim(&files, NULL, NULL);
	assert_int_equal(files.nr, FILES_MAX / 2);
	assert_ptr_equal(files_of_object(&files, 1)->binary, NULL);
	files_put(held);
}

static void generations(void **state)
{
	struct space *parent, *child, *next;

	parent = spaces_add(spaces, 7, 0x77);
	parent->knowledge = SPACE_ALL;
	parent->is_foreign = true;
	map(parent, 0x1000, 0x2000, 10);
	child = spaces_fork(spaces, 8, 7);
	assert_int_equal(child->id, 0x77);
	assert_true(child->is_foreign);
	assert_int_equal(child->knowledge, SPACE_ALL);
	map(child, 0x1800, 0x1900, 11);
	assert_int_equal(inode_at(child, 0x1850), 11);
	assert_int_equal(inode_at(parent, 0x1850), 10);
	/* its exec */
	next = spaces_add(spaces, 8, 0);
	assert_true(next->is_foreign);
	assert_true(child->has_ended);
	assert_ptr_equal(spaces_newest(spaces, 8), next);
	assert_ptr_equal(spaces_find(spaces, 8, 0x77), child);
	assert_null(spaces_find(spaces, 8, 0));
	assert_ptr_equal(spaces_find_nameless(spaces, 8, 0, false), next);
	assert_null(spaces_find_nameless(spaces, 8, 0, true));
	assert_null(spaces_find_nameless(spaces, 8, 12, false));
	map(next, 0x5000, 0x6000, 12);
	assert_ptr_equal(spaces_find_nameless(spaces, 8, 12, false), next);
	spaces_exit(spaces, 8);
	assert_ptr_equal(spaces_find_nameless(spaces, 8, 0, true), next);
	/* a space added as past does not end the present one */
	assert_ptr_equal(spaces_find(spaces, 7, 0x66), NULL);
	assert_true(spaces_add_past(spaces, 7, 0x66)->has_ended);
	assert_ptr_equal(spaces_newest(spaces, 7), parent);
	assert_false(parent->has_ended);
	spaces_mark_incomplete(spaces);
	assert_int_equal(parent->knowledge, SPACE_PART);
	assert_int_equal(child->knowledge, SPACE_ALL);
	/* the child of an unknown process is unknown */
	assert_int_equal(spaces_fork(spaces, 9, 99)->knowledge, SPACE_NOTHING);
}

/* A space has a new layout whenever a mapping changes, and no other space has it but a fork's. */
static void an_address_tells_the_space(void **state)
{
	struct space *fork = spaces_add(spaces, 8, 7), *exec, *other, *now;

	map(fork, 10, 20, 1);
	assert_ptr_equal(spaces_find_mapping(spaces, 8, 15), fork);
	exec = spaces_add(spaces, 8, 0);
	map(exec, 30, 40, 2);
	other = spaces_add(spaces, 8 + SPACES_BUCKETS, 0);
	map(other, 50, 60, 3);
	assert_ptr_equal(spaces_find_mapping(spaces, 8, 15), fork);
	assert_ptr_equal(spaces_find_mapping(spaces, 8, 35), exec);
	assert_null(spaces_find_mapping(spaces, 8, 55));
	/* One that has ended comes before the present one, and a newer one before an older one. */
	now = spaces_add(spaces, 8, 9);
	map(now, 10, 40, 4);
	assert_ptr_equal(spaces_find_mapping(spaces, 8, 15), fork);
	map(exec, 10, 20, 2);
	assert_ptr_equal(spaces_find_mapping(spaces, 8, 15), exec);
	assert_ptr_equal(spaces_find_mapping(spaces, 8, 25), now);
}

static void layouts(void **state)
{
	struct space *space = spaces_add(spaces, 7, 1), *other = spaces_add(spaces, 8, 1), *child;
	u32 before = space->layout;

	assert_int_not_equal(before, 0);
	assert_int_not_equal(before, other->layout);
	map(space, 0x1000, 0x2000, 10);
	assert_int_not_equal(space->layout, before);
	child = spaces_fork(spaces, 9, 7);
	assert_int_equal(child->layout, space->layout);
	assert_int_not_equal(spaces_fork(spaces, 10, 99)->layout, space->layout);
	before = space->layout;
	map(child, 0x1000, 0x2000, 11);
	assert_int_equal(space->layout, before);
	assert_int_not_equal(child->layout, before);
	set(space, "1000-2000 r-xp 00001000 08:01 12 /a\n");
	assert_int_not_equal(space->layout, before);
	spaces->last_layout = UINT32_MAX;
	spaces_touch(spaces, space);
	assert_int_not_equal(space->layout, 0);
}

static void the_past_is_forgotten(void **state)
{
	int i;

	map(spaces_add(spaces, 7, 1), 0x1000, 0x2000, 1);
	map(spaces_add(spaces, 7, 2), 0x1000, 0x2000, 1);
	map(spaces_add(spaces, 8 + SPACES_BUCKETS, 1), 0x1000, 0x2000, 1);
	for (i = 0; i < SPACES_ROUNDS_KEPT; i++)
		spaces_begin_round(spaces, true);
	assert_int_equal(spaces->nr, 3);
	spaces_begin_round(spaces, true);
	assert_int_equal(spaces->nr, 2);
	assert_int_equal(spaces->nr_maps, 2);
	assert_null(spaces_find(spaces, 7, 1));
	for (i = 0; i < 10 * SPACES_ROUNDS_IDLE; i++)
		spaces_begin_round(spaces, true);
	assert_int_equal(spaces->nr, 2);
	spaces_begin_round(spaces, false);
	assert_int_equal(spaces->nr, 0);
}

static void room_is_limited(void **state)
{
	struct space *space = spaces_add(spaces, 1, 1);
	u64 i;

	for (i = 0; i < SPACE_MAPS_MAX + 10; i++)
		map(space, 0x2000 * i, 0x2000 * i + 0x1000, 1 + i % 5);
	assert_int_equal(space->nr, SPACE_MAPS_MAX - 1);
	assert_int_equal(spaces->nr_left_out, 11);
	/* and remains usable */
	assert_int_equal(inode_at(space, 0x2000), 2);
	assert_ptr_equal(space_at(space, 0x1000), NULL);
	for (i = 2; spaces->nr < SPACES_MAX; i++)
		assert_non_null(spaces_add(spaces, i, 1));
	assert_null(spaces_add(spaces, i, 1));
	assert_null(spaces_fork(spaces, i, 1));
	assert_int_equal(spaces->nr_left_out, 13);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(newer_covers_older, begin, finish),
		cmocka_unit_test_setup_teardown(unmapped_code_is_remembered, begin, finish),
		cmocka_unit_test_setup_teardown(code_is_replaced, begin, finish),
		cmocka_unit_test_setup_teardown(a_neighbour_covers_nothing, begin, finish),
		cmocka_unit_test_setup_teardown(equal_inodes_are_one_file, begin, finish),
		cmocka_unit_test_setup_teardown(an_unheld_inode, begin, finish),
		cmocka_unit_test_setup_teardown(files_are_forgotten, begin, finish),
		cmocka_unit_test_setup_teardown(generations, begin, finish),
		cmocka_unit_test_setup_teardown(an_address_tells_the_space, begin, finish),
		cmocka_unit_test_setup_teardown(layouts, begin, finish),
		cmocka_unit_test_setup_teardown(the_past_is_forgotten, begin, finish),
		cmocka_unit_test_setup_teardown(room_is_limited, begin, finish),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
