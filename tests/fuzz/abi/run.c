// SPDX-License-Identifier: GPL-2.0-only
/* Making calls, counting them, and keeping track of each session's state. */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../../workloads/machine.h"
#include "fuzz.h"

static void count(struct fuzzer *fuzzer, uint8_t kind, long result)
{
	int error = result < 0 ? errno : 0;

	fuzzer->totals->calls[kind][error < ERRNOS ? error : ERRNOS - 1]++;
	fuzzer->totals->nr_calls++;
}

static bool is_used(const struct fuzzer *fuzzer, int session)
{
	int file;

	for (file = 0; file < FILES; file++)
		if (fuzzer->fd[file] >= 0 && fuzzer->session[file] == session)
			return true;
	return false;
}

static void do_close(struct fuzzer *fuzzer, unsigned int file)
{
	count(fuzzer, CALL_CLOSE, close(fuzzer->fd[file]));
	fuzzer->fd[file] = -1;
}

static void do_open(struct fuzzer *fuzzer, unsigned int file)
{
	int session = 0;

	if (fuzzer->fd[file] >= 0)
		do_close(fuzzer, file);
	while (is_used(fuzzer, session))
		session++;
	fuzzer->fd[file] = open("/dev/cpuprobe", O_RDWR | O_CLOEXEC);
	count(fuzzer, CALL_OPEN, fuzzer->fd[file]);
	if (fuzzer->fd[file] < 0) {
		if (fuzzer->is_alone || errno != EINTR)
			finding(fuzzer, "cannot open the device");
		return;
	}
	fuzzer->session[file] = session;
	memset(&fuzzer->model[session], 0, sizeof(fuzzer->model[session]));
	fuzzer->model[session].is_known = fuzzer->is_alone;
}

static void do_dup(struct fuzzer *fuzzer, const struct call *call)
{
	unsigned int other = call->what % FILES;

	if (other == call->file)
		return;
	if (fuzzer->fd[other] >= 0)
		do_close(fuzzer, other);
	fuzzer->fd[other] = dup(fuzzer->fd[call->file]);
	count(fuzzer, CALL_DUP, fuzzer->fd[other]);
	fuzzer->session[other] = fuzzer->session[call->file];
}

/* Pass a descriptor to ourselves through a socket; in between, the process has closed it. */
static void do_pass(struct fuzzer *fuzzer, const struct call *call)
{
	char control[CMSG_SPACE(sizeof(int))] = { 0 }, byte = 0;
	struct iovec part = { &byte, 1 };
	struct msghdr message = { .msg_iov = &part, .msg_iovlen = 1, .msg_control = control,
				  .msg_controllen = sizeof(control) };
	struct cmsghdr *head = CMSG_FIRSTHDR(&message);
	int ends[2], fd = -1;

	if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends))
		return;
	*head = (struct cmsghdr){ .cmsg_level = SOL_SOCKET, .cmsg_type = SCM_RIGHTS,
				  .cmsg_len = CMSG_LEN(sizeof(int)) };
	memcpy(CMSG_DATA(head), &fuzzer->fd[call->file], sizeof(int));
	if (sendmsg(ends[0], &message, 0) == 1) {
		do_close(fuzzer, call->file);
		/* Half of the descriptors are lost: closing the socket ends the session. */
		if (call->what % 2 && recvmsg(ends[1], &message, MSG_CMSG_CLOEXEC) == 1)
			memcpy(&fd, CMSG_DATA(head), sizeof(int));
		fuzzer->fd[call->file] = fd;
	}
	close(ends[0]);
	close(ends[1]);
	count(fuzzer, CALL_PASS, 0);
}

/* A child uses the descriptors it inherits and exits; sometimes it alone holds a session. */
static void do_fork(struct fuzzer *fuzzer, const struct call *call)
{
	struct call own = { .kind = CALL_HARVEST, .file = call->what % FILES };
	pid_t child = fork();
	int file, i;

	if (!child) {
		fuzzer->random += getpid();
		for (i = 0; i < 20; i++) {
			call_draw(fuzzer, &own);
			own.place = PLACE_GOOD;
			own.arg.harvest.buffer = BUFFER;
			if (own.kind == CALL_HARVEST || own.kind == CALL_START)
				ioctl(fuzzer->fd[own.file],
				      own.kind == CALL_START ? CPUPROBE_IOC_START :
				      CPUPROBE_IOC_HARVEST, memory_argument(&own, 208));
		}
		_exit(0);
	}
	if (call->what % 2 && fuzzer->fd[call->file] >= 0)
		do_close(fuzzer, call->file);
	if (child > 0)
		while (waitpid(child, NULL, 0) < 0 && errno == EINTR)
			;
	for (file = 0; file < FILES; file++)
		fuzzer->model[file].is_known = false;
	memory_reset();		/* parent and child share the page of arguments */
	count(fuzzer, CALL_FORK, child < 0 ? -1 : 0);
}

static void do_file(struct fuzzer *fuzzer, const struct call *call)
{
	int fd = fuzzer->fd[call->file];
	bool is_refused = false;
	long result = 0;
	char bytes[64];
	void *map;

	switch (call->what % 7) {
	case 0:
		is_refused = (result = read(fd, bytes, sizeof(bytes))) < 0;
		break;
	case 1:
		/* A mark. Whether a trace records it cannot be seen here. */
		is_refused = (result = write(fd, "mark", 1 + call->area_seed % 4)) == 1 + call->area_seed % 4 ||
			!fuzzer->is_alone;
		break;
	case 2:
		map = mmap(NULL, 4096, PROT_READ, MAP_SHARED, fd, 0);
		is_refused = map == MAP_FAILED;
		result = is_refused ? -1 : 0;
		break;
	case 3:
		is_refused = (result = ftruncate(fd, 4096)) < 0;
		break;
	case 4:
		is_refused = (result = pread(fd, bytes, 1, 1LL << 62)) < 0;
		break;
	case 5:
		result = lseek(fd, call->area_seed, SEEK_SET);
		is_refused = true;
		break;
	default:
		result = fcntl(fd, F_SETFL, O_NONBLOCK);
		is_refused = true;
	}
	count(fuzzer, CALL_FILE, result);
	if (!is_refused)
		finding(fuzzer, "the device supports another operation");
}

static void do_poll(struct fuzzer *fuzzer, const struct call *call)
{
	struct model *model = &fuzzer->model[fuzzer->session[call->file]];
	struct pollfd poll_fd = { .fd = fuzzer->fd[call->file], .events = POLLIN | POLLOUT };
	int result = poll(&poll_fd, 1, 0);

	count(fuzzer, CALL_POLL, result);
	if (!model->is_known)
		return;
	if ((poll_fd.revents & POLLHUP) != (model->state == SESSION_STOPPED ? POLLHUP : 0) ||
	    (model->state == SESSION_NEW && result))
		finding(fuzzer, "poll differs from the session's state");
}

/* Update the model of the session after a call. */
static void follow(struct fuzzer *fuzzer, const struct call *call, long result)
{
	struct model *model = &fuzzer->model[fuzzer->session[call->file]];

	/* A random command may be STOP. */
	if (call->kind == CALL_ODD && !result)
		model->is_known = false;
	if (call->kind == CALL_START && !result) {
		model->state = SESSION_RUNNING;
		model->what = call->arg.start.what;
		fuzzer->totals->nr_starts++;
	}
	/* The session may have started and ended again, since the answer could not be written. */
	if (call->kind == CALL_START && (call->place == PLACE_FIXED || call->place == PLACE_RACED))
		model->is_known = false;
	if (call->place == PLACE_RACED && !fuzzer->is_alone)
		model->is_known = false;
	if (call->kind == CALL_STOP && !result)
		model->state = SESSION_STOPPED;
	/* The rules know sessions of samples only. */
	if ((call->kind == CALL_CALLS || call->kind == CALL_TRACE) && (!result || call->place != PLACE_GOOD)) {
		model->is_known = false;
		fuzzer->totals->nr_starts += !result;
	}
}

static void do_ioctl(struct fuzzer *fuzzer, const struct call *call)
{
	static const struct { unsigned int command; uint32_t len; } known[CALL_KINDS] = {
		[CALL_INFO] = { CPUPROBE_IOC_INFO, sizeof(struct cpuprobe_info) },
		[CALL_START] = { CPUPROBE_IOC_START, sizeof(struct cpuprobe_start) },
		[CALL_AREAS] = { CPUPROBE_IOC_AREAS, sizeof(struct cpuprobe_areas) },
		[CALL_HARVEST] = { CPUPROBE_IOC_HARVEST, sizeof(struct cpuprobe_harvest) },
		[CALL_STOP] = { CPUPROBE_IOC_STOP, 8 },
		[CALL_EXE] = { CPUPROBE_IOC_EXE, sizeof(struct cpuprobe_open) },
		[CALL_CALLS] = { CPUPROBE_IOC_CALLS, sizeof(struct cpuprobe_calls) },
		[CALL_COUNTS] = { CPUPROBE_IOC_COUNTS, sizeof(struct cpuprobe_counts) },
		[CALL_TIMES] = { CPUPROBE_IOC_TIMES, sizeof(struct cpuprobe_times) },
		[CALL_NEED] = { CPUPROBE_IOC_NEED, sizeof(struct cpuprobe_need) },
		[CALL_UNWIND] = { CPUPROBE_IOC_UNWIND, sizeof(struct cpuprobe_unwind) },
		[CALL_TRACE] = { CPUPROBE_IOC_TRACE, sizeof(struct cpuprobe_trace) },
		[CALL_EVENTS] = { CPUPROBE_IOC_EVENTS, sizeof(struct cpuprobe_events) },
		[CALL_MISSED] = { CPUPROBE_IOC_MISSED, sizeof(struct cpuprobe_missed) },
		[CALL_ODD] = { 0, 256 },
	};
	unsigned int command = call->kind == CALL_ODD ? call->command : known[call->kind].command;
	unsigned char *arg = memory_argument(call, known[call->kind].len);
	bool is_raced = call->place == PLACE_RACED && !fuzzer->is_alone;
	long result;
	int error;

	if (is_raced)
		other_burst(true);
	result = ioctl(fuzzer->fd[call->file], command, arg);
	error = errno;
	if (is_raced)
		other_burst(false);
	errno = error;
	count(fuzzer, call->kind, result);
	judge(fuzzer, call, arg, result, error);
	follow(fuzzer, call, result);
	/* EXE returns a descriptor, NEED writes one into its argument. */
	if (result > 0)
		close(result);
	if (call->kind == CALL_NEED && !result && call->place < PLACE_CUT &&
	    ((struct cpuprobe_need *)arg)->fd >= 0)
		close(((struct cpuprobe_need *)arg)->fd);
	if ((call->kind == CALL_HARVEST && call->arg.harvest.buffer != BUFFER) ||
	    (call->kind == CALL_COUNTS && call->arg.counts.buffer != BUFFER) ||
	    (call->kind == CALL_TIMES && call->arg.times.buffer != BUFFER) ||
	    (call->kind == CALL_EVENTS && call->arg.events.buffer != BUFFER) ||
	    (call->kind == CALL_MISSED && call->arg.missed.buffer != BUFFER) ||
	    ((call->kind == CALL_CALLS || call->kind == CALL_TRACE) && call->arg.calls.functions != AREAS))
		memory_reset();
	else if (!memory_is_sound(call, known[call->kind].len))
		finding(fuzzer, "written beyond the argument");
}

/* Most harvests acknowledge the previous one; otherwise nothing would ever be new. */
static void acknowledge(struct fuzzer *fuzzer, struct call *call)
{
	struct cpuprobe_harvest *harvest = &call->arg.harvest;
	uint64_t seq;

	if (harvest->cpu >= CPUS_MAX)
		return;
	seq = fuzzer->model[fuzzer->session[call->file]].last[harvest->cpu].seq;
	/* An account never seen is not acknowledged: the sums would lack its counts. */
	if (harvest->ack < 3 || harvest->ack == seq + 1)
		harvest->ack = seq;
}

/* Harvest after a wait for samples, so that the account is likely to name executables. */
static void harvest_stacks(struct fuzzer *fuzzer, struct call *call)
{
	const struct model *model = &fuzzer->model[fuzzer->session[call->file]];
	struct call harvest = { .kind = CALL_HARVEST, .file = call->file, .place = PLACE_GOOD,
		.arg.harvest = REQUEST(harvest, .cpu = sched_getcpu() % fuzzer->nr_cpus,
			.buffer = BUFFER, .buffer_len = COUNTS_LEN) };
	double until = now_s() + 0.04;

	if (!model->is_known || model->what != CPUPROBE_WHAT_STACKS)
		return;
	while (now_s() < until)
		;
	run_call(fuzzer, &harvest);
	call->arg.open.cpu = harvest.arg.harvest.cpu;
}

/* Most EXE calls name the account that was handed out last. */
static void quote(struct fuzzer *fuzzer, struct call *call)
{
	struct cpuprobe_open *open = &call->arg.open;

	if (open->cpu < CPUS_MAX && open->seq < 3)
		open->seq = fuzzer->model[fuzzer->session[call->file]].last[open->cpu].seq;
}

/* Most tables are for a file that is needed, if there is one. */
static void name_need(struct fuzzer *fuzzer, struct call *call)
{
	struct cpuprobe_need need = REQUEST(need, .fd = -1);

	if (call->what % 4 == 0 || ioctl(fuzzer->fd[call->file], CPUPROBE_IOC_NEED, &need))
		return;
	if (need.fd >= 0)
		close(need.fd);
	call->arg.unwind.object = need.object;
	call->arg.unwind.seq = need.seq;
}

void run_call(struct fuzzer *fuzzer, const struct call *kept)
{
	struct call call = *kept;

	fuzzer->now = &call;
	if (call.kind != CALL_OPEN && fuzzer->fd[call.file] < 0)
		do_open(fuzzer, call.file);
	switch (call.kind) {
	case CALL_OPEN:
		do_open(fuzzer, call.file);
		break;
	case CALL_CLOSE:
		do_close(fuzzer, call.file);
		break;
	case CALL_POLL:
		do_poll(fuzzer, &call);
		break;
	case CALL_DUP:
		do_dup(fuzzer, &call);
		break;
	case CALL_FILE:
		do_file(fuzzer, &call);
		break;
	case CALL_PASS:
		do_pass(fuzzer, &call);
		break;
	case CALL_FORK:
		do_fork(fuzzer, &call);
		break;
	case CALL_AREAS:
		if (call.arg.areas.areas == AREAS)
			call_areas(&call);
		do_ioctl(fuzzer, &call);
		break;
	case CALL_CALLS:
	case CALL_TRACE:	/* its functions are at the same place */
		if (call.arg.calls.functions == AREAS)
			call_functions(fuzzer, &call);
		do_ioctl(fuzzer, &call);
		break;
	case CALL_EVENTS:
		/* Only what has ended has events. */
		if (call.what % 4 && !fuzzer->model[fuzzer->session[call.file]].is_known)
			ioctl(fuzzer->fd[call.file], CPUPROBE_IOC_STOP);
		do_ioctl(fuzzer, &call);
		break;
	case CALL_UNWIND:
		name_need(fuzzer, &call);
		call_table(&call);
		fuzzer->now = &call;
		do_ioctl(fuzzer, &call);
		break;
	case CALL_EXE:
		if (call.what % 4)
			harvest_stacks(fuzzer, &call);
		fuzzer->now = &call;
		quote(fuzzer, &call);
		do_ioctl(fuzzer, &call);
		break;
	case CALL_HARVEST:
		acknowledge(fuzzer, &call);
		do_ioctl(fuzzer, &call);
		break;
	default:
		do_ioctl(fuzzer, &call);
	}
}

void run_end(struct fuzzer *fuzzer)
{
	unsigned int file;

	for (file = 0; file < FILES; file++)
		if (fuzzer->fd[file] >= 0)
			do_close(fuzzer, file);
}
