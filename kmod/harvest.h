/* SPDX-License-Identifier: GPL-2.0-only */
/* Takes the counts of one CPU without stopping its sampling. */
#ifndef CPUPROBE_HARVEST_H
#define CPUPROBE_HARVEST_H

#include "session.h"

/**
 * harvest() - swap banks on one CPU and copy the retired one to user space.
 * @request: checked here; its account is filled on success
 *
 * May sleep; session->lock held. Interrupts the CPU unless it has nothing new or is asleep.
 * 0, or -EINVAL, -ENODEV, -EPERM, -EFAULT as described at struct cpuprobe_harvest.
 */
int harvest(struct session *session, struct cpuprobe_harvest *request);

/**
 * harvest_open_exe() - open an executable, named in the last account handed out, for the caller.
 * May sleep; session->lock held. A descriptor, or an error as at struct cpuprobe_open.
 */
int harvest_open_exe(struct session *session, const struct cpuprobe_open *request);

/**
 * harvest_is_due() - whether some CPU of a started session should be harvested now, see kind.h.
 * Any context.
 */
bool harvest_is_due(const struct session *session);

#endif
