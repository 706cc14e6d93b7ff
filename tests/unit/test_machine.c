// SPDX-License-Identifier: GPL-2.0-only
/* Virtual machines: their names, and the rows of their processes: cli/machines/. */
#include "directory.h"
#include "machines/machine_look.h"
#include "machines/machine_map.h"

#define PROCESS(number, hash)	{ (u64)(number) << 32 | (hash), 1000 + (number) }

/* @len counts the NUL at the end of the literal. */
static const char *name_of(const char *line, size_t len)
{
	static char name[MACHINE_NAME_LEN];

	bool is_found = machine_name_of_command(line, len, name);

	assert_int_equal(is_found, name[0] != '\0');
	return name;
}
#define NAME_OF(line)	name_of(line, sizeof(line))

static void command_lines_name_machines(void **state)
{
	assert_string_equal(NAME_OF("qemu\0-name\0guest=alpha,debug-threads=on\0-m\0" "1"), "alpha");
	assert_string_equal(NAME_OF("qemu\0-m\0" "1\0-name\0debug-threads=on,guest=alpha"), "alpha");
	assert_string_equal(NAME_OF("qemu\0-name\0beta"), "beta");
	assert_string_equal(NAME_OF("qemu\0-name\0beta,process=x"), "beta");
	assert_string_equal(NAME_OF("qemu\0--name\0beta"), "beta");
	assert_string_equal(NAME_OF("qemu\0-name\0guest=a,,b,process=x"), "a,b");
	assert_string_equal(NAME_OF("qemu\0-name\0a,,b"), "a,b");
	assert_string_equal(NAME_OF("firecracker\0--api-sock\0/run/x\0--id\0gamma"), "gamma");
	assert_string_equal(NAME_OF("firecracker\0--id=gamma,1"), "gamma,1");
	assert_string_equal(NAME_OF("crosvm\0--name=delta\0-name\0other"), "delta");
	/* Neither the program itself, nor what follows the options, nor a value. */
	assert_string_equal(NAME_OF("-name\0x"), "");
	assert_string_equal(NAME_OF("vmm\0--\0--name\0x"), "");
	assert_string_equal(NAME_OF("qemu\0-name"), "");
	assert_string_equal(NAME_OF("qemu\0-name\0debug-threads=on"), "");
	assert_string_equal(NAME_OF("qemu\0-named\0x\0-device\0virtio,id=x"), "");
	assert_string_equal(NAME_OF("qemu\0-name\0\0-m\0" "1"), "");
	assert_string_equal(NAME_OF(""), "");
	assert_string_equal(name_of("qemu", 4), "");
	assert_string_equal(name_of("", 0), "");
	/* The file may end within an argument. */
	assert_string_equal(name_of("qemu\0-name\0alpha", 14), "alp");
}

static void long_names_are_cut(void **state)
{
	static char line[9000] = "qemu\0-name\0guest=";
	char name[MACHINE_NAME_LEN];

	memset(line + 17, 'x', sizeof(line) - 17);
	assert_true(machine_name_of_command(line, sizeof(line), name));
	assert_int_equal(strlen(name), MACHINE_NAME_LEN - 1);
}

static void groups_name_machines(void **state)
{
	static const char *const paths[][2] = {
		{ "/machine.slice/machine-qemu\\x2d1\\x2dalpha.scope", "alpha" },
		{ "0::/machine.slice/machine-qemu\\x2d12\\x2dweb\\x2d1.scope/libvirt/emulator", "web-1" },
		{ "4:cpu,cpuacct:/machine.slice/machine-qemu\\x2d1\\x2dalpha.scope", "alpha" },
		{ "/machine.slice/machine-other\\x2d1.scope", "other-1" },
		{ "/machine.slice/machine-qemu\\x2d1.scope", "qemu-1" },
		{ "/machine.slice/machine-qemu\\x2d\\x2dweb.scope", "qemu--web" },
		{ "/system.slice/docker-0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef.scope",
		  "docker 0123456789ab" },
		{ "/user.slice/user-1000.slice/session-3.scope", "" },
		{ "/", "" },
	};
	char name[MACHINE_NAME_LEN];
	size_t i;

	for (i = 0; i < sizeof(paths) / sizeof(paths[0]); i++) {
		bool is_found = machine_name_of_group(paths[i][0], name);

		assert_int_equal(is_found, paths[i][1][0] != '\0');
		assert_string_equal(name, paths[i][1]);
	}
}

/* A process below the directory, with its program, one open file, and arguments in the words of printf. */
static void make_process(u32 pid, const char *exe, const char *file, const char *arguments)
{
	char text[1024];

	snprintf(text, sizeof(text), "mkdir -p %u/fd && ln -sf /usr/bin/%s %u/exe && ln -sf '%s' %u/fd/7 && "
		 "printf '%s' >%u/cmdline", pid, exe, pid, file, pid, arguments, pid);
	sh(text);
}

static struct cpuprobe_record make_record(u32 pid, u32 hash, const char *program, u64 guest)
{
	struct cpuprobe_record record = {
		.id = PROCESS(pid, hash), .kind = CPUPROBE_KIND_PROCESS,
		.hits = { [CPUPROBE_MODE_USER] = 3, [CPUPROBE_MODE_GUEST] = guest },
	};

	snprintf(record.name, sizeof(record.name), "%s", program);
	if (hash && strlen(program) + 1 < sizeof(record.name))
		snprintf(record.name + strlen(program) + 1, sizeof(record.name) - strlen(program) - 1, "bin");
	return record;
}

static struct cpuprobe_record map_one(struct machine_map *map, struct cpuprobe_record record)
{
	const struct cpuprobe_record *mapped = machine_map_records(map, &record, 1);

	assert_non_null(mapped);
	assert_memory_equal(mapped->hits, record.hits, sizeof(record.hits));
	return *mapped;
}

static const char *name_row(struct machine_map *map, const struct cpuprobe_record *record)
{
	static char name[MACHINE_NAME_LEN];

	machine_map_name(map, record, name, sizeof(name));
	return name;
}

static void machines_are_rows_by_name(void **state)
{
	struct machine_map *map = machine_map_create(directory, true);
	struct cpuprobe_record a, b, c, gzip[2];

	make_process(10, "qemu", "anon_inode:kvm-vm", "qemu\\0-name\\0guest=alpha\\0");
	make_process(11, "qemu", "/dev/null", "qemu\\0");
	make_process(12, "libvirtd", "/dev/kvm", "libvirtd\\0-name\\0x\\0");
	sh("echo '0::/machine.slice/machine-qemu\\x2d3\\x2dbeta.scope' >11/cgroup");
	/* One is known by its open file, one by guest samples; both have the rows of their names. */
	a = map_one(map, make_record(10, 5, "qemu", 0));
	assert_int_equal(a.kind, CPUPROBE_KIND_COMM);
	assert_string_equal(name_row(map, &a), "alpha");
	b = map_one(map, make_record(11, 5, "qemu", 0));
	assert_int_equal(b.kind, CPUPROBE_KIND_EXE);
	assert_string_equal(b.name, "qemu");
	assert_string_equal(name_row(map, &b), "");
	b = map_one(map, make_record(11, 5, "qemu", 1));
	assert_string_equal(name_row(map, &b), "beta");
	/* A manager of machines is none. */
	c = map_one(map, make_record(12, 6, "libvirtd", 0));
	assert_int_equal(c.kind, CPUPROBE_KIND_EXE);
	/* Once a machine, always a machine: with its last samples, too, and when it is gone. */
	sh("rm -r 10 11");
	assert_int_equal(map_one(map, make_record(10, 5, "qemu", 0)).id[0], a.id[0]);
	assert_int_equal(map_one(map, make_record(10, 0, "qemu", 0)).id[0], a.id[0]);
	assert_int_equal(map_one(map, make_record(11, 5, "qemu", 0)).id[0], b.id[0]);
	/* One that was never seen before it ended has its number. */
	c = map_one(map, make_record(13, 5, "qemu", 1));
	assert_string_equal(name_row(map, &c), "qemu:13");
	/* Other programs are one row for all their processes. */
	gzip[0] = map_one(map, make_record(20, 9, "gzip", 0));
	gzip[1] = map_one(map, make_record(21, 9, "gzip", 0));
	assert_memory_equal(gzip[0].id, gzip[1].id, sizeof(gzip[0].id));
	assert_string_equal(gzip[0].name + 5, "bin");
	/* By BPF only the name is known. */
	gzip[1] = (struct cpuprobe_record){ .id = PROCESS(4000000, 9), .kind = CPUPROBE_KIND_PROCESS, .name = "gzip" };
	gzip[1] = map_one(map, gzip[1]);
	assert_int_equal(gzip[1].kind, CPUPROBE_KIND_EXITING);
	assert_true(gzip[1].id[0] != 0);
	machine_map_destroy(map);
}

static void names_that_are_taken_get_numbers(void **state)
{
	struct machine_map *map = machine_map_create(directory, true);
	struct cpuprobe_record first, second, third;

	make_process(30, "qemu", "anon_inode:kvm-vm", "qemu\\0-name\\0test\\0");
	make_process(31, "qemu", "anon_inode:kvm-vm", "qemu\\0-name\\0test\\0");
	first = map_one(map, make_record(30, 5, "qemu", 0));
	second = map_one(map, make_record(31, 5, "qemu", 0));
	assert_string_equal(name_row(map, &first), "test");
	assert_string_equal(name_row(map, &second), "test:31");
	/* A machine that is started again keeps its row. */
	sh("rm -r 30");
	make_process(32, "qemu", "anon_inode:kvm-vm", "qemu\\0-name\\0test\\0");
	third = map_one(map, make_record(32, 5, "qemu", 0));
	assert_int_equal(third.id[0], first.id[0]);
	machine_map_destroy(map);
}

/* The shell that executed a monitor has its own row, and files are not looked at without KVM. */
static void only_machines_are_machines(void **state)
{
	struct machine_map *map = machine_map_create(directory, true);
	struct cpuprobe_record record, idle = { .kind = CPUPROBE_KIND_IDLE, .name = "IDLE" };

	make_process(40, "qemu", "anon_inode:kvm-vm", "qemu\\0-name\\0alpha\\0");
	record = map_one(map, make_record(40, 4, "sh", 0));
	assert_string_equal(record.name, "sh");
	record = map_one(map, make_record(40, 5, "qemu", 0));
	assert_string_equal(name_row(map, &record), "alpha");
	assert_int_equal(map_one(map, idle).kind, CPUPROBE_KIND_IDLE);
	machine_map_destroy(map);
	sh("ln -sf '/usr/bin/qemu (deleted)' 40/exe");
	assert_true(machine_look_holds(directory, 40, "qemu"));
	map = machine_map_create(directory, false);
	assert_int_equal(map_one(map, make_record(40, 5, "qemu", 0)).kind, CPUPROBE_KIND_EXE);
	machine_map_destroy(map);
}

/* Files are looked at again at the 2nd, 4th, 8th record: a monitor may take its time to make its machine. */
static void machines_are_found_later(void **state)
{
	struct machine_map *map = machine_map_create(directory, true);
	int i;

	make_process(50, "qemu", "/dev/null", "qemu\\0--id\\0late\\0");
	for (i = 1; i <= 5; i++)
		assert_int_equal(map_one(map, make_record(50, 5, "qemu", 0)).kind, CPUPROBE_KIND_EXE);
	make_process(50, "qemu", "anon_inode:kvm-vm", "qemu\\0--id\\0late\\0");
	for (i = 6; i < 8; i++)
		assert_int_equal(map_one(map, make_record(50, 5, "qemu", 0)).kind, CPUPROBE_KIND_EXE);
	assert_int_equal(map_one(map, make_record(50, 5, "qemu", 0)).kind, CPUPROBE_KIND_COMM);
	machine_map_destroy(map);
}

static void memory_is_bounded(void **state)
{
	struct machine_map *map = machine_map_create(directory, false);
	struct cpuprobe_record a, b;
	u32 i;

	a = map_one(map, make_record(60, 5, "qemu", 1));
	machine_map_trim(map);
	assert_string_equal(name_row(map, &a), "qemu:60");
	for (i = 0; i < MACHINE_MAP_MAX; i++)
		map_one(map, make_record(100000 + i, 5, "gzip", 0));
	machine_map_trim(map);
	assert_string_equal(name_row(map, &a), "");
	/* Found again, it has the same row, */
	b = map_one(map, make_record(60, 5, "qemu", 1));
	assert_int_equal(a.id[0], b.id[0]);
	/* and keeps it while other processes are forgotten. */
	for (i = 0; i < 3 * MACHINE_MAP_MAX; i++)
		b = map_one(map, make_record(200000 + i, 5, "gzip", 0));
	assert_int_equal(b.kind, CPUPROBE_KIND_EXE);
	b = map_one(map, make_record(60, 5, "qemu", 0));
	assert_int_equal(a.id[0], b.id[0]);
	assert_string_equal(name_row(map, &a), "qemu:60");
	machine_map_destroy(map);
	machine_map_destroy(NULL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(command_lines_name_machines),
		cmocka_unit_test(long_names_are_cut),
		cmocka_unit_test(groups_name_machines),
		cmocka_unit_test(machines_are_rows_by_name),
		cmocka_unit_test(names_that_are_taken_get_numbers),
		cmocka_unit_test(only_machines_are_machines),
		cmocka_unit_test(machines_are_found_later),
		cmocka_unit_test(memory_is_bounded),
	};

	return cmocka_run_group_tests(tests, make_directory, remove_directory);
}
