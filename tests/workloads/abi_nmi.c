// SPDX-License-Identifier: GPL-2.0-only
/*
 * abi_nmi: tests sessions that sample by NMI through the bare interface, on a machine with CPUs 0 and 1:
 * refusals; sums of every kind of session; several sessions at once, at a high rate, and in their thousands; CPUs
 * that go and come. On arm64 the NMIs are overflows of the counter of cycles, of which QEMU counts one in a nanosecond.
 * Prints each broken promise; exits with 1 then. Needs full access.
 *
 * abi_nmi shade SECONDS: measures code of the module shade, which keeps interrupts off for a known share of
 * CPU 1's time, and prints "TRUTH SHARE SAMPLES INSIDE OUTSIDE": the share of time in which the module kept them
 * off, the share of samples that found them off, how many samples, how many of those with interrupts off
 * are in shade_off(), and how many in shade_on().
 */
#include <stdbool.h>
#include <sched.h>
#include <sys/wait.h>
#include <time.h>

#include "abi.h"
#include "session.h"

#define SESSIONS	4	/* so many at once sample by NMI */
#define KINDS		5
#define CODE		512	/* no function of shade is longer */
#define HARDWARE	1	/* PERF_TYPE_HARDWARE plus one */
#define CYCLES		0	/* PERF_COUNT_HW_CPU_CYCLES */

static union {
	struct cpuprobe_record record[CPUPROBE_RECORDS];
	struct cpuprobe_lateness late;
	__u64 count[CPUPROBE_OBJECTS + CPUPROBE_SLOTS];
	__u64 stacks[CPUPROBE_STACK_KIB * 512 / 8];
} buffer;

/* Take the samples by counters, where CPUs cannot send each other NMIs. */
static void use_counters(struct cpuprobe_start *start)
{
#ifdef __aarch64__
	start->event_type = HARDWARE;
	start->event_config = CYCLES;
	start->event_period = start->period_ns;
	/* Samples of some periods that come close together are not too fast. */
	start->period_ns = start->period_ns * 4 / 5;
	if (start->period_ns < CPUPROBE_PERIOD_MIN_NS)
		start->period_ns = CPUPROBE_PERIOD_MIN_NS;
#endif
}

static struct cpuprobe_start good_nmi(unsigned int kind)
{
	struct cpuprobe_start start;

	switch (kind) {
	case 0:
		start = good_start();
		break;
	case 1:
		start = WITH(good_start(), by, CPUPROBE_BY_THREAD);
		break;
	case 2:
		start = good_late();
		break;
	case 3:
		start = good_stacks();
		break;
	default:
		start = good_kernel(open("/proc/self/exe", O_RDONLY | O_CLOEXEC));
		start.low = 0;
		start.high = ~0ULL;
	}
	start.flags = CPUPROBE_START_NMI;
	return start;
}

#ifdef __aarch64__
#define HAS_NEIGHBOURS	false
#else
#define HAS_NEIGHBOURS	true
#endif

/* Counters that overflow by NMI: nothing but an event of the processor has them. */
static void refusals_of_counters(int fd)
{
	struct cpuprobe_start start = good_nmi(2);

	use_counters(&start);
	if (!HAS_NEIGHBOURS) {
		refuses(fd, good_nmi(0), EOPNOTSUPP, REASON(NMI), __LINE__);
		takes(start, __LINE__);
	}
	start.event_type = HARDWARE;
	start.event_config = CYCLES;
	start.event_period = 1000000;
	start.jitter = CPUPROBE_JITTER_POISSON;
	refuses(fd, start, EINVAL, REASON(FIELD), __LINE__);
	start.jitter = CPUPROBE_JITTER_GRID;
	start.flags |= CPUPROBE_START_IDLE_SLEEP;
	refuses(fd, start, EINVAL, REASON(FIELD), __LINE__);
	start.flags = 0;
	refuses(fd, start, EINVAL, REASON(FIELD), __LINE__);
	start = good_nmi(0);
	start.event_type = SESSION_SOFTWARE;
	start.event_config = SESSION_PAGE_FAULTS;
	start.event_period = 1;
	refuses(fd, start, EOPNOTSUPP, REASON(NMI), __LINE__);
}

static void refusals(void)
{
	static const __u64 one = 2;
	struct cpuprobe_start start = good_nmi(0);
	unsigned int kind;
	int fd = device();

	for (kind = 0; kind < KINDS; kind++) {
		TAKES(good_nmi(kind), jitter, CPUPROBE_JITTER_GRID);
		TAKES(good_nmi(kind), jitter, CPUPROBE_JITTER_POISSON);
		TAKES(good_nmi(kind), period_ns, CPUPROBE_PERIOD_MAX_NS);
		REFUSES(good_nmi(kind), flags, CPUPROBE_START_NMI | CPUPROBE_START_IDLE_SLEEP, EINVAL);
		REFUSES(good_nmi(kind), flags, CPUPROBE_START_NMI << 1, EINVAL);
	}
	REFUSES(good_nmi(2), flags, CPUPROBE_START_NMI | CPUPROBE_START_EXCLUDE_DEFERRED, EINVAL);
	/* One CPU has no neighbour. */
	start.cpus = (unsigned long)&one;
	start.cpus_len = sizeof(one);
	refuses(fd, start, ENXIO, REASON(NEIGHBOUR), __LINE__);
	still_starts(fd, __LINE__);
}

/** One session, and what it has handed out of one CPU. */
struct nmi {
	int fd;
	unsigned int kind;
	__u64 ack[SESSION_CPUS];
	struct nmi_sums {
		__u64 taken, missed, expected, pending, off, merged, foreign, counted;
	} cpu[SESSION_CPUS];
	bool is_uncounted;	/* some account says so */
};

static int begin(struct nmi *nmi, unsigned int kind, __u64 period_ns, __u64 seed)
{
	struct cpuprobe_start start = good_nmi(kind);
	int result;

	memset(nmi, 0, sizeof(*nmi));
	nmi->kind = kind;
	nmi->fd = device();
	start.period_ns = period_ns;
	start.seed = seed;
	use_counters(&start);
	result = ioctl(nmi->fd, CPUPROBE_IOC_START, &start) ? errno : 0;
	if (start.exe_fd >= 0)
		close(start.exe_fd);
	if (result == EBUSY)
		CHECK(start.reason == CPUPROBE_REASON_NMI_SESSIONS ||
		      start.reason == CPUPROBE_REASON_OVERHEAD);
	return result;
}

/* Samples in the entries of an account. */
static __u64 entries(const struct nmi *nmi, const struct cpuprobe_account *account)
{
	__u64 sum = account->outside + account->other_mode + account->other_exe + account->other_task +
		account->excluded;
	const struct cpuprobe_stack *stack;
	unsigned int i;

	switch (nmi->kind) {
	case 0:
	case 1:
		return sum + hits_of_records(buffer.record, account->entries) + lost_samples(account);
	case 2:
		for (i = 0; i < 2 * CPUPROBE_LATE_BINS; i++)
			sum += (&buffer.late.hits[0][0])[i];
		return sum;
	case 3:
		for_each_stack(stack, buffer.stacks, account)
			sum += stack->hits;
		return sum + lost_samples(account);
	default:
		for (i = account->objects; i < account->entries; i++)
			sum += buffer.count[i];
		return sum;
	}
}

static void harvest(struct nmi *nmi, unsigned int cpu)
{
	struct cpuprobe_harvest harvest = REQUEST(harvest, .cpu = cpu, .buffer = (unsigned long)&buffer,
		.buffer_len = sizeof(buffer), .ack = nmi->ack[cpu]);
	const struct cpuprobe_account *account = &harvest.account;
	struct nmi_sums *sums = &nmi->cpu[cpu];

	CHECK(!ioctl(nmi->fd, CPUPROBE_IOC_HARVEST, &harvest));
	if (account->seq == nmi->ack[cpu])
		return;
	nmi->ack[cpu] = account->seq;
	sums->taken += account->taken;
	sums->missed += account->missed;
	sums->expected += account->expected;
	sums->pending = account->pending;
	sums->off += account->irqs_off;
	sums->merged += account->merged;
	sums->foreign += account->foreign;
	nmi->is_uncounted |= !!(account->flags & CPUPROBE_ACCOUNT_UNCOUNTED);
	CHECK(!(account->flags & CPUPROBE_ACCOUNT_DAMAGED));
	CHECK(sums->taken + sums->missed + sums->pending == sums->expected);
	CHECK(sums->merged <= sums->missed && account->irqs_off <= account->taken);
	CHECK(entries(nmi, account) == account->taken);
	if (nmi->kind == 2)
		CHECK(account->deferred == account->irqs_off);
}

static void harvest_all(struct nmi *nmi)
{
	harvest(nmi, 0);
	harvest(nmi, 1);
}

static void end(struct nmi *nmi)
{
	unsigned int cpu;

	CHECK(!ioctl(nmi->fd, CPUPROBE_IOC_STOP, 0));
	harvest_all(nmi);
	for (cpu = 0; cpu < 2; cpu++) {
		CHECK(!nmi->cpu[cpu].pending);
		CHECK(nmi->cpu[cpu].taken + nmi->cpu[cpu].missed == nmi->cpu[cpu].expected);
	}
	close(nmi->fd);
}

static double seconds(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec + now.tv_nsec / 1e9;
}

/* Every kind by itself: it has samples of both CPUs, about as many as periods have passed. */
static void each_kind(void)
{
	unsigned int kind, cpu;
	struct nmi nmi;

	for (kind = 0; kind < KINDS; kind++) {
		double began = seconds();

		CHECK(!begin(&nmi, kind, 2000000, 0));
		for (cpu = 0; cpu < 10; cpu++) {
			usleep(50000);
			harvest_all(&nmi);
		}
		end(&nmi);
		for (cpu = 0; cpu < 2; cpu++) {
			CHECK(nmi.cpu[cpu].expected >= 230);
			CHECK(nmi.cpu[cpu].expected <= (seconds() - began) * 500 + 2);
			CHECK(nmi.cpu[cpu].taken);
		}
		CHECK(!nmi.is_uncounted);
	}
}

/* As many as may be at once, at a rate that merges NMIs; the next one is refused. */
static void many(__u64 period_ns, unsigned int rounds)
{
	__u64 taken[SESSIONS] = { 0 }, missed = 0, merged = 0, foreign = 0;
	struct nmi nmi[SESSIONS], other;
	unsigned int i, round;

	for (i = 0; i < SESSIONS; i++)
		CHECK(!begin(&nmi[i], i, period_ns, i + 1));
	if (HAS_NEIGHBOURS) {
		CHECK(begin(&other, 0, period_ns, 0) == EBUSY);
		close(other.fd);
	}
	for (round = 0; round < rounds; round++) {
		usleep(20000);
		for (i = 0; i < SESSIONS; i++)
			harvest_all(&nmi[i]);
	}
	for (i = 0; i < SESSIONS; i++) {
		end(&nmi[i]);
		taken[i] = nmi[i].cpu[0].taken + nmi[i].cpu[1].taken;
		CHECK(taken[i]);
		missed += nmi[i].cpu[0].missed + nmi[i].cpu[1].missed;
		merged += nmi[i].cpu[0].merged + nmi[i].cpu[1].merged;
		foreign += nmi[i].cpu[0].foreign + nmi[i].cpu[1].foreign;
	}
	fprintf(stderr, "# %llu ns: taken %llu %llu %llu %llu, missed %llu, merged %llu, foreign %llu\n", period_ns,
		taken[0], taken[1], taken[2], taken[3], missed, merged, foreign);
}

/* Sessions that end, or are closed, while NMIs are on their way. */
static void ends(void)
{
	struct nmi nmi, beside;
	unsigned int i;

	CHECK(!begin(&beside, 3, 500000, 7));
	for (i = 0; i < 200; i++) {
		const int error = begin(&nmi, i % KINDS, 50000 + i * 1000, i + 1);

		/* A sample may cost too much on a busy host. */
		if (error) {
			CHECK(error == EBUSY);
			close(nmi.fd);
			continue;
		}
		usleep(i % 7 * 300);
		if (i % 3) {
			harvest_all(&nmi);
			end(&nmi);
		} else {
			close(nmi.fd);
		}
	}
	end(&beside);
}

static void set_online(bool is_online)
{
	int fd = open("/sys/devices/system/cpu/cpu1/online", O_WRONLY);

	CHECK(write(fd, is_online ? "1" : "0", 1) == 1);
	close(fd);
}

/* A CPU without a neighbour is not sampled, and is again when one comes. */
static void hotplug(void)
{
	struct nmi nmi, fresh;
	unsigned int i;
	__u64 expected;

	CHECK(!begin(&nmi, 0, 1000000, 3));
	for (i = 0; i < 6; i++) {
		usleep(100000);
		set_online(false);
		harvest_all(&nmi);
		harvest_all(&nmi);
		expected = nmi.cpu[0].expected + nmi.cpu[1].expected;
		nmi.is_uncounted = false;
		usleep(50000);
		harvest_all(&nmi);
		CHECK(nmi.cpu[0].expected + nmi.cpu[1].expected == expected);
		CHECK(!nmi.cpu[0].pending && !nmi.cpu[1].pending);
		if (!i) {
			CHECK(begin(&fresh, 0, 1000000, 3) == ENXIO);
			close(fresh.fd);
		}
		set_online(true);
		usleep(100000);
		harvest_all(&nmi);
		CHECK(nmi.cpu[0].expected + nmi.cpu[1].expected > expected);
	}
	end(&nmi);
	/* One that ends while a CPU is away. */
	CHECK(!begin(&nmi, 3, 1000000, 3));
	usleep(50000);
	set_online(false);
	end(&nmi);
	set_online(true);
}

/* A CPU that was alone says so, also if nobody harvests in that time, or the session ends in it. */
static void alone(void)
{
	struct nmi nmi;

	CHECK(!begin(&nmi, 0, 1000000, 3));
	usleep(50000);
	harvest_all(&nmi);
	CHECK(!nmi.is_uncounted);
	set_online(false);
	set_online(true);
	usleep(50000);
	harvest(&nmi, 1);
	CHECK(!nmi.is_uncounted);
	harvest(&nmi, 0);
	CHECK(nmi.is_uncounted);
	nmi.is_uncounted = false;
	usleep(50000);
	harvest_all(&nmi);
	CHECK(!nmi.is_uncounted);
	set_online(false);
	CHECK(!ioctl(nmi.fd, CPUPROBE_IOC_STOP, 0));
	harvest(&nmi, 1);
	CHECK(!nmi.is_uncounted);
	harvest(&nmi, 0);
	CHECK(nmi.is_uncounted);
	close(nmi.fd);
	set_online(true);
}

static __u64 parameter(const char *name)
{
	char path[96], text[32] = "";
	FILE *file;

	snprintf(path, sizeof(path), "/sys/module/shade/parameters/%s", name);
	file = fopen(path, "r");
	if (!file || !fgets(text, sizeof(text), file)) {
		perror(path);
		exit(1);
	}
	fclose(file);
	return strtoull(text, NULL, 10);
}

static __u64 address(const char *name)
{
	char line[256], symbol[128];
	unsigned long long addr;
	FILE *file = fopen("/proc/kallsyms", "r");

	while (file && fgets(line, sizeof(line), file))
		if (sscanf(line, "%llx %*c %127s", &addr, symbol) == 2 && !strcmp(symbol, name))
			return addr;
	exit(1);
}

static int shade(double length)
{
	__u64 off = address("shade_off"), on = address("shade_on"), inside = 0, outside = 0;
	__u64 off_ns = parameter("off_ns"), on_ns = parameter("on_ns");
	double until = seconds() + length;
	struct nmi nmi;
	unsigned int i;

	CHECK(!begin(&nmi, 2, 1000000, 11));
	while (seconds() < until) {
		usleep(40000);
		harvest(&nmi, 0);
		memset(&buffer, 0, sizeof(buffer));
		harvest(&nmi, 1);
		for (i = 0; i < CPUPROBE_LATE_PLACES; i++) {
			const struct cpuprobe_place *place = &buffer.late.place[i];

			/* Whichever of the two comes first in memory is shorter than their distance. */
			inside += place->pc - off < CODE && !(on > off && place->pc >= on) ? place->hits : 0;
			outside += place->pc - on < CODE && !(off > on && place->pc >= off) ? place->hits : 0;
		}
	}
	off_ns = parameter("off_ns") - off_ns;
	on_ns = parameter("on_ns") - on_ns;
	ioctl(nmi.fd, CPUPROBE_IOC_STOP, 0);
	close(nmi.fd);
	printf("%.4f %.4f %llu %llu %llu\n", (double)off_ns / (off_ns + on_ns),
	       (double)nmi.cpu[1].off / nmi.cpu[1].taken, nmi.cpu[1].taken, inside, outside);
	return nr_wrong != 0;
}

int main(int argc, char **argv)
{
	if (argc == 3)
		return shade(atof(argv[2]));
	refusals_of_counters(device());
	if (HAS_NEIGHBOURS)
		refusals();
	each_kind();
	many(1000000, 50);
	many(200000, 100);
	ends();
	if (HAS_NEIGHBOURS) {
		hotplug();
		alone();
	}
	return nr_wrong != 0;
}
