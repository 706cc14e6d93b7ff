// SPDX-License-Identifier: GPL-2.0-only
/*
 * The interface for unwinding tables: NEED and UNWIND out of order and with invalid fields, tables that
 * contradict themselves, and tables that lie: whatever valid rules say, a walk reads only the stack and
 * ends. Prints each broken promise; exits with 1 then. Needs full access, or a session of one's own.
 */
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>

#include "abi.h"

#define LIES		150	/* rounds of tables that lie */
#define ROUND_MS	10
#define ROWS_MAX	64
#define RULES_MAX	8
#define WAIT_MS		10000

/** A table under construction. */
struct table {
	__u32 pages[3];
	__u32 rows[ROWS_MAX];
	struct cpuprobe_rule rules[RULES_MAX];
	struct cpuprobe_unwind request;
};

static __u64 state = 88172645463325252ULL;

static __u64 draw(void)
{
	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return state;
}

static struct cpuprobe_start good_unwind(void)
{
	struct cpuprobe_start start = good_stacks();

	start.flags = CPUPROBE_START_UNWIND;
	start.frames = CPUPROBE_FRAMES_USER;
	start.pid = getpid();
	start.period_ns = 200000;
	return start;
}

static int begin(struct cpuprobe_start start)
{
	int fd = device();

	CHECK(!ioctl(fd, CPUPROBE_IOC_START, &start));
	return fd;
}

static void spin(unsigned int milliseconds)
{
	struct timespec now, begun;

	clock_gettime(CLOCK_MONOTONIC, &begun);
	do
		clock_gettime(CLOCK_MONOTONIC, &now);
	while ((now.tv_sec - begun.tv_sec) * 1000 + (now.tv_nsec - begun.tv_nsec) / 1000000 <
	       (long)milliseconds);
}

/* Computes until an object is needed, or for WAIT_MS. */
static struct cpuprobe_need next_need(int fd)
{
	struct cpuprobe_need need = REQUEST(need, .fd = -1);
	unsigned int waited;

	for (waited = 0; waited < WAIT_MS; waited += 5) {
		if (!ioctl(fd, CPUPROBE_IOC_NEED, &need))
			return need;
		CHECK(errno == ENOENT);
		spin(5);
	}
	CHECK(!"an object is needed");
	return need;
}

static void set_request(struct table *table, const struct cpuprobe_need *need)
{
	table->request = REQUEST(unwind, .object = need->object, .seq = need->seq,
		.pages = (unsigned long)table->pages, .rows = (unsigned long)table->rows,
		.rules = (unsigned long)table->rules);
}

/* One rule for a whole page, the first of the file. */
static struct table plain_table(const struct cpuprobe_need *need)
{
	struct table table = { .pages = { 0, 1 }, .rules = { {
		.kind = CPUPROBE_RULE_CFA, .ra = CPUPROBE_SAVED_STACK, .offset = 8, .ra_words = -1 } } };

	set_request(&table, need);
	table.request.nr_pages = table.request.nr_rows = table.request.nr_rules = 1;
	return table;
}

static void hand_over(int fd, struct table *table, int error, int line)
{
	table->request.pages = (unsigned long)table->pages;
	table->request.rows = (unsigned long)table->rows;
	table->request.rules = (unsigned long)table->rules;
	if (error)
		check(ioctl(fd, CPUPROBE_IOC_UNWIND, &table->request) == -1 && errno == error, "refused",
		      line);
	else
		check(!ioctl(fd, CPUPROBE_IOC_UNWIND, &table->request), "taken", line);
}

#define REFUSED(need, field, value, error) do { \
	struct table t = plain_table(need); \
	t.field = value; \
	hand_over(fd, &t, error, __LINE__); \
} while (0)

static void check_tables(int fd, const struct cpuprobe_need *need)
{
	struct table good = plain_table(need), empty = good;

	REFUSED(need, request.size, 55, EPROTO);
	REFUSED(need, request.version, CPUPROBE_ABI_VERSION + 1, EPROTO);
	REFUSED(need, request.object, 1u << 20, EINVAL);
	REFUSED(need, request.object, ~0u, EINVAL);
	REFUSED(need, request.seq, need->seq + 1, ESTALE);
	REFUSED(need, request.nr_rows, CPUPROBE_UNWIND_ROWS_MAX + 1, EINVAL);
	REFUSED(need, request.nr_rules, CPUPROBE_UNWIND_RULES_MAX + 1, EINVAL);
	REFUSED(need, request.nr_pages, 0, EINVAL);
	REFUSED(need, request.nr_pages, CPUPROBE_UNWIND_PAGE + 1, EINVAL);
	REFUSED(need, request.first_page, ~0u, EINVAL);
	REFUSED(need, request.nr_rules, 0, EINVAL);
	REFUSED(need, request.nr_rows, 0, EINVAL);
	REFUSED(need, rows[0], 1u << 16, EINVAL);
	REFUSED(need, pages[0], 1, EINVAL);
	REFUSED(need, pages[1], 2, EINVAL);
	REFUSED(need, rules[0].kind, CPUPROBE_RULE_KINDS, EINVAL);
	REFUSED(need, rules[0].base, 2, EINVAL);
	REFUSED(need, rules[0].fp, CPUPROBE_SAVED_LOST + 1, EINVAL);
	REFUSED(need, rules[0].ra, CPUPROBE_SAVED_LOST, EINVAL);
	REFUSED(need, rules[0].add, 8, EINVAL);
	good.request.rules = 8;
	FAILS(ioctl(fd, CPUPROBE_IOC_UNWIND, &good.request), EFAULT);
	FAILS(ioctl(fd, CPUPROBE_IOC_UNWIND, NULL), EFAULT);
	FAILS(ioctl(fd, CPUPROBE_IOC_NEED, NULL), EFAULT);
	hand_over(fd, &good, 0, __LINE__);
	hand_over(fd, &good, 0, __LINE__);
	empty.request.nr_rows = empty.request.nr_pages = empty.request.nr_rules = 0;
	hand_over(fd, &empty, 0, __LINE__);
}

/* The file is this program, the C library, the loader or the vdso. */
static void check_need(const struct cpuprobe_need *need, bool *is_exe)
{
	struct stat a, b;

	CHECK(need->limit_kib == 16384 && !need->nr_evicted && !need->nr_unrecorded);
	if (need->flags & CPUPROBE_NEED_VDSO) {
		CHECK(need->fd == -1);
		return;
	}
	CHECK(!need->flags && need->fd >= 0);
	CHECK(fcntl(need->fd, F_GETFD) == FD_CLOEXEC &&
	      (fcntl(need->fd, F_GETFL) & O_ACCMODE) == O_RDONLY);
	*is_exe = !fstat(need->fd, &a) && !stat("/proc/self/exe", &b) && a.st_ino == b.st_ino &&
		a.st_dev == b.st_dev;
	close(need->fd);
}

static void order(void)
{
	struct cpuprobe_need need = REQUEST(need, .fd = -1);
	struct table table = plain_table(&need);
	int fd = device();

	FAILS(ioctl(fd, CPUPROBE_IOC_NEED, &need), EINVAL);
	FAILS(ioctl(fd, CPUPROBE_IOC_UNWIND, &table.request), EINVAL);
	close(fd);
	fd = begin(good_stacks());
	FAILS(ioctl(fd, CPUPROBE_IOC_NEED, &need), EINVAL);
	FAILS(ioctl(fd, CPUPROBE_IOC_UNWIND, &table.request), EINVAL);
	close(fd);
	REFUSES(good_unwind(), frames, CPUPROBE_FRAMES_KERNEL, EINVAL);
	REFUSES(good_unwind(), unwind_kib, CPUPROBE_UNWIND_KIB_MIN - 1, EINVAL);
	REFUSES(good_unwind(), reserved, 1, EINVAL);
	REFUSES(good_stacks(), unwind_kib, CPUPROBE_UNWIND_KIB_MIN, EINVAL);
	REFUSES(good_stacks(), flags, CPUPROBE_START_DISTURB, EINVAL);
	REFUSES(good_start(), flags, CPUPROBE_START_UNWIND, EINVAL);
	TAKES(good_unwind(), flags, CPUPROBE_START_UNWIND | CPUPROBE_START_DISTURB);
	TAKES(good_unwind(), unwind_kib, CPUPROBE_UNWIND_KIB_MIN);
}

/*
 * Until nothing is due. A sample between NEED and poll() may ask for a file that had no sample yet: so each
 * round but the last names another one of the four that check_need() lists.
 */
static void name_all(int fd)
{
	struct cpuprobe_need need = REQUEST(need, .fd = -1);
	struct pollfd poller = { .fd = fd, .events = POLLIN };
	unsigned int round;

	for (round = 0; round < 5; round++) {
		while (!ioctl(fd, CPUPROBE_IOC_NEED, &need))
			close(need.fd);
		CHECK(errno == ENOENT);
		if (poll(&poller, 1, 0) == 0)
			return;
	}
	CHECK(!"nothing is due once all files are named");
}

static void fields(void)
{
	int fd = begin(good_unwind());
	bool is_exe = false;
	struct cpuprobe_need need;
	unsigned int i;

	/* The clock is in the vdso, called by the C library, called by this program. */
	for (i = 0; i < 4 && !is_exe; i++) {
		need = next_need(fd);
		check_need(&need, &is_exe);
	}
	CHECK(is_exe);
	check_tables(fd, &need);
	spin(100);
	name_all(fd);
	CHECK(!ioctl(fd, CPUPROBE_IOC_STOP));
	close(fd);
}

/* A table too large for the session's memory. */
static void budget(void)
{
	static __u32 rows[32768];
	int fd = begin(WITH(good_unwind(), unwind_kib, CPUPROBE_UNWIND_KIB_MIN));
	struct cpuprobe_need need = next_need(fd);
	struct table table = plain_table(&need);
	__u32 i;

	CHECK(need.limit_kib == CPUPROBE_UNWIND_KIB_MIN && !need.used_kib);
	hand_over(fd, &table, 0, __LINE__);
	for (i = 0; i < NR(rows); i++)
		rows[i] = i;
	table.pages[1] = NR(rows);
	table.request.nr_rows = NR(rows);
	table.request.rows = (unsigned long)rows;
	FAILS(ioctl(fd, CPUPROBE_IOC_UNWIND, &table.request), ENOSPC);
	CHECK(ioctl(fd, CPUPROBE_IOC_NEED, &need) || need.used_kib == 4);
	close(fd);
}

static struct cpuprobe_rule draw_rule(void)
{
	static const __s32 offsets[] = { 0, 8, 16, 24, 64, -8, -16, 4096, 1, 0x7fffffff, -0x7fffffff - 1 };
	struct cpuprobe_rule rule = {
		.kind = draw() % CPUPROBE_RULE_KINDS, .base = draw() % 2, .fp = draw() % 3,
		.ra = draw() % 2,
		.offset = draw() % 4 ? offsets[draw() % NR(offsets)] : (__s32)draw(),
	};

	if (rule.kind == CPUPROBE_RULE_NONE || rule.kind == CPUPROBE_RULE_OUTERMOST ||
	    rule.kind == CPUPROBE_RULE_UNSUPPORTED)
		return (struct cpuprobe_rule){ .kind = rule.kind };
	if (rule.kind == CPUPROBE_RULE_REGISTER)
		rule.base = draw() % 32;
	if (rule.kind == CPUPROBE_RULE_REALIGNED)
		rule.fp = CPUPROBE_SAVED_STACK;
	if (rule.fp == CPUPROBE_SAVED_STACK)
		rule.fp_words = draw() % 3 ? -2 : (__s16)draw();
	if (rule.kind == CPUPROBE_RULE_SIGNAL)
		rule.ra = CPUPROBE_SAVED_STACK;
	if (rule.ra == CPUPROBE_SAVED_STACK)
		rule.ra_words = draw() % 3 ? -1 : (__s16)draw();
	if (rule.kind == CPUPROBE_RULE_DEREF || rule.kind == CPUPROBE_RULE_REALIGNED)
		rule.add = draw() % 2 ? 8 : (__s32)draw();
	if (rule.kind == CPUPROBE_RULE_PLT)
		rule.add = draw() % 16;
	return rule;
}

static struct table draw_table(const struct cpuprobe_need *need)
{
	struct table table = { .pages = { 0 } };
	__u32 i, place = 0;

	set_request(&table, need);
	table.request.nr_pages = 1 + draw() % 2;
	table.request.nr_rules = 1 + draw() % RULES_MAX;
	table.request.nr_rows = 2 + draw() % (ROWS_MAX - 1);
	for (i = 0; i < table.request.nr_rules; i++)
		table.rules[i] = draw_rule();
	table.pages[1] = table.request.nr_pages == 2 ? 1 : table.request.nr_rows;
	table.pages[2] = table.request.nr_rows;
	for (i = 0; i < table.request.nr_rows; i++) {
		if (i == table.pages[1])
			place = 0;
		table.rows[i] = place | draw() % table.request.nr_rules << 16;
		place += 1 + draw() % 1000;
	}
	return table;
}

/* Harvests CPU 0 and checks the frames. Returns the samples. */
static __u64 check_stacks(int fd, __u64 *ack)
{
	static __u64 buffer[CPUPROBE_STACK_KIB * 512 / 8];
	struct cpuprobe_harvest request = REQUEST(harvest, .buffer = (unsigned long)buffer,
		.buffer_len = sizeof(buffer), .ack = *ack);
	const char *at = (const char *)buffer, *end;
	__u64 hits = 0;

	CHECK(!ioctl(fd, CPUPROBE_IOC_HARVEST, &request));
	if (request.account.seq == *ack)
		return 0;
	*ack = request.account.seq;
	end = at + request.account.bytes;
	for (at += request.account.objects * sizeof(struct cpuprobe_exe); at < end;) {
		const struct cpuprobe_stack *stack = (const void *)at;

		CHECK(!stack->nr_kernel && stack->nr_user <= CPUPROBE_FRAMES_MAX);
		CHECK(stack->nr_user || stack->mode != CPUPROBE_MODE_USER);
		hits += stack->hits;
		at = (const char *)&stack->frame[stack->nr_user];
	}
	CHECK(at == end && !(request.account.flags & CPUPROBE_ACCOUNT_DAMAGED));
	return hits;
}

/* Every object that samples need gets tables that lie, again and again. */
static void lies(void)
{
	struct cpuprobe_need needs[8];
	int fd = begin(good_unwind());
	__u64 hits = 0, ack = 0;
	unsigned int nr = 0, i, round;

	for (round = 0; round < LIES; round++) {
		struct cpuprobe_need need = REQUEST(need, .fd = -1);

		spin(ROUND_MS);
		while (nr < NR(needs) && !ioctl(fd, CPUPROBE_IOC_NEED, &need)) {
			close(need.fd);
			needs[nr++] = need;
		}
		for (i = 0; i < nr; i++) {
			struct table table = draw_table(&needs[i]);

			hand_over(fd, &table, 0, __LINE__);
		}
		hits += check_stacks(fd, &ack);
	}
	CHECK(nr >= 2);
	CHECK(hits > LIES);
	close(fd);
}

#ifdef __aarch64__
/* mov w0, #100000 (two instructions); 1: subs w0, w0, #1; b.ne 1b; ret */
static const __u32 code[] = { 0x5290d400, 0x72a00020, 0x71000400, 0x54ffffe1, 0xd65f03c0 };
#else
/* mov $100000, %ecx; 1: dec %ecx; jnz 1b; ret */
static const __u8 code[] = { 0xb9, 0xa0, 0x86, 0x01, 0x00, 0xff, 0xc9, 0x75, 0xfc, 0xc3 };
#endif

/* Maps a file of code, with a lease on the file that is never given up. */
static void (*map_leased(void))(void)
{
	int fd = open("leased", O_RDWR | O_CREAT | O_TRUNC, 0700);
	void *mapped;

	CHECK(write(fd, code, sizeof(code)) == sizeof(code));
	close(fd);
	fd = open("leased", O_RDONLY);
	mapped = mmap(NULL, sizeof(code), PROT_READ | PROT_EXEC, MAP_PRIVATE, fd, 0);
	CHECK(mapped != MAP_FAILED);
	signal(SIGIO, SIG_IGN);
	CHECK(!fcntl(fd, F_SETLEASE, F_WRLCK));
	return (void (*)(void))mapped;
}

/* NEED does not wait for whoever has a lease on a file: that can be the caller. */
static void lease(void)
{
	void (*call)(void) = map_leased();
	struct cpuprobe_need need = REQUEST(need, .fd = -1);
	int fd = begin(good_unwind()), calls;

	for (calls = 0; calls < 2000 && need.fd != -EAGAIN; calls++) {
		call();
		while (!ioctl(fd, CPUPROBE_IOC_NEED, &need) && need.fd != -EAGAIN)
			close(need.fd);
	}
	CHECK(need.fd == -EAGAIN && !need.flags);
	close(fd);
}

int main(void)
{
	order();
	fields();
	budget();
	lease();
	lies();
	return nr_wrong > 0;
}
