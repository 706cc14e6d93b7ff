// SPDX-License-Identifier: GPL-2.0-only
/* probe: finds the command and runs it. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

#include "command.h"
#include "device.h"
#include "release.h"

#define NAMES_MAX 64	/* commands that a wrong one is compared with */

static int usage(FILE *out)
{
	size_t i;

	fprintf(out, "Usage: probe COMMAND [OPTIONS] [ARGUMENTS]\n\n"
		"Tells where processor time goes, with a 95%% interval on every number.\n\n");
	for (i = 0; commands[i]; i++)
		fprintf(out, "  %-10s %s\n", commands[i]->name, commands[i]->help);
	fprintf(out, "  %-10s %s\n  %-10s %s\n\n", "help", "this text, or a command's: probe help sys",
		"version", "version of this tool, and of the module if it is loaded");
	fprintf(out, "The kernel module is loaded if need be. See probe(1).\n");
	return 0;
}

static const struct command *find_command(const char *name)
{
	size_t i;

	for (i = 0; commands[i]; i++)
		if (!strcmp(commands[i]->name, name))
			return commands[i];
	return NULL;
}

static int unknown_command(const char *name)
{
	const char *names[NAMES_MAX], *near;
	struct text_error error;
	size_t i;

	for (i = 0; commands[i] && i < NAMES_MAX; i++)
		names[i] = commands[i]->name;
	near = options_suggest(name, names, i);
	text_fail(&error, 0, "unknown command '%s'", name);
	text_hint(&error, near ? "did you mean 'probe %s'?" : "'probe help' lists the commands",
		  near);
	text_report(&error);
	return EXIT_USAGE;
}

static int help(const char *name)
{
	const struct command *command;

	if (!name)
		return usage(stdout);
	command = find_command(name);
	if (!command)
		return unknown_command(name);
	command_usage(stdout, command);
	return 0;
}

/* The tool's version, and the module's if it is there and speaks to us. */
static int version(void)
{
	struct device device;

	printf("probe %s\n", CPUPROBE_RELEASE);
	/* Not loaded for this. */
	if (access("/dev/" CPUPROBE_DEVICE, F_OK) || device_open(&device, NULL))
		return 0;
	printf("module %.32s, interface %u, %u KB per CPU and session, %.1f us per interrupt\n",
	       device.info.release, device.info.version, (device.info.bytes_per_cpu + 1023) / 1024,
	       device.info.cost_ns / 1e3);
	device_close(&device);
	return 0;
}

/*
 * A descriptor 0, 1 or 2 that is closed would be given to the device next, and
 * output written into it. /dev/null takes its place, opened so that using it fails.
 */
static void occupy_standard_fds(void)
{
	int fd;

	for (fd = 0; fd <= 2; fd++)
		if (fcntl(fd, F_GETFD) < 0 && errno == EBADF &&
		    open("/dev/null", fd ? O_RDONLY : O_WRONLY) < 0)
			_exit(EXIT_FAILED);
}

int main(int argc, char **argv)
{
	const struct command *command;
	const char *word;

	occupy_standard_fds();
	/* A reader that goes away is a failed write, reported as one. */
	signal(SIGPIPE, SIG_IGN);
	if (argc < 2) {
		usage(stderr);
		return EXIT_USAGE;
	}
	word = argv[1] + (argv[1][0] == '-') + (argv[1][0] == '-' && argv[1][1] == '-');
	command = find_command(argv[1]);
	if (command)
		return command_finish(command->run(command, argv + 1));
	if (!strcmp(word, "help"))
		return command_finish(help(argv[2]));
	if (!strcmp(word, "version"))
		return command_finish(version());
	return unknown_command(argv[1]);
}
