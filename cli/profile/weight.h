/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What stacks that have something in common come to, and how reports write it: one list of
 * columns for tab-separated values and JSON. Pure.
 */
#ifndef WEIGHT_H
#define WEIGHT_H

#include <stdbool.h>
#include <stdio.h>

#include "profile/profile.h"
#include "stat.h"

struct weight {
	uint64_t hits;
	double ns;
	uint64_t self_hits;	/* of hits: the function in question itself ran, nothing below it */
	double self_ns;
};

/** weight_add() - one stack. Of self_ns never more is added than of ns: it stays the smaller. */
static inline void weight_add(struct weight *weight, const struct profile_stack *stack,
			      bool is_self)
{
	weight->hits += stack->hits;
	weight->ns += stack->ns;
	weight->self_hits += is_self ? stack->hits : 0;
	weight->self_ns += is_self ? stack->ns : 0;
}

/** weight_share() - of @base, by time: 0 to 1; 0 where the base has no time. */
double weight_share(const struct weight *weight, const struct weight *base);

/** A text that fits into any column of a share. */
struct weight_text {
	char text[16];
};

/**
 * weight_percent() - "12.3"; of fewer than 5 hits the share is hardly known: its upper bound,
 * "<0.3". weight_error() - "1.23", the farther end of the interval; "" of fewer than 5 hits.
 * weight_self_percent() - "12.3", of the time in which the function itself ran.
 */
struct weight_text weight_percent(const struct weight *weight, const struct weight *base);
struct weight_text weight_error(const struct weight *weight, const struct weight *base);
struct weight_text weight_self_percent(const struct weight *weight, const struct weight *base);

/** weight_tsv_titles() - names of the columns, a tab before each. weight_tsv() - their values. */
void weight_tsv_titles(FILE *out);
void weight_tsv(FILE *out, const struct weight *weight, const struct weight *base);

/** weight_json() - members of an object, ", " before each. */
void weight_json(FILE *out, const struct weight *weight, const struct weight *base);

#endif
