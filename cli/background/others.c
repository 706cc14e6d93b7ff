// SPDX-License-Identifier: GPL-2.0-only
/* Runs of other users: see others.h. */
#include <dirent.h>
#include <errno.h>
#include <glob.h>
#include <pwd.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "background/control_name.h"
#include "background/others.h"

/* Below XDG_RUNTIME_DIR of users and of services, and where users without one have them. */
static const char *const places[] = { "/run/user/*/cpuprobe", "/run/*/cpuprobe", "/tmp/cpuprobe-*", NULL };

static void name_user(uid_t uid, char user[OTHERS_USER_LEN])
{
	const struct passwd *entry = getpwuid(uid);

	if (entry && strlen(entry->pw_name) < OTHERS_USER_LEN)
		strcpy(user, entry->pw_name);
	else
		snprintf(user, OTHERS_USER_LEN, "%u", uid);
}

/* Whether a file in a directory is the socket of a run of the directory's owner; fills in its name. */
static bool is_run(struct other_run *run, const char *file)
{
	const char *end = strrchr(file, '.');
	char path[600];
	struct stat info;

	if (!end || strcmp(end, ".sock") || (size_t)(end - file) >= sizeof(run->name))
		return false;
	snprintf(run->name, sizeof(run->name), "%.*s", (int)(end - file), file);
	/* The name goes to root's terminal, and a newline in it would be the end of a name in control_list(). */
	if (control_check_name(run->name, NULL))
		return false;
	snprintf(path, sizeof(path), "%s/%s", run->directory, file);
	return !lstat(path, &info) && S_ISSOCK(info.st_mode) && info.st_uid == run->uid;
}

static int look_into(const char *directory, int (*found)(void *context, const struct other_run *run),
		     void *context)
{
	struct other_run run;
	struct dirent **entries = NULL;
	struct stat info;
	int nr, i, result = 0;

	if (lstat(directory, &info) || !S_ISDIR(info.st_mode) || info.st_mode & 077 ||
	    info.st_uid == geteuid() || strlen(directory) >= sizeof(run.directory))
		return 0;
	run.uid = info.st_uid;
	strcpy(run.directory, directory);
	name_user(run.uid, run.user);
	nr = scandir(directory, &entries, NULL, alphasort);
	for (i = 0; i < nr; i++) {
		if (!result && is_run(&run, entries[i]->d_name))
			result = found(context, &run);
		free(entries[i]);
	}
	free(entries);
	return result;
}

int others_each(const char *root, int (*found)(void *context, const struct other_run *run), void *context)
{
	const char *const *place;
	char pattern[256];
	glob_t paths;
	int result = 0;
	size_t i;

	for (place = places; *place && !result; place++) {
		snprintf(pattern, sizeof(pattern), "%s%s", root, *place);
		if (glob(pattern, 0, NULL, &paths))
			continue;
		for (i = 0; i < paths.gl_pathc && !result; i++)
			result = look_into(paths.gl_pathv[i], found, context);
		globfree(&paths);
	}
	return result;
}

/** A search for a run. */
struct search_other {
	const char *name;
	char user[OTHERS_USER_LEN];	/* "": any */
	struct other_run *run;
	unsigned int nr;
	char users[256];
};

static int compare_other(void *context, const struct other_run *run)
{
	struct search_other *search = context;
	char number[16];
	size_t used;

	snprintf(number, sizeof(number), "%u", run->uid);
	if (strcmp(run->name, search->name) || (search->user[0] && strcmp(search->user, run->user) &&
						strcmp(search->user, number)))
		return 0;
	if (!search->nr++)
		*search->run = *run;
	used = strlen(search->users);
	snprintf(search->users + used, sizeof(search->users) - used, "%s%s/%s", used ? ", " : "", run->user,
		 run->name);
	return 0;
}

int others_find(const char *root, const char *name, struct other_run *run_ret, struct text_error *error_ret)
{
	const char *slash = strchr(name, '/');
	struct search_other search = { .name = slash ? slash + 1 : name, .run = run_ret };

	if (slash)
		snprintf(search.user, sizeof(search.user), "%.*s", (int)(slash - name), name);
	others_each(root, compare_other, &search);
	if (search.nr == 1)
		return 0;
	if (!search.nr)
		return text_fail(error_ret, -ENOENT, "find run %s: no such run", name);
	text_fail(error_ret, 0, "find run %s: several users have one", name);
	text_hint(error_ret, "choose one of %s", search.users);
	return -EEXIST;
}
