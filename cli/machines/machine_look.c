// SPDX-License-Identifier: GPL-2.0-only
/* Virtual machines in /proc: see machine_look.h. */
#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/text.h"
#include "cpuprobe.h"
#include "machines/machine_look.h"

#define PATH_LEN	300
#define COMMAND_LEN	65536
#define GROUP_LEN	8192	/* version 1 has a dozen lines */
#define FILES_MAX	65536	/* open files that are looked at */
#define KVM_VM		"anon_inode:kvm-vm"

bool machine_look_is_there(const char *proc, u32 pid)
{
	char path[PATH_LEN];

	snprintf(path, sizeof(path), "%s/%u", proc, pid);
	return !access(path, F_OK);
}

/* Read a link as a text; "": none. */
static void read_link(int dir, const char *path, char *text, size_t len)
{
	ssize_t got = readlinkat(dir, path, text, len - 1);

	text[got > 0 ? got : 0] = '\0';
}

static bool runs_program(const char *proc, u32 pid, const char *program)
{
	static const char deleted[] = " (deleted)";
	char path[PATH_LEN], exe[4096], name[CPUPROBE_NAME_LEN];
	size_t len;

	snprintf(path, sizeof(path), "%s/%u/exe", proc, pid);
	read_link(AT_FDCWD, path, exe, sizeof(exe));
	len = strlen(exe);
	if (len >= sizeof(deleted) && !strcmp(exe + len - sizeof(deleted) + 1, deleted))
		exe[len - sizeof(deleted) + 1] = '\0';
	snprintf(name, sizeof(name), "%.*s", (int)sizeof(name) - 1, text_base_name(exe));
	return !strncmp(name, program, sizeof(name) - 1);
}

bool machine_look_holds(const char *proc, u32 pid, const char *program)
{
	char path[PATH_LEN], target[64];
	struct dirent *entry;
	bool is_found = false;
	u32 nr = 0;
	DIR *files;

	snprintf(path, sizeof(path), "%s/%u/fd", proc, pid);
	files = opendir(path);
	while (files && !is_found && nr++ < FILES_MAX && (entry = readdir(files))) {
		read_link(dirfd(files), entry->d_name, target, sizeof(target));
		is_found = !strcmp(target, KVM_VM);
	}
	if (files)
		closedir(files);
	return is_found && runs_program(proc, pid, program);
}

/* Read the beginning of a file of a process. Returns its length; 0: the process is gone. */
static size_t read_file(const char *proc, u32 pid, const char *name, char *text, size_t len)
{
	char path[PATH_LEN];
	size_t used = 0;
	ssize_t got = 0;
	int fd;

	snprintf(path, sizeof(path), "%s/%u/%s", proc, pid, name);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	while (fd >= 0 && used < len - 1 && (got = read(fd, text + used, len - 1 - used)) > 0)
		used += got;
	if (fd >= 0)
		close(fd);
	text[used] = '\0';
	return used;
}

/* The name by the first control group that tells one: one line in version 2, one for each hierarchy in version 1. */
static void find_group_name(char *lines, char name_ret[MACHINE_NAME_LEN])
{
	char *line, *next;

	for (line = lines; line && !name_ret[0]; line = next) {
		next = strchr(line, '\n');
		if (next)
			*next++ = '\0';
		machine_name_of_group(line, name_ret);
	}
}

void machine_look_name(const char *proc, u32 pid, char name_ret[MACHINE_NAME_LEN])
{
	char text[COMMAND_LEN];
	size_t len = read_file(proc, pid, "cmdline", text, sizeof(text));

	if (machine_name_of_command(text, len, name_ret))
		return;
	read_file(proc, pid, "cgroup", text, GROUP_LEN);
	find_group_name(text, name_ret);
}
