/* SPDX-License-Identifier: GPL-2.0-only */
/* A collector with accounts of stacks made by tests, and symbols of a small kernel. */
#ifndef COLLECTORS_H
#define COLLECTORS_H

#include <unistd.h>

#include "unit.h"
#include "resolve/collector.h"

/* Symbols in the form of /proc/kallsyms. */
static const char symbols[] =
	"ffffffff81000000 T _stext\n"
	"ffffffff81000100 T work\n"
	"ffffffff81000200 T syscall_entry\n"
	"ffffffff81000300 T handle_softirqs\n"
	"ffffffff81000400 T __irq_exit_rcu\n"
	"ffffffff81000500 T asm_sysvec_apic_timer_interrupt\n"
	"ffffffff81000600 T schedule\n"
	"ffffffff81000700 T _etext\n";

#define WORK		0xffffffff81000110
#define SYSCALL		0xffffffff81000210
#define SOFTIRQS	0xffffffff81000310
#define IRQ_EXIT	0xffffffff81000410
#define TIMER		0xffffffff81000510
#define SCHEDULE	0xffffffff81000610

static char path[] = "/dev/shm/cpuprobe-kallsyms-XXXXXX";

/** Fixture of a test. */
struct subject {
	struct profile *profile;
	struct resolver *resolver;
	struct collector *collector;
	u64 counted;
	struct receipt_stacks stacks;
	const char *lacking;		/* file that has no table; NULL: none is known */
	/* the account to be collected */
	struct cpuprobe_account account;
	_Alignas(8) char bytes[16384];
};

static inline void count(void *context, u32 stack, u64 hits, double ns)
{
	struct subject *subject = context;

	subject->counted += hits;
}

static inline bool lacks_table(void *context, const char *name)
{
	struct subject *subject = context;

	return subject->lacking && !strcmp(subject->lacking, name);
}

static inline void begin_with(struct subject *subject, bool only_leaf)
{
	const struct resolver_options how = { .kallsyms = path, .modules = "/dev/null" };
	const struct collector_options what = {
		.only_leaf = only_leaf, .stacks = &subject->stacks, .lacks_table = lacks_table,
		.counted = count,
		.context = subject,
	};

	memset(subject, 0, sizeof(*subject));
	subject->profile = profile_create();
	subject->resolver = resolver_create(subject->profile, &how, NULL);
	subject->collector = collector_create(subject->profile, subject->resolver, &what);
	assert_non_null(subject->collector);
	subject->account.period_ns = 1000;
}

static inline void begin(struct subject *subject)
{
	begin_with(subject, false);
}

static inline void end(struct subject *subject)
{
	collector_destroy(subject->collector);
	resolver_destroy(subject->resolver);
	profile_destroy(subject->profile);
}

static inline struct cpuprobe_stack *add(struct subject *subject, u32 kind, u32 mode,
					 u64 hits, const u64 *frames, u32 nr)
{
	struct cpuprobe_stack *stack = (void *)(subject->bytes + subject->account.bytes);

	*stack = (struct cpuprobe_stack){
		.hits = hits, .comm = "some", .kind = kind, .mode = mode, .nr_kernel = nr,
		.pid = kind == CPUPROBE_KIND_IDLE || kind == CPUPROBE_KIND_SOFTIRQ ? 0 : 77,
	};
	for (u32 i = 0; i < nr; i++)
		stack->frame[i] = frames[i];
	subject->account.bytes += sizeof(*stack) + nr * sizeof(u64);
	subject->account.entries++;
	subject->account.taken += hits;
	return stack;
}

static inline void collect(struct subject *subject)
{
	assert_int_equal(collector_add(subject->collector, NULL, 0, &subject->account,
				       subject->bytes), 0);
}

/* The names of a stack, the leaf first, in one string. */
static inline const char *names(const struct subject *subject, u32 at)
{
	static char text[1024];
	const struct profile_stack *stack = &subject->profile->stacks[at];
	const u32 *frames = profile_frames_of(subject->profile, stack);

	text[0] = '\0';
	for (u32 i = 0; i < stack->nr_frames; i++) {
		strcat(text, i ? "<" : "");
		strcat(text, profile_function_of(subject->profile, frames[i])->name);
	}
	return text;
}

/* Before and after a group of tests: a file with the symbols. */
static inline int write_symbols(void **state)
{
	int fd = mkstemp(path);
	bool is_written = write(fd, symbols, sizeof(symbols) - 1) == sizeof(symbols) - 1;

	close(fd);
	return is_written ? 0 : -1;
}

static inline int remove_symbols(void **state)
{
	return unlink(path);
}

#endif
