/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Checks of everything that a user of probe could trip over. Facts are gathered once; each
 * check judges them, or a file of the kernel's, by itself. Nothing is loaded or changed.
 */
#ifndef DOCTOR_H
#define DOCTOR_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/utsname.h>

#include "cpuprobe.h"
#include "run/modfile.h"

enum doctor_result { DOCTOR_OK, DOCTOR_WARN, DOCTOR_FAIL };

/** What one check found. */
struct doctor_finding {
	enum doctor_result result;
	char what[512];
	char hint[256];		/* how to mend it; "" when it is ok */
};

/** What is known of the machine. A test can make one up. */
struct doctor_machine {
	const char *root;		/* before the path of every file read; "" but in tests */
	struct utsname kernel;
	bool is_root;
	uint64_t capabilities;		/* effective: bit N is capability N */
	uint64_t timer_ns;		/* resolution of the kernel's timers */
	double clock_ns;		/* what reading the clock takes */
	bool is_loaded;			/* the module */
	int device_error;	/* why its device did not open, or its errno; 0: @info holds */
	struct cpuprobe_info info;	/* version 0: not asked */
	int file_error;	/* of finding or reading the installed file; 0: @file holds */
	struct modfile file;		/* its path may hold even so */
	uint64_t nr_cpus;		/* possible ones */
	uint64_t nr_quiet;		/* those of them that are left alone */
	char quiet[32];			/* which, as numbers and ranges */
};

/** doctor_gather() - fill in what is known of this machine. */
void doctor_gather(struct doctor_machine *machine_ret);

/**
 * A check. False: there is nothing to say on this machine. @finding comes as ok, and empty.
 */
struct doctor_check {
	const char *name;
	bool (*run)(const struct doctor_machine *machine, struct doctor_finding *finding);
};

/** All checks, in the order of the report; the last has no name. */
extern const struct doctor_check doctor_checks[];

bool doctor_kernel(const struct doctor_machine *machine, struct doctor_finding *finding);
bool doctor_module(const struct doctor_machine *machine, struct doctor_finding *finding);
bool doctor_signatures(const struct doctor_machine *machine, struct doctor_finding *finding);
bool doctor_container(const struct doctor_machine *machine, struct doctor_finding *finding);
bool doctor_access(const struct doctor_machine *machine, struct doctor_finding *finding);
bool doctor_symbols(const struct doctor_machine *machine, struct doctor_finding *finding);
bool doctor_lockdown(const struct doctor_machine *machine, struct doctor_finding *finding);
bool doctor_timers(const struct doctor_machine *machine, struct doctor_finding *finding);
bool doctor_clocksource(const struct doctor_machine *machine, struct doctor_finding *finding);
bool doctor_rate(const struct doctor_machine *machine, struct doctor_finding *finding);
bool doctor_cpus(const struct doctor_machine *machine, struct doctor_finding *finding);
bool doctor_host(const struct doctor_machine *machine, struct doctor_finding *finding);

/**
 * doctor_first() - the first check that fails; if none does, what is said of the module.
 * @name_ret: of that check. Whether one fails.
 */
bool doctor_first(const struct doctor_machine *machine, const char **name_ret,
		  struct doctor_finding *finding_ret);

/** doctor_print() - a finding and its hint as text, in lines of at most @cols columns. */
void doctor_print(FILE *out, const char *name, const struct doctor_finding *finding, int cols);

/** doctor_result_name() - "ok", "warn" or "FAIL". */
const char *doctor_result_name(enum doctor_result result);

/** doctor_find() - what a check found, in words. True, so that it can end a check. */
bool doctor_find(struct doctor_finding *finding, enum doctor_result result, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/** doctor_hint() - how to mend it. True, so that it can end a check. */
bool doctor_hint(struct doctor_finding *finding, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/** doctor_line() - sysfile_line() of a file below @machine->root. */
int doctor_line(const struct doctor_machine *machine, const char *path, char *line, size_t len);

/** doctor_exists() - whether there is such a file below @machine->root. */
bool doctor_exists(const struct doctor_machine *machine, const char *path);

/** doctor_open() - open a file below @machine->root for reading; NULL with errno. */
FILE *doctor_open(const struct doctor_machine *machine, const char *path);

/** doctor_lockdown_mode() - "none", "integrity", "confidentiality"; "" when it is not told. */
void doctor_lockdown_mode(const struct doctor_machine *machine, char *mode, size_t len);

#endif
