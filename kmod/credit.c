// SPDX-License-Identifier: GPL-2.0-only
/* Tells own NMIs from those of others: see credit.h. */
#include "credit.h"

bool credit_claim(struct credit *credit, u64 sent)
{
	u64 open = credit_open(credit, sent);

	if (!open)
		return false;
	if (open > CREDIT_MAX) {
		WRITE_ONCE(credit->merged, credit->merged + open - CREDIT_MAX);
		open = CREDIT_MAX;
	}
	WRITE_ONCE(credit->got, sent - open + 1);
	return true;
}

void credit_settle(struct credit *credit, u64 sent)
{
	WRITE_ONCE(credit->merged, credit->merged + credit_open(credit, sent));
	WRITE_ONCE(credit->got, sent);
}
