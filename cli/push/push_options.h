/* SPDX-License-Identifier: GPL-2.0-only */
/* Options of everything that pushes profiles, and the configuration made of them. */
#ifndef PUSH_OPTIONS_H
#define PUSH_OPTIONS_H

#include "base/options.h"
#include "push/push.h"

#define PUSH_SECRET_LEN	4096

/** All zero: defaults. */
struct push_options {
	unsigned int to;		/* enum push_format */
	unsigned int by;		/* enum push_by */
	const char *service;
	u64 services;			/* 0: 20 */
	bool has_detail, is_packed;
	struct push_labels labels;
	const char *token_file, *user_file, *cacert, *tenant;
	double connect_seconds, total_seconds;	/* 0: 10 and 30 */
	const char *spool;
	u64 spool_mib;			/* 0: 64 */
};

enum push_by { PUSH_BY_EXE, PUSH_BY_HOST };

/** The configuration and what it points to. */
struct push_setup {
	struct push_config config;
	char token[PUSH_SECRET_LEN];
	char user[PUSH_SECRET_LEN];
};

extern const struct option_spec push_specs[];	/* options of a struct push_options */

/** push_options_check() - -EINVAL with a reason: options that cannot be combined. */
int push_options_check(const struct push_options *options, const struct options_rest *rest,
		       struct text_error *error_ret);

/**
 * push_options_read() - make the configuration: parse the URL, and read the secrets from their files, or
 * else from the environment (PROBE_PUSH_TOKEN, PROBE_PUSH_USER).
 * @setup_ret: must stay in its place until push_close(); push_setup_forget() must follow
 * -errno with a reason.
 */
int push_options_read(const struct push_options *options, const char *url, struct push_setup *setup_ret,
		      struct text_error *error_ret);

/** push_setup_forget() - wipe the secrets. */
void push_setup_forget(struct push_setup *setup);

#endif
