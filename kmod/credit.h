/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Tells own NMIs from those of others. The processor does not say who sent an NMI. So the senders count what
 * they send to a CPU, and the CPU claims an NMI only while more were sent than it has accounted for. Pure
 * arithmetic.
 *
 * A processor holds one NMI while another one is being handled, and no more: further ones merge with the
 * one that it holds, and never come. So of all NMIs on their way at most CREDIT_MAX can still arrive.
 * The others are counted as merged.
 *
 * Senders count before they send, so an NMI that arrives has been counted. The CPU refuses one of its own only
 * if more than CREDIT_MAX were counted and not sent yet. An NMI of somebody else that arrives while credit is
 * left is taken for an own one.
 */
#ifndef CPUPROBE_CREDIT_H
#define CPUPROBE_CREDIT_H

#include "pure.h"

/* The NMI that is being handled, and the one that waits. */
#define CREDIT_MAX	2

/** Written in NMIs of one CPU only. */
struct credit {
	u64 got;	/* NMIs sent that are accounted for: claimed or merged */
	u64 merged;	/* part of @got: NMIs that never came */
};

/** credit_open() - NMIs that may still arrive, or merge. @sent: NMIs that were counted as sent so far */
static inline u64 credit_open(const struct credit *credit, u64 sent)
{
	return sent - READ_ONCE(credit->got);
}

/** credit_claim() - claim the NMI that has arrived. False: nobody has sent one. NMI. */
bool credit_claim(struct credit *credit, u64 sent);

/** credit_settle() - count all open NMIs as merged: none will be claimed. While no NMI can claim one. */
void credit_settle(struct credit *credit, u64 sent);

#endif
