// SPDX-License-Identifier: GPL-2.0-only
/* Checks whether ids of executables reveal generations of inodes, which needs full access. */
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "whomay.h"

/* The handle of a file on tmpfs contains the generation; the owner may always read it. */
static __u32 generation_of(const char *path)
{
	struct {
		struct file_handle handle;
		__u32 word[MAX_HANDLE_SZ / 4];
	} handle = { .handle.handle_bytes = MAX_HANDLE_SZ };
	int mount;

	need(!name_to_handle_at(AT_FDCWD, path, &handle.handle, &mount, 0), "name_to_handle_at");
	return handle.word[0];
}

/* The module's hash of a process's executable (kmod/identity.c). */
static __u32 hash_of(__u64 a, __u64 b)
{
	return (((a ^ (b << 29 | b >> 35)) * 0x9e3779b97f4a7c15ULL) >> 32) ?: 1;
}

/* Returns the record with the program's name from any CPU; kind FREE if there is none yet. */
static struct cpuprobe_record find_record(int fd, const char *name)
{
	static struct cpuprobe_record records[CPUPROBE_RECORDS];
	struct cpuprobe_harvest request = REQUEST(harvest, .buffer = (unsigned long)records,
		.buffer_len = sizeof(records));
	struct cpuprobe_record none = { .kind = CPUPROBE_KIND_FREE };

	for (long cpu = 0; cpu < sysconf(_SC_NPROCESSORS_CONF); cpu++) {
		request.cpu = cpu;
		/* The second harvest returns the unacknowledged account again. */
		for (int again = 0; again < 2; again++)
			need(!ioctl(fd, CPUPROBE_IOC_HARVEST, &request), "harvest");
		for (__u32 i = 0; i < request.account.entries; i++)
			if (!strcmp(records[i].name, name))
				return records[i];
	}
	return none;
}

static const char *word_of_exe(const struct cpuprobe_record *record, const struct stat *file,
			       __u32 generation)
{
	__u32 told = record->id[1];

	if ((record->id[0] ^ told) * CPUPROBE_INODE_INVERSE != file->st_ino)
		return "another inode";
	if (record->id[1] >> 32 != (major(file->st_dev) << 20 | minor(file->st_dev)))
		return "another device";
	return told == generation ? "generation" : "hidden";
}

static const char *word_of_process(const struct cpuprobe_record *record, const struct stat *file,
				   __u32 generation)
{
	__u64 device = major(file->st_dev) << 20 | minor(file->st_dev);
	__u32 hash = hash_of(file->st_ino * CPUPROBE_INODE_FACTOR ^ generation,
			     device << 32 | generation);

	if ((pid_t)(record->id[0] >> 32) != running[SPINNER].pid)
		return "another process";
	if ((__u32)record->id[0] == hash)
		return "generation";
	if (!(__u32)record->id[0])
		return "without an executable";
	/* The top byte depends on all other bytes, so it must not reveal the hash either. */
	return record->id[1] >> 56 ? "hidden in part" : "hidden";
}

static struct cpuprobe_record latest;	/* latest record by executable, of this identity */

static struct cpuprobe_record sample_spinner(const struct operation *operation, int fd)
{
	need(!strcmp(try_start(operation, fd), "yes"), "start");
	process_let_run(running[SPINNER].pid, LONG_ENOUGH_NS);
	return find_record(fd, strrchr(programs[SPINNER].path, '/') + 1);
}

const char *try_generation(const struct operation *operation, int fd)
{
	__u32 generation = generation_of(programs[SPINNER].path);
	struct cpuprobe_record record = sample_spinner(operation, fd);
	struct stat file;

	need(!stat(programs[SPINNER].path, &file) && generation, "a generation");
	if (record.kind == CPUPROBE_KIND_FREE)
		return "not seen";
	if (record.kind == CPUPROBE_KIND_EXE)
		latest = record;
	if (operation->by == CPUPROBE_BY_EXE)
		return word_of_exe(&record, &file, generation);
	return word_of_process(&record, &file, generation);
}

/* Views that start one session after another must recognise a file by its id. */
const char *try_same_id(const struct operation *operation, int fd)
{
	struct cpuprobe_record record = sample_spinner(operation, fd);

	return memcmp(record.id, latest.id, sizeof(record.id)) ? "no" : "yes";
}
