// SPDX-License-Identifier: GPL-2.0-only
/* The system call bpf(2): see maps.h. */
#include <errno.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "bpf/maps.h"

#define LOG_LEN	(64 << 10)
#define KERNEL_ENOTSUPP	524	/* of no C library: the kind of map does not have the command */

static int call_bpf(enum bpf_cmd command, union bpf_attr *attr)
{
	int result = syscall(SYS_bpf, command, attr, sizeof(*attr));

	return result < 0 ? -errno : result;
}

static int refuse(const char *action, int error, struct text_error *error_ret)
{
	text_fail(error_ret, 0, "%s: %s", action,
		  error == -EPERM ? "not allowed" :
		  error == -ENOSYS ? "this kernel has no BPF" : strerror(-error));
	if (error == -EPERM)
		text_hint(error_ret, "run as root, or with CAP_BPF and CAP_PERFMON; "
			  "'probe doctor' names what is missing");
	return error;
}

int maps_create(const struct map_spec *spec, struct text_error *error_ret)
{
	union bpf_attr attr;
	int fd;

	memset(&attr, 0, sizeof(attr));
	attr.map_type = spec->type;
	attr.key_size = spec->key_len;
	attr.value_size = spec->value_len;
	attr.max_entries = spec->nr;
	attr.map_flags = spec->flags;
	attr.inner_map_fd = spec->inner_fd;
	memcpy(attr.map_name, "probe", sizeof("probe"));
	fd = call_bpf(BPF_MAP_CREATE, &attr);
	return fd < 0 ? refuse("create a BPF map", fd, error_ret) : fd;
}

/* A request about one key. */
static int call_element(enum bpf_cmd command, int fd, const void *key, const void *value)
{
	union bpf_attr attr;

	memset(&attr, 0, sizeof(attr));
	attr.map_fd = fd;
	attr.key = (uintptr_t)key;
	/* value and next_key are one field. */
	attr.value = (uintptr_t)value;
	return call_bpf(command, &attr);
}

int maps_put(int fd, const void *key, const void *value)
{
	return call_element(BPF_MAP_UPDATE_ELEM, fd, key, value);
}

static int get_element(int fd, const void *key, void *value_ret)
{
	return call_element(BPF_MAP_LOOKUP_ELEM, fd, key, value_ret);
}

int maps_next(int fd, const void *key, void *next_ret)
{
	return call_element(BPF_MAP_GET_NEXT_KEY, fd, key, next_ret);
}

int maps_remove(int fd, const void *key)
{
	return call_element(BPF_MAP_DELETE_ELEM, fd, key, NULL);
}

int maps_take(int fd, const void *key, void *value_ret, bool *is_slow)
{
	int error;

	/* Maps of stacks: since 6.18. */
	if (!*is_slow) {
		error = call_element(BPF_MAP_LOOKUP_AND_DELETE_ELEM, fd, key, value_ret);
		if (error != -KERNEL_ENOTSUPP)
			return error;
		*is_slow = true;
	}
	return get_element(fd, key, value_ret) ?: maps_remove(fd, key);
}

int maps_take_all(int fd, void *keys, void *values, u32 nr)
{
	u32 next = 0;	/* where a further batch would begin */
	union bpf_attr attr;
	int error;

	memset(&attr, 0, sizeof(attr));
	attr.batch.map_fd = fd;
	attr.batch.out_batch = (uintptr_t)&next;
	attr.batch.keys = (uintptr_t)keys;
	attr.batch.values = (uintptr_t)values;
	attr.batch.count = nr;
	error = call_bpf(BPF_MAP_LOOKUP_AND_DELETE_BATCH, &attr);
	/* -ENOENT: the map had no further entry, as it should be. */
	return error && error != -ENOENT ? error : (int)attr.batch.count;
}

/* The last line of the verifier's log that is not its statistics. */
static const char *find_last_line(char *log)
{
	char *line = log, *last = log, *end;

	while ((end = strchr(line, '\n'))) {
		*end = '\0';
		if (end != line && strncmp(line, "processed ", 10))
			last = line;
		line = end + 1;
	}
	return last;
}

int maps_load(const struct encode *code, struct text_error *error_ret)
{
	static const char license[] = "GPL";
	char log[LOG_LEN] = "";
	union bpf_attr attr;
	int fd;

	if (code->is_wrong)
		return text_fail(error_ret, -E2BIG, "load a BPF program: it is too long");
	memset(&attr, 0, sizeof(attr));
	attr.prog_type = BPF_PROG_TYPE_PERF_EVENT;
	attr.insns = (uintptr_t)code->insn;
	attr.insn_cnt = code->nr;
	attr.license = (uintptr_t)license;
	memcpy(attr.prog_name, "probe", sizeof("probe"));
	fd = call_bpf(BPF_PROG_LOAD, &attr);
	if (fd >= 0)
		return fd;
	if (fd == -EPERM || fd == -ENOSYS)
		return refuse("load a BPF program", fd, error_ret);
	/* Again, for the log: asking for it at first would slow every start. */
	attr.log_buf = (uintptr_t)log;
	attr.log_size = sizeof(log);
	attr.log_level = 1;
	fd = call_bpf(BPF_PROG_LOAD, &attr);
	if (fd >= 0)
		return fd;
	log[sizeof(log) - 1] = '\0';
	return text_fail(error_ret, fd, "load a BPF program: the verifier refused it: %s: %s",
			 strerror(-fd), log[0] ? find_last_line(log) : "without a reason");
}
