// SPDX-License-Identifier: GPL-2.0-only
/* The kernel's type information: cli/bpf/btf.c, on files written here, whole and malformed. */
#include <errno.h>
#include <linux/btf.h>
#include <sys/mman.h>
#include <unistd.h>

#include "unit.h"
#include "bpf/btf.h"

#define INFO(kind, nr) ((u32)(kind) << 24 | (nr))

static const char strings[] = "\0int\0preempt_count\0__preempt_count\0hot\0current\0long\0word\0cycle\0count_t\0short";

/* Offset of a string. */
static u32 at(const char *text)
{
	const char *string = strings + 1;

	while (strcmp(string, text))
		string += strlen(string) + 1;
	return string - strings;
}

/* The types, by number: what follows each begins with its name. */
static u32 words[61440];
static u32 nr_words;

static void put(u32 nr, const u32 *from)
{
	memcpy(words + nr_words, from, nr * sizeof(u32));
	nr_words += nr;
}

#define PUT(...) put(sizeof((u32[]){ __VA_ARGS__ }) / sizeof(u32), (u32[]){ __VA_ARGS__ })

static void put_types(void)
{
	nr_words = 0;
	PUT(at("int"), INFO(BTF_KIND_INT, 0), 4, 32);				/* 1 */
	PUT(at("long"), INFO(BTF_KIND_INT, 0), 8, 64);				/* 2 */
	PUT(at("count_t"), INFO(BTF_KIND_TYPEDEF, 0), 4);			/* 3 */
	PUT(0, INFO(BTF_KIND_CONST, 0), 1);					/* 4 */
	/* struct hot { union { struct { long current; count_t preempt_count; }; long word; }; } */
	PUT(0, INFO(BTF_KIND_STRUCT, 2), 16, at("current"), 2, 0, at("preempt_count"), 3, 64);	/* 5 */
	PUT(0, INFO(BTF_KIND_UNION, 2), 16, 0, 5, 0, at("word"), 2, 0);		/* 6 */
	PUT(at("hot"), INFO(BTF_KIND_STRUCT, 2), 24, at("current"), 2, 0, 0, 6, 64);	/* 7 */
	PUT(at("hot"), INFO(BTF_KIND_VAR, 0), 7, 1);				/* 8 */
	PUT(at("__preempt_count"), INFO(BTF_KIND_VAR, 0), 4, 1);		/* 9 */
	PUT(at("long"), INFO(BTF_KIND_VAR, 0), 2, 1);				/* 10 */
	PUT(at("cycle"), INFO(BTF_KIND_STRUCT, 1), 8, 0, 11, 0);		/* 11 */
	PUT(at("cycle"), INFO(BTF_KIND_VAR, 0), 11, 1);				/* 12 */
	PUT(at("hot"), INFO(BTF_KIND_DATASEC, 2), 0, 8, 0, 24, 9, 24, 4);	/* 13 */
	PUT(at("short"), INFO(BTF_KIND_INT, 0), 2, 16);				/* 14 */
	PUT(at("short"), INFO(BTF_KIND_VAR, 0), 14, 1);				/* 15 */
}

/* A file of the types; @len: cut there, 0: whole. */
static int make_file(size_t len)
{
	struct btf_header header = {
		.magic = BTF_MAGIC, .version = BTF_VERSION, .hdr_len = sizeof(header),
		.type_len = nr_words * sizeof(u32), .str_off = nr_words * sizeof(u32),
		.str_len = sizeof(strings),
	};
	const size_t all = sizeof(header) + header.type_len + sizeof(strings);
	int fd = memfd_create("btf", MFD_CLOEXEC);

	assert_true(fd >= 0);
	assert_int_equal(write(fd, &header, sizeof(header)), sizeof(header));
	assert_int_equal(write(fd, words, header.type_len), header.type_len);
	assert_int_equal(write(fd, strings, sizeof(strings)), sizeof(strings));
	assert_int_equal(ftruncate(fd, len ?: all), 0);
	return fd;
}

static const struct btf_name hot = { .name = "hot", .member = "preempt_count" };

static int find(const char *variable, const char *member, struct btf_place *place)
{
	int fd = make_file(0), error;

	*place = (struct btf_place){ .id = 0 };
	error = btf_find_int(fd, &(struct btf_name){ .name = variable, .member = member }, 1, place);
	close(fd);
	return error;
}

static int find_in_type(const char *type, const char *member, struct btf_place *place)
{
	int fd = make_file(0), error;

	*place = (struct btf_place){ .id = 0 };
	error = btf_find_int(fd, &(struct btf_name){ .name = type, .member = member, .is_type = true }, 1, place);
	close(fd);
	return error;
}

static void ints_are_found(void **state)
{
	struct btf_place place;

	put_types();
	assert_int_equal(find("__preempt_count", NULL, &place), 0);
	assert_true(place.id == 9 && place.offset == 0);
	assert_int_equal(find("hot", "preempt_count", &place), 0);
	assert_true(place.id == 8 && place.offset == 16);
	/* of eight bytes */
	assert_int_equal(find("long", NULL, &place), 0);
	assert_true(place.id == 10 && place.offset == 0);
	assert_int_equal(find("hot", "word", &place), 0);
	assert_true(place.id == 8 && place.offset == 8);
}

/* A structure may have the name of a variable: each is found as what it is. */
static void ints_of_structures_are_found(void **state)
{
	struct btf_place place;

	put_types();
	assert_int_equal(find_in_type("hot", "preempt_count", &place), 0);
	assert_true(place.id == 7 && place.offset == 16);
	assert_int_equal(find_in_type("hot", "current", &place), 0);
	assert_true(place.id == 7 && place.offset == 0);
	assert_int_equal(find_in_type("hot", "nothing", &place), -ENOENT);
	assert_int_equal(find_in_type("hot", NULL, &place), -ENOENT);
	assert_int_equal(find_in_type("cycle", "preempt_count", &place), -ENOENT);
	/* variables and other types */
	assert_int_equal(find_in_type("__preempt_count", NULL, &place), -ENOENT);
	assert_int_equal(find_in_type("int", NULL, &place), -ENOENT);
	assert_int_equal(place.id, 0);
}

/* One of several names is there, as in kernels of different versions. */
static void one_of_several_names_is_found(void **state)
{
	static const struct btf_name names[] = {
		{ .name = "nothing", .member = "preempt_count" }, { .name = "short" }, { .name = "__preempt_count" },
	};
	struct btf_place place = { .id = 0 };
	int fd;

	put_types();
	fd = make_file(0);
	assert_int_equal(btf_find_int(fd, names, 3, &place), 0);
	assert_true(place.id == 9 && place.offset == 0);
	assert_int_equal(btf_find_int(fd, names, 2, &place), -ENOENT);
	assert_int_equal(btf_find_int(fd, names, 0, &place), -ENOENT);
	close(fd);
}

/* A file longer than what is read at once: types and members cross the borders of what is. */
static void long_files_are_read(void **state)
{
	struct btf_place place;
	u32 nr;

	for (nr = 1010; nr < 1030; nr++) {
		nr_words = 0;
		PUT(at("int"), INFO(BTF_KIND_INT, 0), 4, 32);			/* 1 */
		while (nr_words < nr)
			PUT(0, INFO(BTF_KIND_ENUM, 0), 4);
		PUT(at("hot"), INFO(BTF_KIND_STRUCT, 2), 8, at("current"), 1, 0, at("preempt_count"), 1, 32);
		PUT(at("hot"), INFO(BTF_KIND_VAR, 0), (nr - 4 + 2) / 3 + 2, 1);
		assert_int_equal(find("hot", "preempt_count", &place), 0);
		assert_int_equal(place.offset, 4);
	}
}

/* Bytes that this process has read; 0: the kernel does not count them. */
static unsigned long count_read(void)
{
	unsigned long nr = 0;
	FILE *file = fopen("/proc/self/io", "re");

	if (file) {
		(void)!fscanf(file, "rchar: %lu", &nr);
		fclose(file);
	}
	return nr;
}

/* The start of a session waits for it: the types are read once, whatever names there are. */
static void files_are_read_once(void **state)
{
	static const struct btf_name names[] = {
		{ .name = "nothing", .member = "current" }, { .name = "hot", .member = "preempt_count" },
		{ .name = "__preempt_count" },
	};
	struct btf_place place;
	unsigned long before;
	int fd;

	nr_words = 0;
	PUT(at("int"), INFO(BTF_KIND_INT, 0), 4, 32);
	while (nr_words < 60000)
		PUT(0, INFO(BTF_KIND_ENUM, 0), 4);
	PUT(at("__preempt_count"), INFO(BTF_KIND_VAR, 0), 1, 1);
	fd = make_file(0);
	before = count_read();
	assert_int_equal(btf_find_int(fd, names, 3, &place), 0);
	assert_in_range(count_read() - before, 0, 60000 * sizeof(u32) * 5 / 4);
	close(fd);
}

static void other_things_are_not(void **state)
{
	struct btf_place place;

	put_types();
	assert_int_equal(find("preempt_count", NULL, &place), -ENOENT);
	assert_int_equal(find("nothing", NULL, &place), -ENOENT);
	assert_int_equal(find("hot", NULL, &place), -ENOENT);
	assert_int_equal(find("short", NULL, &place), -ENOENT);
	assert_int_equal(find("hot", "int", &place), -ENOENT);
	assert_int_equal(find("hot", "nothing", &place), -ENOENT);
	assert_int_equal(find("__preempt_count", "preempt_count", &place), -ENOENT);
	/* It contains itself. */
	assert_int_equal(find("cycle", "preempt_count", &place), -ENOENT);
	assert_int_equal(place.id, 0);
}

static void cut_files_are_refused(void **state)
{
	const size_t whole = sizeof(struct btf_header) + (put_types(), nr_words) * sizeof(u32) + sizeof(strings);
	size_t len;

	for (len = 1; len < whole; len++) {
		struct btf_place place = { .id = 0 };
		int fd = make_file(len), error = btf_find_int(fd, &hot, 1, &place);

		close(fd);
		/* Strings are last: without the name of the variable nothing more is read. */
		if (error && (error == -EBADMSG || error == -ENOENT))
			continue;
		assert_int_equal(error, 0);
		assert_true(len >= sizeof(struct btf_header) + nr_words * sizeof(u32));
	}
}

static void malformed_files_are_refused(void **state)
{
	struct btf_place place = { .id = 0 };
	unsigned char byte = 0;
	int fd;

	put_types();
	/* an unknown kind before the variable */
	words[1] = INFO(31, 0);
	assert_int_equal(find("hot", "preempt_count", &place), -EBADMSG);
	/* more members than there are bytes */
	put_types();
	nr_words = 0;
	PUT(at("hot"), INFO(BTF_KIND_STRUCT, 0xffff), 24, at("current"), 2, 0);
	PUT(at("hot"), INFO(BTF_KIND_VAR, 0), 7, 1);
	assert_int_equal(find("hot", "preempt_count", &place), -EBADMSG);
	/* a type that there is not, and one that is itself */
	nr_words = 0;
	PUT(at("hot"), INFO(BTF_KIND_VAR, 0), 77, 1);
	PUT(at("cycle"), INFO(BTF_KIND_TYPEDEF, 0), 2);
	PUT(at("long"), INFO(BTF_KIND_VAR, 0), 2, 1);
	assert_int_equal(find("hot", "preempt_count", &place), -ENOENT);
	assert_int_equal(find("hot", NULL, &place), -ENOENT);
	assert_int_equal(find("long", NULL, &place), -ENOENT);
	/* another magic number */
	put_types();
	fd = make_file(0);
	assert_int_equal(pwrite(fd, &byte, 1, 0), 1);
	assert_int_equal(btf_find_int(fd, &hot, 1, &place), -EBADMSG);
	close(fd);
	assert_int_equal(btf_find_int(-1, &hot, 1, &place), -EBADF);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(ints_are_found),
		cmocka_unit_test(ints_of_structures_are_found),
		cmocka_unit_test(one_of_several_names_is_found),
		cmocka_unit_test(long_files_are_read),
		cmocka_unit_test(files_are_read_once),
		cmocka_unit_test(other_things_are_not),
		cmocka_unit_test(cut_files_are_refused),
		cmocka_unit_test(malformed_files_are_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
