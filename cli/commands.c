// SPDX-License-Identifier: GPL-2.0-only
/* The commands of probe, in the order in which help lists them. */
#include "command.h"

const struct command *const commands[] = {
	&command_top, &command_sys, &command_proc, &command_flat, &command_graph, &command_late,
	&command_show, &command_export, &command_verify, &command_diff, &command_start,
	&command_list, &command_status, &command_dump, &command_reset, &command_stop,
	&command_doctor, &command_help, &command_version, NULL
};
