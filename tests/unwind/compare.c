// SPDX-License-Identifier: GPL-2.0-only
/*
 * compare STOPS COMMAND [ARGUMENT...]: stops a real program at random instants and finds its callers twice:
 * by the tables of the symbolizer and the module's own step, and by libdw's unwinder. Prints the first few
 * differences, after "#", and then STOPS EQUAL EARLY FRAMES. Early: ours are the first of libdw's, and a
 * reason says why there are no more.
 */
#include <elfutils/libdwfl.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/uio.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cfi_step.h"
#include "symbolizer.h"
#include "sym_unwind.h"

#define FRAMES_MAX	CPUPROBE_FRAMES_MAX
#define FILES_MAX	256
#define STACK_READ	(64 << 10)	/* bytes of the stack that are read at once */
#define TOLD		10	/* differences that are printed */
/* While a program starts, its linker often runs code whose CFA is in a register that tables do not follow. */
#define STARTS_US	200000

/** The table of a mapped file. */
struct file_table {
	u64 inode;
	u32 dev_major, dev_minor;
	struct sym_unwind *table;	/* NULL: none */
};

struct process {
	pid_t pid;
	struct sym_maps maps;
	struct file_table files[FILES_MAX];
	size_t nr_files;
	u64 stack[STACK_READ / sizeof(u64)];
	unsigned long stack_at, stack_len;
	const struct user_regs_struct *interrupted;
	bool is_first;		/* the walk is in the function that was interrupted */
	Dwfl *dwfl;
};

struct frames {
	u64 pc[FRAMES_MAX];
	u32 nr;
	u32 end;			/* CPUPROBE_STACK_*, or CFI_OUTERMOST */
	bool is_by_pointer;
};

static u64 state = 0x9e3779b97f4a7c15ULL;

static unsigned int draw_us(unsigned int below)
{
	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return state % below;
}

static void die(const char *what)
{
	fprintf(stderr, "compare: %s: %s\n", what, strerror(errno));
	exit(2);
}

static struct sym_unwind *read_table(const struct process *process, const struct sym_map *map)
{
	struct sym_unwind *table = NULL;
	char path[128];
	int fd;

	if (!map->inode) {
		size_t len = map->end - map->start;
		char *image = malloc(len);
		struct iovec local = { image, len }, remote = { (void *)map->start, len };

		if (process_vm_readv(process->pid, &local, 1, &remote, 1, 0) == (ssize_t)len)
			sym_unwind_create_memory(image, len, &table, NULL);
		free(image);
		return table;
	}
	snprintf(path, sizeof(path), "/proc/%d/map_files/%llx-%llx", process->pid, map->start, map->end);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		fd = open(map->path, O_RDONLY | O_CLOEXEC);
	if (fd >= 0) {
		sym_unwind_create(fd, &table, NULL);
		close(fd);
	}
	return table;
}

static const struct sym_unwind *find_table(struct process *process, const struct sym_map *map)
{
	struct file_table *file = process->files;
	size_t i;

	if (!map->inode && strcmp(map->path, "[vdso]"))
		return NULL;
	for (i = 0; i < process->nr_files; i++, file++)
		if (file->inode == map->inode && file->dev_major == map->dev_major &&
		    file->dev_minor == map->dev_minor)
			return file->table;
	if (i == FILES_MAX)
		return NULL;
	*file = (struct file_table){ map->inode, map->dev_major, map->dev_minor,
				     read_table(process, map) };
	process->nr_files++;
	return file->table;
}

static const struct cpuprobe_rule *find_rule(struct process *process, u64 addr)
{
	const struct sym_unwind *table;
	struct cfi cfi;
	size_t i;

	for (i = 0; i < process->maps.nr; i++) {
		const struct sym_map *map = &process->maps.maps[i];

		if (addr < map->start || addr >= map->end)
			continue;
		table = find_table(process, map);
		if (!table)
			return NULL;
		cfi = (struct cfi){ table->first_page, table->nr_pages, table->nr_rows, table->nr_rules,
				    table->pages, table->rows, table->rules };
		return cfi_find(&cfi, addr - map->start + map->offset);
	}
	return NULL;
}

static u32 read_word(void *context, unsigned long addr, unsigned long *word_ret)
{
	const struct process *process = context;
	unsigned long at = addr - process->stack_at;
	struct iovec local = { word_ret, sizeof(*word_ret) }, remote = { (void *)addr, sizeof(*word_ret) };

	if (addr & 7)
		return CPUPROBE_STACK_OUTSIDE;
	if (at < process->stack_len && at + sizeof(*word_ret) <= process->stack_len) {
		*word_ret = process->stack[at / sizeof(u64)];
		return 0;
	}
	return process_vm_readv(process->pid, &local, 1, &remote, 1, 0) == sizeof(*word_ret) ?
		0 : CPUPROBE_STACK_UNREADABLE;
}

/* By its number in DWARF; only the first function's registers are known. */
static bool get_register(void *context, u32 number, unsigned long *value_ret)
{
	const struct process *process = context;
	const struct user_regs_struct *user = process->interrupted;
	const unsigned long long values[] = {
		user->rax, user->rdx, user->rcx, user->rbx, user->rsi, user->rdi, user->rbp, user->rsp,
		user->r8, user->r9, user->r10, user->r11, user->r12, user->r13, user->r14, user->r15,
	};

	if (!process->is_first || number >= sizeof(values) / sizeof(values[0]))
		return false;
	*value_ret = values[number];
	return true;
}

static void read_stack(struct process *process, unsigned long sp)
{
	struct iovec local = { process->stack, sizeof(process->stack) };
	struct iovec remote = { (void *)sp, sizeof(process->stack) };
	ssize_t got = process_vm_readv(process->pid, &local, 1, &remote, 1, 0);

	process->stack_at = sp;
	process->stack_len = got > 0 ? got : 0;
}

static void walk_by_tables(struct process *process, const struct user_regs_struct *user,
			   struct frames *frames)
{
	struct cfi_regs regs = { .pc = user->rip, .sp = user->rsp, .fp = user->rbp, .is_exact = true };

	read_stack(process, regs.sp);
	*frames = (struct frames){ .nr = 0 };
	process->interrupted = user;
	do {
		const struct cpuprobe_rule *rule = find_rule(process, regs.pc - !regs.is_exact);

		process->is_first = !frames->nr;
		frames->pc[frames->nr++] = regs.pc;
		frames->end = rule && rule->kind != CPUPROBE_RULE_NONE ?
			cfi_step(rule, &regs, read_word, get_register, process) :
			cfi_step_by_pointer(&regs, &frames->is_by_pointer, CPUPROBE_STACK_NO_TABLE,
					    read_word, process);
	} while (frames->end == CFI_STEPPED && frames->nr < FRAMES_MAX);
}

static int add_frame(Dwfl_Frame *frame, void *context)
{
	struct frames *frames = context;
	Dwarf_Addr pc;

	if (!dwfl_frame_pc(frame, &pc, NULL))
		return DWARF_CB_ABORT;
	/* A thread that has no caller begins at a return address of 0. */
	if (pc && frames->nr < FRAMES_MAX)
		frames->pc[frames->nr++] = pc;
	return frames->nr < FRAMES_MAX ? DWARF_CB_OK : DWARF_CB_ABORT;
}

static void walk_by_libdw(struct process *process, struct frames *frames)
{
	static const Dwfl_Callbacks callbacks = {
		.find_elf = dwfl_linux_proc_find_elf, .find_debuginfo = dwfl_standard_find_debuginfo,
	};

	frames->nr = 0;
	if (!process->dwfl) {
		process->dwfl = dwfl_begin(&callbacks);
		if (dwfl_linux_proc_report(process->dwfl, process->pid) ||
		    dwfl_report_end(process->dwfl, NULL, NULL) ||
		    dwfl_linux_proc_attach(process->dwfl, process->pid, true))
			die(dwfl_errmsg(-1));
	}
	dwfl_getthread_frames(process->dwfl, process->pid, add_frame, frames);
}

/* Reads the mappings again, and lets libdw do so if they changed. */
static void update_maps(struct process *process)
{
	struct sym_maps maps;
	size_t i;

	if (sym_maps_read(process->pid, &maps))
		die("read the mappings");
	for (i = 0; i < maps.nr && i < process->maps.nr; i++)
		if (maps.maps[i].start != process->maps.maps[i].start ||
		    maps.maps[i].inode != process->maps.maps[i].inode)
			break;
	if (process->dwfl && (i < maps.nr || i < process->maps.nr)) {
		dwfl_end(process->dwfl);
		process->dwfl = NULL;
	}
	sym_maps_deinit(&process->maps);
	process->maps = maps;
}

/* Starts the command, stopped at its first instruction. */
static pid_t begin(char **command)
{
	pid_t pid = fork();
	int status;

	if (!pid) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		if (dup2(open("/dev/null", O_WRONLY), 1) < 0 || ptrace(PTRACE_TRACEME, 0, NULL, NULL))
			_exit(127);
		execvp(command[0], command);
		_exit(127);
	}
	if (waitpid(pid, &status, 0) != pid || !WIFSTOPPED(status))
		die(command[0]);
	ptrace(PTRACE_SETOPTIONS, pid, NULL, PTRACE_O_EXITKILL);
	return pid;
}

/* Lets the process run for a time. False: it has ended. */
static bool run_on(pid_t pid, unsigned int for_us)
{
	int status, signal = 0;

	if (ptrace(PTRACE_CONT, pid, NULL, NULL))
		return false;
	usleep(for_us);
	kill(pid, SIGSTOP);
	for (;;) {
		if (waitpid(pid, &status, 0) != pid || !WIFSTOPPED(status))
			return false;
		if (WSTOPSIG(status) == SIGSTOP)
			return true;
		signal = WSTOPSIG(status) == SIGTRAP ? 0 : WSTOPSIG(status);
		ptrace(PTRACE_CONT, pid, NULL, (void *)(long)signal);
	}
}

static void tell_difference(const struct frames *ours, const struct frames *theirs)
{
	u32 i;

	for (i = 0; i < ours->nr && i < theirs->nr && ours->pc[i] == theirs->pc[i]; i++)
		;
	printf("# %u frames, libdw %u, equal %u; end %#x; at %#llx\n", ours->nr, theirs->nr, i, ours->end,
	       i ? ours->pc[i - 1] : 0);
}

int main(int argc, char **argv)
{
	static struct process process;
	unsigned int stops = argc > 2 ? strtoul(argv[1], NULL, 0) : 0, nr = 0, equal = 0, early = 0, told = 0;
	unsigned long nr_frames = 0;
	struct frames ours, theirs;

	if (!stops) {
		fputs("usage: compare STOPS COMMAND [ARGUMENT...]\n", stderr);
		return 2;
	}
	while (nr < stops) {
		process.pid = begin(argv + 2);
		if (!run_on(process.pid, STARTS_US)) {
			fprintf(stderr, "compare: %s ended at once\n", argv[2]);
			return 2;
		}
		while (nr < stops && run_on(process.pid, draw_us(3000))) {
			struct user_regs_struct regs;

			if (ptrace(PTRACE_GETREGS, process.pid, NULL, &regs))
				break;
			update_maps(&process);
			walk_by_tables(&process, &regs, &ours);
			walk_by_libdw(&process, &theirs);
			nr++;
			nr_frames += ours.nr;
			if (ours.nr == theirs.nr && !memcmp(ours.pc, theirs.pc, ours.nr * sizeof(u64)))
				equal++;
			else if (ours.nr < theirs.nr && ours.end & ~CFI_OUTERMOST &&
				 !memcmp(ours.pc, theirs.pc, ours.nr * sizeof(u64)))
				early++;
			else if (told++ < TOLD)
				tell_difference(&ours, &theirs);
		}
		kill(process.pid, SIGKILL);
		waitpid(process.pid, NULL, 0);
		if (process.dwfl)
			dwfl_end(process.dwfl);
		process.dwfl = NULL;
	}
	printf("%u %u %u %lu\n", nr, equal, early, nr_frames);
	return 0;
}
