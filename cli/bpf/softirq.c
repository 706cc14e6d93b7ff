// SPDX-License-Identifier: GPL-2.0-only
/* Softirq mode: see softirq.h. */
#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#include "base/sysfile.h"
#include "bpf/counts.h"
#include "bpf/interrupted.h"
#include "bpf/softirq.h"

int softirq_find(struct btf_place *place_ret)
{
	char line[4];
	int fd, error;

	/* On RT softirqs run in tasks, and the preempt count does not tell them. */
	if (!sysfile_line("/sys/kernel/realtime", line, sizeof(line)) && line[0] == '1')
		return -ENOENT;
	fd = open("/sys/kernel/btf/vmlinux", O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return -errno;
	error = btf_find_int(fd, interrupted_counts, interrupted_nr_counts, place_ret);
	close(fd);
	return error;
}

void softirq_find_mode(struct encode *code, const struct btf_place *place)
{
	const u32 is_user = encode_jump(code, BPF_JNE, BPF_REG_6, 0);

	interrupted_find_counts(code, place);
	encode_load(code, BPF_W, BPF_REG_6, BPF_REG_0, place->offset);
	/* The count of the interrupt that takes the sample is in other bits. */
	encode_alu(code, BPF_AND, BPF_REG_6, COUNTS_SOFTIRQ);
	encode_land(code, is_user);
}
