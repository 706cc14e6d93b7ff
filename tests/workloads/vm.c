// SPDX-License-Identifier: GPL-2.0-only
/*
 * vm [-user] [-smp N] [WORD...]: a virtual machine by KVM, whose N CPUs (1) compute for ever. Other words are
 * ignored, so that a command line can be that of QEMU, with a name. With -user, turns of guest and program alternate:
 * both count down from TURN, which takes the same number of instructions.
 */
#include <err.h>
#include <fcntl.h>
#include <linux/kvm.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "count_down.h"

#define TURN	100000		/* loops */
#define PLACE	0x1000		/* of the guest's only page */

/* Real mode: mov ecx, TURN; 1: dec ecx; jnz 1b; out 0x10, al; jmp to the beginning */
static const unsigned char turns[] = {
	0x66, 0xb9, TURN & 255, TURN >> 8 & 255, TURN >> 16 & 255, TURN >> 24,
	0x66, 0x49, 0x75, 0xfc, 0xe6, 0x10, 0xeb, 0xf2,
};
/* jmp to itself */
static const unsigned char forever[] = { 0xeb, 0xfe };

static int kvm, machine;

static void set_registers(int cpu)
{
	struct kvm_regs regs = { .rip = PLACE, .rflags = 2 };
	struct kvm_sregs sregs;

	if (ioctl(cpu, KVM_GET_SREGS, &sregs))
		err(1, "KVM_GET_SREGS");
	sregs.cs.base = 0;
	sregs.cs.selector = 0;
	if (ioctl(cpu, KVM_SET_SREGS, &sregs) || ioctl(cpu, KVM_SET_REGS, &regs))
		err(1, "KVM_SET_REGS");
}

static void *run_cpu(void *number)
{
	int cpu = ioctl(machine, KVM_CREATE_VCPU, (long)number);
	struct kvm_run *run;

	if (cpu < 0)
		err(1, "KVM_CREATE_VCPU");
	run = mmap(NULL, ioctl(kvm, KVM_GET_VCPU_MMAP_SIZE, 0), PROT_READ | PROT_WRITE, MAP_SHARED, cpu, 0);
	if (run == MAP_FAILED)
		err(1, "mmap");
	set_registers(cpu);
	for (;;) {
		if (ioctl(cpu, KVM_RUN, 0))
			err(1, "KVM_RUN");
		if (run->exit_reason != KVM_EXIT_IO)
			errx(1, "exit of the guest for reason %u", run->exit_reason);
		COUNT_DOWN(TURN);
	}
	return NULL;
}

static void create_machine(const unsigned char *code, size_t len)
{
	void *page = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	struct kvm_userspace_memory_region region = {
		.guest_phys_addr = PLACE, .memory_size = 4096, .userspace_addr = (unsigned long)page,
	};

	if (page == MAP_FAILED)
		err(1, "mmap");
	memcpy(page, code, len);
	kvm = open("/dev/kvm", O_RDWR | O_CLOEXEC);
	if (kvm < 0)
		err(1, "/dev/kvm");
	machine = ioctl(kvm, KVM_CREATE_VM, 0);
	if (machine < 0 || ioctl(machine, KVM_SET_USER_MEMORY_REGION, &region))
		err(1, "KVM_CREATE_VM");
}

int main(int argc, char **argv)
{
	long nr_cpus = 1, i;
	int takes_turns = 0;

	for (i = 1; i < argc; i++) {
		if (!strcmp(argv[i], "-user"))
			takes_turns = 1;
		else if (!strcmp(argv[i], "-smp") && i + 1 < argc)
			nr_cpus = atol(argv[++i]);
	}
	if (takes_turns)
		create_machine(turns, sizeof(turns));
	else
		create_machine(forever, sizeof(forever));
	for (i = 1; i < nr_cpus; i++) {
		pthread_t thread;

		if (pthread_create(&thread, NULL, run_cpu, (void *)i))
			errx(1, "pthread_create");
	}
	run_cpu(NULL);
}
