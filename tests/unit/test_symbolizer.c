// SPDX-License-Identifier: GPL-2.0-only
/* The symbolizer on its own test program, on text, and on damaged copies of both. */
#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "directory.h"
#include "inputs.h"

static int create_text(const char *text, struct sym_index **index_ret)
{
	int fd = memfd_of(text, strlen(text));
	int error = sym_index_create(fd, index_ret, NULL);

	close(fd);
	return error;
}

/* The readable name of the owner of an address. */
static const char *name_at(const struct sym_index *index, u64 addr)
{
	static char name[256];
	const struct sym *sym = sym_index_find(index, addr);

	assert_non_null(sym);
	sym_name(sym, name, sizeof(name));
	return name;
}

/* Each entry of every index: disjoint, ascending, not empty, found by its addresses. */
static void check_index(const struct sym_index *index)
{
	for (size_t i = 0; i < sym_index_size(index); i++) {
		const struct sym *sym = sym_index_at(index, i);

		assert_true(sym->start < sym->end && sym->entry <= sym->start);
		if (i)
			assert_true(sym_index_at(index, i - 1)->end <= sym->start);
		assert_ptr_equal(sym_index_find(index, sym->start), sym);
		assert_ptr_equal(sym_index_find(index, sym->end - 1), sym);
	}
}

static void own_executable(void **state)
{
	int fd = open("/proc/self/exe", O_RDONLY);
	struct sym_image image;
	struct sym_index *index;
	u64 addr, other;

	assert_int_equal(sym_image_read(fd, &image, NULL), 0);
	assert_int_equal(image.build_id_len, 20);
	assert_int_equal(sym_index_create(fd, &index, NULL), 0);
	check_index(index);
	assert_true(sym_index_by_name(index, "own_executable", &addr));
	assert_true(sym_index_by_name(index, "check_index", &other));
	assert_true(image.code_start <= addr && addr < image.code_end);
	/* the distance between two functions is the same in the file and in memory */
	assert_true(addr - other == (u64)own_executable - (u64)check_index);
	assert_string_equal(name_at(index, addr + 3), "own_executable");
	assert_false(sym_index_by_name(index, "no_such_function", &addr));
	assert_true(sym_index_agreement(index, index) == 1);
	sym_index_destroy(index);
	close(fd);
}

static void text_forms(void **state)
{
	struct sym_index *index;
	u64 addr;

	assert_int_equal(create_text("0000000000001000 T first\r\n"
				     "                 U undefined\n"
				     "1010 0000000000000008 t second\n"
				     "1020 D data\n"
				     "garbage\n11111111111111111 T too_long\n"
				     "1030 W _ZN3foo3barEi\n"
				     "1030 t zzz_alias_of_bar\n"
				     "2000 T last", &index), 0);
	check_index(index);
	assert_int_equal(sym_index_size(index), 4);
	assert_string_equal(name_at(index, 0x100f), "first");
	assert_string_equal(name_at(index, 0x1017), "second");
	assert_null(sym_index_find(index, 0x1018));
	assert_null(sym_index_find(index, 0xfff));
	assert_string_equal(name_at(index, 0x1fff), "foo::bar");
	assert_int_equal(sym_index_find(index, 0x2fff)->entry, 0x2000);
	assert_null(sym_index_find(index, 0x3000));
	assert_true(sym_index_by_name(index, "zzz_alias_of_bar", &addr) && addr == 0x1030);
	assert_true(sym_index_by_name(index, "foo::bar", &addr) && addr == 0x1030);
	assert_true(sym_index_by_name(index, "_ZN3foo3barEi", &addr) && addr == 0x1030);
	assert_int_equal(sym_index_lower_bound(index, 0x1018), 2);
	sym_index_destroy(index);
}

/* Inner symbols own their part; the outer one resumes after them, in an entry of its own. */
/* C++, both Rust schemes, and names that are not mangled. */
static void demangled(void **state)
{
	static const char text[] = "1000 10 T _ZN3foo3barEi\n"
		"1010 10 T _ZN4core3fmt9Formatter3pad17h0123456789abcdefE\n"
		"1020 10 T _RNvCskwGfYPst2Cb_3foo3bar\n1030 10 T _Rust_is_not_this\n";
	static const char *const readable[] = {
		"foo::bar", "core::fmt::Formatter::pad", "foo::bar", "_Rust_is_not_this"
	};
	int fd = memfd_of(text, sizeof(text) - 1);
	struct sym_index *index;
	char name[64];

	assert_int_equal(sym_index_create_text(fd, &index, NULL), 0);
	for (int i = 0; i < 4; i++) {
		sym_name(sym_index_find(index, 0x1000 + i * 16), name, sizeof(name));
		assert_string_equal(name, readable[i]);
	}
	sym_index_destroy(index);
	close(fd);
}

static void nested(void **state)
{
	static const struct { u64 addr; const char *name; } owner[] = {
		{ 0x1000, "outer" }, { 0x1010, "inner" }, { 0x1014, "core" }, { 0x1018, "inner" },
		{ 0x1020, "outer" }, { 0x10ff, "outer" }, { 0x1100, "crossing" },
		{ 0x117f, "crossing" },
	};
	struct sym_index *index;

	assert_int_equal(create_text("1000 100 T outer\n1010 10 T inner\n1014 4 T core\n"
				     "10f0 90 T crossing_start\n1100 80 T crossing\n", &index), 0);
	check_index(index);
	for (size_t i = 0; i < 5; i++)
		assert_string_equal(name_at(index, owner[i].addr), owner[i].name);
	assert_int_equal(sym_index_find(index, 0x1020)->entry, 0x1000);
	assert_string_equal(name_at(index, 0x10ff), "crossing_start");
	assert_string_equal(name_at(index, 0x117f), "crossing");
	sym_index_destroy(index);
}

static void refused(void **state)
{
	struct sym_index *index;
	int fd;

	assert_int_equal(create_text("", &index), -ENODATA);
	assert_int_equal(create_text("hello\nworld\n", &index), -ENODATA);
	/* nothing can own the very last address */
	assert_int_equal(create_text("ffffffffffffffff T last\n", &index), -ENODATA);
	fd = memfd_of("1000 T a\0b\n", 11);
	assert_int_equal(sym_index_create(fd, &index, NULL), -EINVAL);
	close(fd);
	fd = memfd_of("\177ELF", 4);
	assert_int_equal(sym_index_create(fd, &index, NULL), -ENOEXEC);
	close(fd);
}

static void kallsyms(void **state)
{
	static const char hidden[] = "0000000000000000 T _stext\n0000000000000000 t other\n";
	static const char shown[] = "0000000000000000 A fixed_percpu\nffffffff81000000 T _stext\n"
		"ffffffff81000008 t __pfx_work\nffffffff81000010 t work\n"
		"ffffffffc0001000 t init\t[some_module]\n";
	struct sym_index *index;
	char path[64];
	int fd = memfd_of(hidden, sizeof(hidden) - 1);

	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	assert_int_equal(sym_index_create_kallsyms(path, &index, NULL), -EACCES);
	close(fd);
	fd = memfd_of(shown, sizeof(shown) - 1);
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	assert_int_equal(sym_index_create_kallsyms(path, &index, NULL), 0);
	assert_string_equal(name_at(index, 0xffffffff81000018), "work");
	assert_string_equal(name_at(index, 0xffffffff8100000c), "_stext");
	assert_string_equal(name_at(index, 0xffffffffc0001000), "init [some_module]");
	sym_index_destroy(index);
	close(fd);
}

static void agreement(void **state)
{
	struct sym_index *a, *b, *c;

	assert_int_equal(create_text("1000 T x\n1010 T y\n1020 T z\n", &a), 0);
	assert_int_equal(create_text("1000 T x\n1018 T y\n", &b), 0);
	assert_int_equal(create_text("1000 T other\n", &c), 0);
	assert_true(sym_index_agreement(b, a) == 0.5);
	assert_true(sym_index_agreement(c, a) == 0);
	sym_index_destroy(a);
	sym_index_destroy(b);
	sym_index_destroy(c);
}

static void names_are_harmless(void **state)
{
	struct sym_index *index;

	assert_int_equal(create_text("1000 T evil\033[2J\n1010 T caf\xc3\xa9\n"
				     "1020 T bad\xff\n", &index), 0);
	assert_string_equal(name_at(index, 0x1000), "evil?[2J");
	assert_string_equal(name_at(index, 0x1010), "caf\xc3\xa9");
	assert_string_equal(name_at(index, 0x1020), "bad?");
	sym_index_destroy(index);
}

/* Truncated at many lengths, or with bytes changed at random: an error or fewer symbols. */
static void damaged_elf(void **state)
{
	int self = open("/bin/true", O_RDONLY), fd;
	unsigned char *bytes, *copy;
	u64 x = 1;
	struct stat info;

	assert_int_equal(fstat(self, &info), 0);
	bytes = malloc(info.st_size);
	copy = malloc(info.st_size);
	assert_int_equal(read(self, bytes, info.st_size), info.st_size);
	for (int round = 0; round < 1500; round++) {
		size_t len = round % 2 ? info.st_size * (size_t)round / 1500 : (size_t)info.st_size;
		struct sym_index *index = NULL;
		struct sym_image image;

		memcpy(copy, bytes, info.st_size);
		for (int flips = 0; flips < round % 20; flips++) {
			x = x * 6364136223846793005ULL + 1442695040888963407ULL;
			/* most changes are in the headers, at either end */
			size_t at = (x >> 33) % 3 == 0 ? (x >> 20) % info.st_size :
				(x >> 33) % 3 == 1 ? (x >> 20) % 1024 :
				info.st_size - 1 - (x >> 20) % 2048;
			copy[at] = x >> 56;
		}
		fd = memfd_of(copy, len);
		sym_image_read(fd, &image, NULL);
		if (!sym_index_create(fd, &index, NULL))
			check_index(index);
		sym_index_destroy(index);
		close(fd);
	}
	free(bytes);
	free(copy);
	close(self);
}

/* This program, its separate debug file, and stripped copies in several states. */
static void make_stripped(void)
{
	sh("cp /proc/$PPID/exe whole && mkdir -p sub/.debug &&"
	   "objcopy --only-keep-debug whole sub/.debug/whole.debug &&"
	   "objcopy --strip-all -R .gnu_debugdata whole bare &&"
	   "objcopy --add-gnu-debuglink=sub/.debug/whole.debug bare sub/linked &&"
	   "objcopy --only-keep-debug whole keep && xz -k keep &&"
	   "objcopy --add-section .gnu_debugdata=keep.xz bare packed &&"
	   "mkdir -p other && objcopy --only-keep-debug /bin/true other/whole.debug &&"
	   "cp sub/linked other/linked && "
	   "mkdir -p cycle && cp sub/linked cycle/whole.debug && cp sub/linked cycle/linked "
	   "&& id=$(readelf -n whole | sed -n 's/.*Build ID: //p') && "
	   "at=root/usr/lib/debug/.build-id/$(echo $id | cut -c 1-2) && mkdir -p $at && "
	   "cp keep $at/$(echo $id | cut -c 3-).debug && "
	   "objcopy -R .note.gnu.build-id sub/linked sub/anonymous && : >empty");
}

/* @root: directory, among those made here, that is the process's root; NULL: none. */
static int create_object(const char *root, const char *name, struct sym_index **index_ret,
			 struct sym_origin *origin_ret)
{
	int fd = open(in_directory(name), O_RDONLY), error;

	assert_true(fd >= 0);
	error = sym_index_create_object(fd, in_directory(name), root ? in_directory(root) : "",
					index_ret, origin_ret, NULL);
	close(fd);
	return error;
}

static bool knows(const struct sym_index *index, const char *name)
{
	u64 addr;

	return sym_index_by_name(index, name, &addr);
}

/* Whether static functions of an object have names, which only its debug file contains. */
static bool has_names(const char *root, const char *name, struct sym_origin *origin_ret)
{
	struct sym_index *index;
	bool is_known;

	assert_int_equal(create_object(root, name, &index, origin_ret), 0);
	is_known = knows(index, "separate_symbols");
	sym_index_destroy(index);
	return is_known;
}

/* A stripped copy: names from its debug file by link, not from another's, from .gnu_debugdata. */
static void separate_symbols(void **state)
{
	struct sym_origin origin;
	struct sym_index *index;

	make_stripped();
	assert_int_equal(create_object(NULL, "whole", &index, &origin), 0);
	assert_true(knows(index, "separate_symbols") && knows(index, "memcpy@plt"));
	assert_true(!origin.path[0] && !origin.passed[0]);
	sym_index_destroy(index);

	assert_int_equal(create_object(NULL, "bare", &index, &origin), 0);
	assert_false(knows(index, "separate_symbols"));
	assert_true(knows(index, "memcpy@plt"));
	sym_index_destroy(index);

	assert_true(has_names(NULL, "sub/linked", &origin));
	assert_non_null(strstr(origin.path, "/sub/.debug/whole.debug"));
	/* Without a build-id the checksum decides. */
	assert_true(has_names(NULL, "sub/anonymous", &origin));
	sh("printf x >>sub/.debug/whole.debug");
	assert_false(has_names(NULL, "sub/anonymous", &origin));
	/* A file of holes may have any length: its checksum would take hours. */
	sh("truncate -s +64M sub/.debug/whole.debug && "
	   "objcopy -R .note.gnu.build-id --add-gnu-debuglink=sub/.debug/whole.debug bare sub/holes");
	assert_false(has_names(NULL, "sub/holes", &origin));

	assert_false(has_names(NULL, "other/linked", &origin));
	assert_non_null(strstr(origin.passed, "/other/whole.debug"));
	/* By build-id, below the root of the process. */
	assert_true(has_names("root", "bare", &origin));
	assert_non_null(strstr(origin.path, "/usr/lib/debug/.build-id/"));
	/* A link leads to the same place as for the process: not out of its root. */
	sh("mkdir -p jail/usr/lib && ln -s $PWD/root/usr/lib/debug jail/usr/lib/debug && "
	   "mkdir -p cell/usr/lib && mv root/usr/lib/debug cell/debug && ln -s /debug cell/usr/lib/debug && "
	   "ln -s $PWD/cell/debug root/usr/lib/debug");
	assert_false(has_names("jail", "bare", &origin));
	assert_true(has_names("cell", "bare", &origin));
	/* A debug file whose link names itself. */
	assert_false(has_names(NULL, "cycle/linked", &origin));
	assert_false(has_names(NULL, "cycle/whole.debug", &origin));
	assert_true(has_names(NULL, "packed", &origin));
	assert_int_equal(create_object(NULL, "empty", &index, &origin), -ENOEXEC);
}

/* A child leads a session without a terminal; opening one without O_NOCTTY would give it that. */
static bool gets_terminal(const char *path)
{
	int status = 0;
	pid_t child = fork();

	if (!child) {
		setsid();
		sym_open_regular(path, 0);
		_exit(open("/dev/tty", O_RDONLY) >= 0);
	}
	assert_int_equal(waitpid(child, &status, 0), child);
	return status;
}

static void only_regular_files_are_opened(void **state)
{
	int terminal = posix_openpt(O_RDWR | O_NOCTTY), fd;
	struct stat info;

	sh("echo >regular; mkfifo pipe; ln -s regular link");
	assert_int_equal(stat(in_directory("regular"), &info), 0);
	fd = sym_open_regular(in_directory("regular"), info.st_ino);
	assert_true(fd >= 0);
	assert_int_equal(close(fd), 0);
	assert_int_equal(sym_open_regular(in_directory("regular"), info.st_ino + 1), -ESTALE);
	assert_int_equal(sym_open_regular(in_directory("none"), 0), -ENOENT);
	fd = sym_open_regular(in_directory("link"), info.st_ino);
	assert_true(fd >= 0);
	assert_int_equal(close(fd), 0);
	assert_int_equal(sym_open_inside_nofollow(NULL, in_directory("link")), -EINVAL);
	fd = sym_open_inside_nofollow("", in_directory("regular"));
	assert_true(fd >= 0);
	assert_int_equal(close(fd), 0);
	sh("mkdir inner && ln -s $PWD inner/out && ln -s ../regular inner/up && ln -s /found inner/link && "
	   "echo >inner/found");
	assert_int_equal(sym_open_inside(in_directory("inner"), "/out/regular", 0), -ENOENT);
	assert_int_equal(sym_open_inside(in_directory("inner"), "/up", 0), -ENOENT);
	assert_int_equal(sym_open_inside(in_directory("inner"), "/found", info.st_ino), -ESTALE);
	assert_int_equal(sym_open_inside(in_directory("none"), "/found", 0), -ENOENT);
	fd = sym_open_inside(in_directory("inner"), "/link", 0);
	assert_true(fd >= 0);
	assert_int_equal(close(fd), 0);
	assert_int_equal(sym_open_regular(in_directory("pipe"), 0), -EINVAL);
	assert_int_equal(sym_open_regular(directory, 0), -EINVAL);
	assert_true(terminal >= 0 && !grantpt(terminal) && !unlockpt(terminal));
	assert_int_equal(sym_open_regular(ptsname(terminal), 0), -EINVAL);
	assert_false(gets_terminal(ptsname(terminal)));
	close(terminal);
}

static void maps_text(void **state)
{
	char text[] =
		"55d0a000-55d0b000 r--p 00000000 fe:01 1234                       /usr/bin/prog\n"
		"55d0b000-55d0f000 r-xp 00001000 fe:01 1234                       /usr/bin/prog "
		"(deleted)\n"
		"7f000000-7f001000 rwxp 00000000 00:00 0 \n"
		"7ffd0000-7ffd2000 r-xp 00000000 00:00 0                          [vdso]\n"
		"garbage\n9-8 r-xp 0 0:0 0 backwards\n";
	struct sym_maps maps;

	assert_int_equal(sym_maps_parse(text, &maps), 0);
	assert_int_equal(maps.nr, 3);
	assert_string_equal(maps.maps[0].path, "/usr/bin/prog");
	assert_true(maps.maps[0].is_deleted && maps.maps[0].inode == 1234);
	assert_int_equal(maps.maps[0].offset, 0x1000);
	assert_string_equal(maps.maps[1].path, "");
	assert_string_equal(maps.maps[2].path, "[vdso]");
	sym_maps_deinit(&maps);
	assert_int_equal(sym_maps_read(getpid(), &maps), 0);
	assert_true(maps.nr > 2);
	sym_maps_deinit(&maps);
	assert_int_equal(sym_maps_read(0x7ffffffe, &maps), -ESRCH);
}

static void modules_text(void **state)
{
	static const char shown[] = "zeta 16384 0 - Live 0xffffffffc0004000\n"
		"alpha 20480 1 zeta, Live 0xffffffffc0000000 (OE)\n";
	static const char hidden[] = "zeta 16384 0 - Live 0x0000000000000000\n";
	struct sym_maps maps;
	char path[64];
	int fd = memfd_of(shown, sizeof(shown) - 1);

	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	assert_int_equal(sym_modules_read(path, &maps), 0);
	assert_int_equal(maps.nr, 2);
	assert_string_equal(maps.maps[0].path, "alpha");
	assert_true(maps.maps[0].end == 0xffffffffc0004000);	/* clipped */
	sym_maps_deinit(&maps);
	close(fd);
	fd = memfd_of(hidden, sizeof(hidden) - 1);
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	assert_int_equal(sym_modules_read(path, &maps), -EACCES);
	close(fd);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(own_executable), cmocka_unit_test(text_forms),
		cmocka_unit_test(nested), cmocka_unit_test(demangled), cmocka_unit_test(refused),
		cmocka_unit_test(kallsyms), cmocka_unit_test(agreement),
		cmocka_unit_test(names_are_harmless), cmocka_unit_test(damaged_elf),
		cmocka_unit_test(separate_symbols),
		cmocka_unit_test(only_regular_files_are_opened), cmocka_unit_test(maps_text),
		cmocka_unit_test(modules_text),
	};

	return cmocka_run_group_tests(tests, make_directory, remove_directory);
}
