// SPDX-License-Identifier: GPL-2.0-only
/* Finds the executable that a TASK means: see task.h. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

#include "run/task.h"

#define CANDIDATES_MAX 64

/** A running executable that has the wanted name. */
struct task_candidate {
	dev_t dev;
	ino_t ino;
	int pid;		/* the first process found */
	char path[256];
};

static bool is_number(const char *word)
{
	return *word && strspn(word, "0123456789") == strlen(word);
}

/* Path of a process's executable, without the kernel's " (deleted)". False: none. */
static bool read_exe(int pid, char *path, size_t len)
{
	static const char deleted[] = " (deleted)";
	char link[64];
	ssize_t got;

	snprintf(link, sizeof(link), "/proc/%d/exe", pid);
	got = readlink(link, path, len - 1);
	if (got < 0)
		return false;
	path[got] = '\0';
	if ((size_t)got > strlen(deleted) &&
	    !strcmp(path + got - strlen(deleted), deleted))
		path[got - strlen(deleted)] = '\0';
	return true;
}

/* Copies the value of a line of /proc/PID/status. */
static bool read_status(int pid, const char *key, char *value, size_t len)
{
	char path[64], line[256];
	bool is_found = false;
	FILE *file;

	snprintf(path, sizeof(path), "/proc/%d/status", pid);
	file = fopen(path, "re");
	while (file && !is_found && fgets(line, sizeof(line), file)) {
		if (strncmp(line, key, strlen(key)) || line[strlen(key)] != ':')
			continue;
		line[strcspn(line, "\n")] = '\0';
		snprintf(value, len, "%s", line + strlen(key) + 1 +
			 strspn(line + strlen(key) + 1, " \t"));
		is_found = true;
	}
	if (file)
		fclose(file);
	return is_found;
}

/* Opens @open_path and reads its image; for a script, hints at the interpreter. */
static int open_exe(struct task *task, const char *open_path, struct text_error *error_ret)
{
	struct sym_error reason;
	char head[2] = "";
	int error;

	task->exe_fd = open(open_path, O_RDONLY | O_CLOEXEC);
	if (task->exe_fd < 0) {
		error = errno;
		text_fail(error_ret, 0, "open %s: %s", task->path, strerror(error));
		if (error == EACCES)
			text_hint(error_ret, "run as root, or as the owner of the process");
		return -error;
	}
	error = sym_image_read(task->exe_fd, &task->image, &reason);
	if (!error)
		return 0;
	text_fail(error_ret, 0, "read %s: %s", task->path, reason.text);
	if (pread(task->exe_fd, head, 2, 0) == 2 && head[0] == '#' && head[1] == '!')
		text_hint(error_ret, "this is a script: give its interpreter or its pid");
	task_deinit(task);
	return error;
}

static int find_by_pid(const char *word, struct task *task, struct text_error *error_ret)
{
	unsigned long pid = strtoul(word, NULL, 10);
	char value[64], link[64];

	if (strlen(word) > 9 || !pid || !read_status(pid, "Tgid", value, sizeof(value)))
		return text_fail(error_ret, -ESRCH, "find process %s: no such process", word);
	/* The id of a thread stands for its process. */
	task->pid = atoi(value);
	if (!read_exe(task->pid, task->path, sizeof(task->path))) {
		if (errno == EACCES) {
			text_fail(error_ret, 0, "examine process %s: not allowed", word);
			text_hint(error_ret, "run as root, or as the owner of the process");
			return -EACCES;
		}
		read_status(task->pid, "Name", task->name, sizeof(task->name));
		return 0;
	}
	snprintf(task->name, sizeof(task->name), "%s", text_base_name(task->path));
	snprintf(link, sizeof(link), "/proc/%d/exe", task->pid);
	return open_exe(task, link, error_ret);
}

static int find_by_path(const char *word, struct task *task, struct text_error *error_ret)
{
	snprintf(task->path, sizeof(task->path), "%s", word);
	snprintf(task->name, sizeof(task->name), "%s", text_base_name(word));
	return open_exe(task, word, error_ret);
}

static void add_candidate(struct task_candidate *list, size_t *nr, int pid, const char *path)
{
	struct stat info;
	char link[64];
	size_t i;

	snprintf(link, sizeof(link), "/proc/%d/exe", pid);
	if (stat(link, &info))
		return;
	for (i = 0; i < *nr; i++)
		if (list[i].dev == info.st_dev && list[i].ino == info.st_ino)
			return;
	if (*nr == CANDIDATES_MAX)
		return;
	list[*nr] = (struct task_candidate){ .dev = info.st_dev, .ino = info.st_ino, .pid = pid };
	snprintf(list[*nr].path, sizeof(list[*nr].path), "%s", path);
	++*nr;
}

/* Lists running executables of a name; *namesake_pid: a process with that command name. */
static size_t find_candidates(const char *word, int (*compare)(const char *, const char *),
			      struct task_candidate *list, int *namesake_pid)
{
	char path[4096], comm[64];
	struct dirent *entry;
	size_t nr = 0;
	DIR *proc = opendir("/proc");

	while (proc && (entry = readdir(proc))) {
		int pid = is_number(entry->d_name) ? atoi(entry->d_name) : 0;

		if (!pid || pid == getpid())
			continue;
		if (read_exe(pid, path, sizeof(path)) && !compare(text_base_name(path), word))
			add_candidate(list, &nr, pid, path);
		else if (read_status(pid, "Name", comm, sizeof(comm)) && !compare(comm, word))
			*namesake_pid = pid;
	}
	if (proc)
		closedir(proc);
	return nr;
}

static int report_ambiguous(const char *word, const struct task_candidate *list, size_t nr,
			    struct text_error *error_ret)
{
	size_t i;

	text_fail(error_ret, 0, "find task '%s': %zu executables of that name are running", word,
		  nr);
	text_hint(error_ret, "give one of these paths or pids:");
	for (i = 0; i < nr; i++) {
		char *hint = error_ret->hint;
		size_t used = strlen(hint);

		snprintf(hint + used, sizeof(error_ret->hint) - used, "%s %s (pid %d)",
			 i ? "," : "", list[i].path, list[i].pid);
	}
	return -ENOTUNIQ;
}

static bool find_in_path(const char *word, char *found, size_t len)
{
	const char *dirs = getenv("PATH");
	struct stat info;
	size_t dir_len;

	for (dirs = dirs ? dirs : "/bin:/usr/bin"; *dirs;
	     dirs += dir_len + (dirs[dir_len] == ':')) {
		dir_len = strcspn(dirs, ":");
		snprintf(found, len, "%.*s/%s", (int)(dir_len ? dir_len : 1), dir_len ? dirs : ".",
			 word);
		if (!stat(found, &info) && S_ISREG(info.st_mode) && !access(found, X_OK))
			return true;
	}
	return false;
}

static int report_not_running(const char *word, int namesake_pid, struct text_error *error_ret)
{
	text_fail(error_ret, 0, "find task '%s': no running executable has that name", word);
	if (namesake_pid)
		text_hint(error_ret, "process %d has that name but runs another program: "
			  "use its pid", namesake_pid);
	else
		text_hint(error_ret, "give a pid, or the path of the executable");
	return -ESRCH;
}

static int find_by_name(const char *word, const char *command, struct task *task,
			struct text_error *error_ret)
{
	bool is_command = command && !strcmp(text_base_name(command), word);
	struct task_candidate list[CANDIDATES_MAX];
	int namesake_pid = 0;
	char link[64];
	size_t nr;

	/* The COMMAND comes first. If it is a script, it may start the program that is meant. */
	if (is_command && !task_find_command(command, task, NULL))
		return 0;
	nr = find_candidates(word, strcmp, list, &namesake_pid);
	if (!nr && is_command)
		return task_find_command(command, task, error_ret);
	if (!nr && command && find_in_path(word, task->path, sizeof(task->path))) {
		snprintf(task->name, sizeof(task->name), "%s", word);
		return open_exe(task, task->path, error_ret);
	}
	if (!nr)
		nr = find_candidates(word, strcasecmp, list, &namesake_pid);
	if (!nr)
		return report_not_running(word, namesake_pid, error_ret);
	if (nr > 1)
		return report_ambiguous(word, list, nr, error_ret);
	snprintf(task->path, sizeof(task->path), "%s", list[0].path);
	snprintf(task->name, sizeof(task->name), "%s", text_base_name(list[0].path));
	/* Open the file through the process, in case it was deleted or replaced. */
	snprintf(link, sizeof(link), "/proc/%d/exe", list[0].pid);
	return open_exe(task, link, error_ret);
}

int task_find(const char *word, const char *command, struct task *task_ret,
	      struct text_error *error_ret)
{
	struct task task = { .exe_fd = -1 };
	int error;

	if (is_number(word))
		error = find_by_pid(word, &task, error_ret);
	else if (strchr(word, '/'))
		error = find_by_path(word, &task, error_ret);
	else
		error = find_by_name(word, command, &task, error_ret);
	if (error)
		return error;
	text_clean(task.name);
	*task_ret = task;
	return 0;
}

int task_find_all_of(int pid, struct task *task_ret, struct text_error *error_ret)
{
	char word[16];
	int error;

	snprintf(word, sizeof(word), "%d", pid);
	error = task_find(word, NULL, task_ret, error_ret);
	if (!error && task_ret->exe_fd >= 0)
		task_ret->pid = 0;
	return error;
}

int task_find_command(const char *word, struct task *task_ret, struct text_error *error_ret)
{
	struct task task = { .exe_fd = -1 };
	int error;

	if (strchr(word, '/'))
		snprintf(task.path, sizeof(task.path), "%s", word);
	else if (!find_in_path(word, task.path, sizeof(task.path)))
		return text_fail(error_ret, -ENOENT, "run '%s': No such file or directory", word);
	snprintf(task.name, sizeof(task.name), "%s", text_base_name(word));
	error = open_exe(&task, task.path, error_ret);
	if (error)
		return error;
	text_clean(task.name);
	*task_ret = task;
	return 0;
}

void task_deinit(struct task *task)
{
	if (task->exe_fd >= 0)
		close(task->exe_fd);
	task->exe_fd = -1;
}
