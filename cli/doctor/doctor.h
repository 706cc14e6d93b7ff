/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Checks for everything that could keep probe from working. Facts about the machine are collected
 * once. Each check judges these facts or reads a file of the kernel. Nothing is loaded or changed.
 */
#ifndef DOCTOR_H
#define DOCTOR_H

#include <stdbool.h>
#include <stdio.h>
#include <sys/utsname.h>

#include "cpuprobe.h"
#include "run/modfile.h"
#include "types.h"

enum doctor_result { DOCTOR_OK, DOCTOR_WARN, DOCTOR_FAIL };

/** Result of one check. */
struct doctor_finding {
	enum doctor_result result;
	char what[512];
	char hint[256];		/* the remedy; "" if none is needed */
};

/** Facts about a machine. Tests invent machines. */
struct doctor_machine {
	const char *root;		/* prefix of every path; "" except in tests */
	struct utsname kernel;
	bool is_root;
	u64 capabilities;		/* effective: bit N is capability N */
	u64 timer_ns;			/* resolution of the kernel's timers */
	double clock_ns;		/* time to read the clock */
	bool is_loaded;			/* the module */
	int device_error;	/* -errno of opening or asking it; 0: @info is valid */
	struct cpuprobe_info info;	/* version 0: not read */
	int file_error;	/* -errno of finding or reading the file; 0: @file is valid */
	struct modfile file;		/* the path may be valid despite an error */
	int bpf_error;	/* -errno of sampling with BPF; 0: it works */
	char bpf_reason[160];		/* why not, and a remedy or "" */
	char bpf_hint[160];
	int perf_error;	/* -errno of sampling the user's own processes; 0: it works */
	char perf_reason[160];
	char perf_hint[200];
	u64 nr_cpus;			/* possible CPUs */
	u64 nr_quiet;			/* isolated CPUs among them */
	char quiet[32];			/* the isolated CPUs, as numbers and ranges */
};

/** doctor_gather() - collect the facts about this machine. */
void doctor_gather(struct doctor_machine *machine_ret);

/** A check. run() fills in @finding, all zero before; false: not applicable to this machine. */
struct doctor_check {
	const char *name;
	bool (*run)(const struct doctor_machine *machine, struct doctor_finding *finding);
};

/** All checks in the order of the report; the last entry has no name. */
extern const struct doctor_check doctor_checks[];

bool doctor_kernel(const struct doctor_machine *machine, struct doctor_finding *finding);
bool doctor_module(const struct doctor_machine *machine, struct doctor_finding *finding);
bool doctor_signatures(const struct doctor_machine *machine, struct doctor_finding *finding);
bool doctor_bpf(const struct doctor_machine *machine, struct doctor_finding *finding);
bool doctor_perf(const struct doctor_machine *machine, struct doctor_finding *finding);
bool doctor_container(const struct doctor_machine *machine, struct doctor_finding *finding);
bool doctor_access(const struct doctor_machine *machine, struct doctor_finding *finding);
bool doctor_symbols(const struct doctor_machine *machine, struct doctor_finding *finding);
bool doctor_calls(const struct doctor_machine *machine, struct doctor_finding *finding);
bool doctor_agent(const struct doctor_machine *machine, struct doctor_finding *finding);
bool doctor_lockdown(const struct doctor_machine *machine, struct doctor_finding *finding);
bool doctor_unwind(const struct doctor_machine *machine, struct doctor_finding *finding);
bool doctor_timers(const struct doctor_machine *machine, struct doctor_finding *finding);
bool doctor_clocksource(const struct doctor_machine *machine, struct doctor_finding *finding);
bool doctor_rate(const struct doctor_machine *machine, struct doctor_finding *finding);
bool doctor_cpus(const struct doctor_machine *machine, struct doctor_finding *finding);
bool doctor_host(const struct doctor_machine *machine, struct doctor_finding *finding);

/**
 * doctor_first() - run checks up to the first that fails; if none fails, return the finding about
 * the module. Returns whether a check failed.
 * @name_ret: name of the check that @finding_ret is about
 */
bool doctor_first(const struct doctor_machine *machine, const char **name_ret,
		  struct doctor_finding *finding_ret);

/** doctor_print() - a finding and its hint as text, in lines of at most @cols columns. */
void doctor_print(FILE *out, const char *name, const struct doctor_finding *finding, int cols);

/** doctor_result_name() - "ok", "warn" or "FAIL". */
const char *doctor_result_name(enum doctor_result result);

/** doctor_find() - set what a check found. Returns true, the result of a check. */
bool doctor_find(struct doctor_finding *finding, enum doctor_result result, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/** doctor_hint() - set the remedy. Returns true, the result of a check. */
bool doctor_hint(struct doctor_finding *finding, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/** doctor_line() - sysfile_line() of a file below @machine->root. */
int doctor_line(const struct doctor_machine *machine, const char *path, char *line, size_t len);

/** doctor_loads_none() - whether this kernel loads no modules at all: checks of what the module needs have no line. */
bool doctor_loads_none(const struct doctor_machine *machine);

/** doctor_exists() - whether a file exists below @machine->root. */
bool doctor_exists(const struct doctor_machine *machine, const char *path);

/** doctor_open() - open a file below @machine->root for reading; NULL with errno. */
FILE *doctor_open(const struct doctor_machine *machine, const char *path);

/** doctor_lockdown_mode() - "none", "integrity", "confidentiality"; "": unknown. */
void doctor_lockdown_mode(const struct doctor_machine *machine, char *mode, size_t len);

#endif
