// SPDX-License-Identifier: GPL-2.0-only
/* Programs to be sampled: copies of this one, each run by one user. */
#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "whomay.h"

const struct program_kind programs[NR_PROGRAMS] = {
	[OWN] = { "./own", MEMBER, MEMBER, 0755, "wait" },
	[THEIRS] = { "./theirs", 0, 0, 0755, "wait" },
	[SECRET] = { "./secret", 0, 0, 0700, "wait" },
	[OWN_BY_THEM] = { "./own_by_them", MEMBER, 0, 0755, "wait" },
	[THEIRS_BY_ME] = { "./theirs_by_me", 0, MEMBER, 0755, "wait" },
	[SETUID] = { "./setuid", 0, MEMBER, 04755, "wait" },
	[HIDDEN] = { "./hidden", 0, MEMBER, 0711, "wait" },	/* not readable, so not dumpable */
	[SPINNER] = { "./spinner", MEMBER, MEMBER, 0755, "spin" },
	[SPINNER_BY_THEM] = { "./spinner_by_them", MEMBER, 0, 0755, "spin" },
	[SECRET_SPINNER] = { "./secret_spinner", 0, 0, 0700, "spin" },
};

struct program_running running[NR_PROGRAMS];

/* Wanted and actual dumpability of the member's spinner, in a file that both processes map. */
static volatile struct dumpable {
	int wanted, is;
} *dumpable;

static volatile void *map_dumpable(int fd)
{
	void *map = mmap(NULL, sizeof(*dumpable), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);

	need(map != MAP_FAILED, "mmap");
	return map;
}

_Noreturn void program_spin(int fd)
{
	dumpable = map_dumpable(fd);
	process_is_ready();
	for (;;) {
		for (volatile int i = 0; i < 10000; i++)
			;
		if (getuid() != MEMBER || dumpable->is == dumpable->wanted)
			continue;
		prctl(PR_SET_DUMPABLE, dumpable->wanted);
		dumpable->is = dumpable->wanted;
	}
}

void program_copy(const char *path, uid_t owner, gid_t group, mode_t mode)
{
	char command[256];

	snprintf(command, sizeof(command), "cp /proc/%d/exe %s", getpid(), path);
	need(!system(command), "copy");
	need(!chown(path, owner, group), "chown");
	need(!chmod(path, mode), "chmod");
}

static void program_make(enum program which)
{
	program_copy(programs[which].path, programs[which].owner, 0, programs[which].mode);
	running[which].exe_fd = open(programs[which].path, O_RDONLY);
	need(running[which].exe_fd >= 0, "open");
}

static void program_run(enum program which, gid_t member_gid, int flag_fd)
{
	uid_t user = programs[which].user;
	gid_t group = user == MEMBER ? member_gid : user;
	char fd[16];

	snprintf(fd, sizeof(fd), "%d", flag_fd);
	running[which].pid = fork();
	need(running[which].pid >= 0, "fork");
	if (running[which].pid)
		return;
	need(!setgroups(0, NULL) && !setresgid(group, group, group) && !setresuid(user, user, user),
	     "become a program's user");
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	execl(programs[which].path, programs[which].path, programs[which].verb, fd, NULL);
	need(0, programs[which].path);
}

void programs_start(gid_t gid)
{
	int fd = open("flag", O_RDWR | O_CREAT | O_TRUNC, 0666);
	int which;

	need(fd >= 0 && !ftruncate(fd, sizeof(*dumpable)), "flag");
	dumpable = map_dumpable(fd);
	dumpable->wanted = 1;
	dumpable->is = 1;
	for (which = 0; which < NR_PROGRAMS; which++) {
		program_make(which);
		program_run(which, gid, fd);
	}
	close(fd);
	processes_ready(NR_PROGRAMS);
}

void programs_stop(void)
{
	int which;

	for (which = 0; which < NR_PROGRAMS; which++) {
		kill(running[which].pid, SIGKILL);
		waitpid(running[which].pid, NULL, 0);
		close(running[which].exe_fd);
	}
	munmap((void *)dumpable, sizeof(*dumpable));
}

void program_set_dumpable(int wanted)
{
	int patience = 20000;

	dumpable->wanted = wanted;
	while (dumpable->is != wanted && patience--)
		usleep(1000);
	need(dumpable->is == wanted, "the spinner does not answer");
}
