// SPDX-License-Identifier: GPL-2.0-only
/* The checks of `probe doctor` on simulated machines: cli/doctor*.c, modfile.c. */
#include <errno.h>
#include <ftw.h>
#include <sys/stat.h>
#include <unistd.h>

#include "unit.h"
#include "doctor/doctor.h"
#include "run/loader.h"
#include "release.h"

static char root[] = "/tmp/doctor-XXXXXX";

/* Write a file below the root and make its directories. */
static void put(const char *path, const char *text, size_t len)
{
	char full[256], *slash;
	FILE *file;

	snprintf(full, sizeof(full), "%s%s", root, path);
	for (slash = strchr(full + strlen(root) + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
		*slash = '\0';
		mkdir(full, 0700);
		*slash = '/';
	}
	file = fopen(full, "we");
	assert_non_null(file);
	assert_int_equal(fwrite(text, 1, len, file), len);
	assert_int_equal(fclose(file), 0);
}

static void say(const char *path, const char *text)
{
	put(path, text, strlen(text));
}

static void points(const char *path, const char *target)
{
	char full[256];

	snprintf(full, sizeof(full), "%s%s", root, path);
	unlink(full);
	assert_int_equal(symlink(target, full), 0);
}

/* A healthy machine: the module is loaded, everything is allowed. */
static struct doctor_machine healthy(void)
{
	struct doctor_machine machine = {
		.root = root, .is_root = true, .capabilities = ~0ULL, .timer_ns = 1, .clock_ns = 25,
		.is_loaded = true, .file_error = -ENOENT, .nr_cpus = 4,
		.info = { .version = CPUPROBE_ABI_VERSION, .access = 2, .cost_ns = 1000,
			  .rate_limit_hz = 20000, .overhead_limit_ppm = 50000 },
	};

	strcpy(machine.kernel.machine, "x86_64");
	strcpy(machine.kernel.release, "6.1.0-1-amd64");
	say("/sys/module/cpuprobe/version", CPUPROBE_RELEASE "\n");
	return machine;
}

static void judge(const struct doctor_machine *machine,
		  bool (*check)(const struct doctor_machine *, struct doctor_finding *),
		  enum doctor_result result, const char *what, const char *hint)
{
	struct doctor_finding finding = { 0 };

	assert_true(check(machine, &finding));
	if (finding.result != result || !strstr(finding.what, what) ||
	    (hint ? !strstr(finding.hint, hint) : finding.hint[0] != '\0'))
		fail_msg("%d '%s' hint '%s' instead of %d '%s' hint '%s'", finding.result,
			 finding.what, finding.hint, result, what, hint ? hint : "");
}

/* The engines that need no module. */
static void other_engines(void **state)
{
	struct doctor_machine machine = healthy();

	judge(&machine, doctor_bpf, DOCTOR_OK, "'start' and 'agent' work without the module", NULL);
	judge(&machine, doctor_perf, DOCTOR_OK, "can sample your own processes, in user mode", NULL);
	machine.bpf_error = -EPERM;
	strcpy(machine.bpf_reason, "create a BPF map: not allowed");
	machine.capabilities = 0;
	judge(&machine, doctor_bpf, DOCTOR_WARN, "without the module only your own processes can be sampled: "
	      "create a BPF map: not allowed", "CAP_BPF and CAP_PERFMON");
	machine.perf_error = -EACCES;
	strcpy(machine.perf_reason, "kernel.perf_event_paranoid is 3");
	strcpy(machine.perf_hint, "sysctl kernel.perf_event_paranoid=2");
	judge(&machine, doctor_bpf, DOCTOR_WARN, "without the module nothing works: create", "CAP_BPF");
	judge(&machine, doctor_perf, DOCTOR_WARN, "kernel.perf_event_paranoid is 3",
	      "sysctl kernel.perf_event_paranoid=2");
}

static void capabilities_for_an_agent(void **state)
{
	struct doctor_machine machine = healthy();

	judge(&machine, doctor_agent, DOCTOR_OK, "all capabilities", NULL);
	machine.capabilities = 1ULL << 38 | 1ULL << 19 | 1ULL << 34 | 1ULL << 2;
	judge(&machine, doctor_agent, DOCTOR_OK, "all capabilities", NULL);
	machine.is_loaded = false;
	judge(&machine, doctor_agent, DOCTOR_WARN, "lacks CAP_BPF (the BPF engine)", "cpuprobe-agent");
	say("/proc/sys/kernel/perf_event_paranoid", "3\n");
	machine.capabilities |= 1ULL << 39;
	judge(&machine, doctor_agent, DOCTOR_WARN, "lacks CAP_SYS_ADMIN (the BPF engine, as kernel.perf", "agent");
	machine.capabilities = 1ULL << 21;
	judge(&machine, doctor_agent, DOCTOR_WARN, "lacks CAP_SYS_PTRACE (the functions of others' programs), "
	      "CAP_DAC_READ_SEARCH (names in files that others may not read)", "agent");
	say("/proc/sys/kernel/perf_event_paranoid", "2\n");
}

static void kernels(void **state)
{
	struct doctor_machine machine = healthy();

	judge(&machine, doctor_kernel, DOCTOR_OK, "6.1.0-1-amd64, x86_64", NULL);
	strcpy(machine.kernel.release, "5.10.0-1-amd64");
	judge(&machine, doctor_kernel, DOCTOR_WARN, "5.10.0-1-amd64 is older", "6.1");
	strcpy(machine.kernel.release, "10.0.1");
	judge(&machine, doctor_kernel, DOCTOR_OK, "10.0.1", NULL);
	strcpy(machine.kernel.machine, "aarch64");
	judge(&machine, doctor_kernel, DOCTOR_FAIL, "aarch64", "x86-64");
	strcpy(machine.kernel.machine, "x86_64");
	say("/proc/lockdep", "all lock classes:\n");
	judge(&machine, doctor_kernel, DOCTOR_WARN, "debug kernel", "lockdep");
}

static void gone(const char *path)
{
	char full[256];

	snprintf(full, sizeof(full), "%s%s", root, path);
	assert_int_equal(remove(full), 0);
}

/* The error of commands that open the device, on a kernel without module support. */
static void opening_says(const char *what, const char *hint)
{
	struct text_error error = { "", "" };

	assert_int_equal(loader_load(root, &error), -EPERM);
	assert_string_equal(error.what, what);
	if (!strstr(error.hint, hint))
		fail_msg("hint '%s' instead of '%s'", error.hint, hint);
}

static void modules(void **state)
{
	struct doctor_machine machine = healthy();
	struct doctor_finding none;

	judge(&machine, doctor_module, DOCTOR_OK, "loaded, release " CPUPROBE_RELEASE, NULL);
	say("/sys/module/cpuprobe/version", "0.0.9\n");
	judge(&machine, doctor_module, DOCTOR_WARN, "release 0.0.9 is loaded", "rmmod");
	machine.info.version++;
	judge(&machine, doctor_module, DOCTOR_FAIL, "speaks version", "rmmod");

	machine.is_loaded = false;
	gone("/sys/module/cpuprobe/version");
	gone("/sys/module/cpuprobe");
	machine.device_error = -ENOENT;
	/* /proc is not mounted */
	judge(&machine, doctor_module, DOCTOR_FAIL, "not installed", "make install");
	say("/proc/version", "Linux version 6.1.0-1-amd64\n");
	judge(&machine, doctor_module, DOCTOR_WARN, "does not support modules: no 'probe late'", "make demo");
	machine.bpf_error = machine.perf_error = -EPERM;
	judge(&machine, doctor_module, DOCTOR_FAIL, "does not support modules", "make demo");
	machine.bpf_error = machine.perf_error = 0;
	assert_false(doctor_signatures(&machine, &none));
	assert_false(doctor_access(&machine, &none));
	assert_false(doctor_calls(&machine, &none));
	assert_false(doctor_unwind(&machine, &none));
	opening_says("load the module: this kernel does not support modules", "make demo");
	say("/proc/modules", "");
	judge(&machine, doctor_module, DOCTOR_FAIL, "not installed", "make install");
	machine.file_error = -EBADMSG;
	strcpy(machine.file.path, "/x.ko");
	judge(&machine, doctor_module, DOCTOR_FAIL, "/x.ko: not a kernel module", "make clean");
	machine.file_error = -EACCES;
	judge(&machine, doctor_module, DOCTOR_FAIL, "/x.ko: Permission denied", "make clean");
	machine.file_error = -ENOTSUP;
	judge(&machine, doctor_module, DOCTOR_OK, "compressed", NULL);
	machine.file_error = 0;
	strcpy(machine.file.kernel, "6.1.0-2-amd64");
	judge(&machine, doctor_module, DOCTOR_FAIL, "for kernel 6.1.0-2-amd64", "make clean");
	strcpy(machine.file.kernel, machine.kernel.release);
	judge(&machine, doctor_module, DOCTOR_FAIL, "version ? of the interface", "same sources");
	snprintf(machine.file.interface, sizeof(machine.file.interface), "%d",
		 CPUPROBE_ABI_VERSION);
	judge(&machine, doctor_module, DOCTOR_OK, "installed for this kernel", NULL);
	say("/proc/sys/kernel/modules_disabled", "1\n");
	judge(&machine, doctor_module, DOCTOR_WARN, "disabled until the next boot",
	      "modules_disabled");
	opening_says("load the module: loading modules is disabled until the next boot",
		     "modules_disabled");
}

static void signatures(void **state)
{
	struct doctor_machine machine = healthy();

	machine.file_error = 0;
	judge(&machine, doctor_signatures, DOCTOR_OK, "not required", NULL);
	say("/sys/module/module/parameters/sig_enforce", "N\n");
	say("/sys/kernel/security/lockdown", "[none] integrity confidentiality\n");
	judge(&machine, doctor_signatures, DOCTOR_OK, "not required", NULL);
	judge(&machine, doctor_lockdown, DOCTOR_OK, "none", NULL);
	say("/sys/module/module/parameters/sig_enforce", "Y\n");
	judge(&machine, doctor_signatures, DOCTOR_WARN, "(module.sig_enforce)", "make install KEY");
	machine.is_loaded = false;
	judge(&machine, doctor_signatures, DOCTOR_FAIL, "the module is not signed",
	      "make install KEY");
	machine.file.is_signed = true;
	judge(&machine, doctor_signatures, DOCTOR_OK, "the module is signed", NULL);
	machine.file_error = -ENOTSUP;
	judge(&machine, doctor_signatures, DOCTOR_WARN, "unknown", "modinfo");
	machine.file_error = -ENOENT;
	judge(&machine, doctor_signatures, DOCTOR_OK, "required", NULL);
	say("/sys/kernel/security/lockdown", "none integrity [confidentiality]\n");
	judge(&machine, doctor_signatures, DOCTOR_OK, "required (lockdown)", NULL);
	judge(&machine, doctor_lockdown, DOCTOR_WARN, "confidentiality", "lockdown=integrity");
}

static void access_rights(void **state)
{
	struct doctor_machine machine = healthy();
	struct doctor_finding finding = { 0 };

	judge(&machine, doctor_container, DOCTOR_OK, "none", NULL);
	say("/proc/self/ns/x", "");
	points("/proc/self/ns/pid", "pid:[4026531836]");
	points("/proc/self/ns/user", "user:[4026531837]");
	judge(&machine, doctor_container, DOCTOR_OK, "none", NULL);
	points("/proc/self/ns/user", "user:[4026532001]");
	judge(&machine, doctor_container, DOCTOR_FAIL, "user namespace", "outside");
	points("/proc/self/ns/pid", "pid:[4026532002]");
	judge(&machine, doctor_container, DOCTOR_FAIL, "pid namespace", "outside");

	judge(&machine, doctor_access, DOCTOR_OK, "full", NULL);
	machine.info.access = 1;
	judge(&machine, doctor_access, DOCTOR_WARN, "own programs", "CAP_PERFMON");
	machine.device_error = -EPROTO;
	judge(&machine, doctor_access, DOCTOR_OK, "opens", NULL);
	machine.device_error = -ENOENT;
	judge(&machine, doctor_access, DOCTOR_FAIL, "no /dev/cpuprobe", "container");
	machine.device_error = -EPERM;
	say("/sys/module/cpuprobe/parameters/gid", "-1\n");
	judge(&machine, doctor_access, DOCTOR_FAIL, "CAP_PERFMON", "gid=GROUP");
	say("/sys/module/cpuprobe/parameters/gid", "27\n");
	judge(&machine, doctor_access, DOCTOR_FAIL, "CAP_PERFMON", "member of group 27");
	machine.device_error = -ENOTTY;
	judge(&machine, doctor_access, DOCTOR_FAIL, "does not answer", "rmmod");
	machine.is_loaded = false;
	assert_false(doctor_access(&machine, &finding));
	machine.is_root = false;
	judge(&machine, doctor_access, DOCTOR_FAIL, "only root", "sudo");
}

static void symbols(void **state)
{
	struct doctor_machine machine = healthy();

	judge(&machine, doctor_symbols, DOCTOR_WARN, "no /proc/kallsyms", "CONFIG_KALLSYMS");
	say("/proc/kallsyms", "");
	judge(&machine, doctor_symbols, DOCTOR_WARN, "hidden", "no addresses");
	say("/proc/kallsyms", "0000000000000000 A a\n0000000000000000 T b\n");
	machine.capabilities = 0;
	judge(&machine, doctor_symbols, DOCTOR_WARN, "hidden", "CAP_SYSLOG");
	say("/proc/sys/kernel/kptr_restrict", "2\n");
	judge(&machine, doctor_symbols, DOCTOR_WARN, "kptr_restrict=2", "sysctl");
	say("/proc/kallsyms", "0000000000000000 A a\nffffffff81000000 T b\t[m]\n");
	judge(&machine, doctor_symbols, DOCTOR_OK, "can be read", NULL);
}

static void hooks(void **state)
{
	struct doctor_machine machine = healthy();

	judge(&machine, doctor_calls, DOCTOR_WARN, "cannot hook", "CONFIG_DYNAMIC_FTRACE");
	say("/proc/sys/kernel/ftrace_enabled", "0\n");
	judge(&machine, doctor_calls, DOCTOR_WARN, "ftrace is off", "ftrace_enabled=1");
	say("/proc/sys/kernel/ftrace_enabled", "1\n");
	judge(&machine, doctor_calls, DOCTOR_OK, "can be hooked", NULL);
	machine.nr_quiet = 2;
	strcpy(machine.quiet, "2-3");
	judge(&machine, doctor_calls, DOCTOR_WARN, "isolated CPUs (2-3)", "-disturb");
}

static void unwinding(void **state)
{
	struct doctor_machine machine = healthy();

	say("/proc/kallsyms", "0000000000000000 T register_kprobes\n");
	judge(&machine, doctor_unwind, DOCTOR_WARN, "no kprobes", "CONFIG_KPROBES");
	say("/proc/kallsyms", "0000000000000000 A a\n0000000000000000 T register_kprobe\n");
	judge(&machine, doctor_unwind, DOCTOR_OK, "can be followed", NULL);
	say("/sys/kernel/debug/kprobes/enabled", "0\n");
	judge(&machine, doctor_unwind, DOCTOR_WARN, "kprobes are off", "echo 1");
	say("/sys/kernel/debug/kprobes/enabled", "1\n");
	judge(&machine, doctor_unwind, DOCTOR_OK, "can be followed", NULL);
	machine.nr_quiet = 2;
	strcpy(machine.quiet, "2-3");
	judge(&machine, doctor_unwind, DOCTOR_WARN, "isolated CPUs (2-3)", "-unwind tables");
}

static void clocks(void **state)
{
	static const char current[] =
		"/sys/devices/system/clocksource/clocksource0/current_clocksource";
	struct doctor_machine machine = healthy();
	struct doctor_finding finding = { 0 };

	judge(&machine, doctor_timers, DOCTOR_OK, "high resolution", NULL);
	machine.timer_ns = 4000000;
	judge(&machine, doctor_timers, DOCTOR_FAIL, "every 4 ms", "highres");
	assert_false(doctor_clocksource(&machine, &finding));
	say(current, "kvm-clock\n");
	judge(&machine, doctor_clocksource, DOCTOR_OK, "kvm-clock, read in 25 ns", NULL);
	say(current, "hpet\n");
	judge(&machine, doctor_clocksource, DOCTOR_WARN, "hpet", "dmesg");
	say("/sys/devices/system/clocksource/clocksource0/available_clocksource", "hpet tsc \n");
	judge(&machine, doctor_clocksource, DOCTOR_WARN, "hpet", "write tsc");
}

static void rates(void **state)
{
	struct doctor_machine machine = healthy();
	struct doctor_finding finding = { 0 };

	/* An old module, which reports only the cost of an interrupt. */
	judge(&machine, doctor_rate, DOCTOR_OK, "1.0 us a sample, 20000 Hz permitted; "
	      "with stacks 1.0 us, 20000 Hz", NULL);
	machine.info.size = sizeof(machine.info);
	judge(&machine, doctor_rate, DOCTOR_FAIL, "the clock is too coarse", "sample_cost_ns=N");
	machine.info.sample_cost_ns[CPUPROBE_COST_SYSTEM] = 2000;
	machine.info.sample_cost_ns[CPUPROBE_COST_TABLES + 1] = 8000;
	judge(&machine, doctor_rate, DOCTOR_OK, "2.0 us a sample, 20000 Hz permitted; "
	      "with stacks 8.0 us, 6250 Hz", NULL);
	machine.info.sample_cost_ns[CPUPROBE_COST_TABLES + 1] = 60000;
	judge(&machine, doctor_rate, DOCTOR_WARN, "with stacks 60.0 us, 833 Hz",
	      "-rate 833 for stacks, or load the module with max_overhead_pct=6");
	machine.info.sample_cost_ns[CPUPROBE_COST_SYSTEM] = 60000;
	judge(&machine, doctor_rate, DOCTOR_WARN, "833 Hz permitted",
	      "-rate 833, or load the module with max_overhead_pct=6");
	machine.info.rate_limit_hz = 100;
	judge(&machine, doctor_rate, DOCTOR_WARN, "100 Hz permitted", "max_rate");
	machine.device_error = -EPERM;
	assert_false(doctor_rate(&machine, &finding));
	judge(&machine, doctor_cpus, DOCTOR_OK, "none", NULL);
	machine.nr_quiet = 3;
	strcpy(machine.quiet, "1-3");
	judge(&machine, doctor_cpus, DOCTOR_WARN, "3 of 4 isolated or nohz_full: 1-3", "-cpu all");
}

static void hosts(void **state)
{
	struct doctor_machine machine = healthy();

	judge(&machine, doctor_host, DOCTOR_OK, "not a virtual machine", NULL);
	say("/proc/cpuinfo", "processor\t: 0\nflags\t\t: fpu hypervisor lahf_lm\n");
	judge(&machine, doctor_host, DOCTOR_OK, "does not report", NULL);
	say("/proc/stat", "cpu  10 0 10 900 0 0 0 80 0 0\n");
	judge(&machine, doctor_host, DOCTOR_WARN, "8.0%", "less busy");
	say("/proc/stat", "cpu  10 0 10 970 0 0 0 10 0 0\n");
	judge(&machine, doctor_host, DOCTOR_OK, "1.0%", NULL);
	say("/proc/cpuinfo", "processor\t: 0\nFeatures\t: fp asimd\n");
	judge(&machine, doctor_host, DOCTOR_OK, "not a virtual machine", NULL);
	say("/proc/device-tree/compatible", "linux,dummy-virt");
	judge(&machine, doctor_host, DOCTOR_OK, "1.0%", NULL);
}

/* The state that `probe` alone reports: the first failed check, or the module. */
static void first(void **state)
{
	struct doctor_machine machine = healthy();
	struct doctor_finding finding;
	const char *name;

	assert_false(doctor_first(&machine, &name, &finding));
	assert_string_equal(name, "module");
	assert_non_null(strstr(finding.what, "loaded, release"));
	machine.info.version = 0;
	machine.device_error = -EACCES;
	assert_true(doctor_first(&machine, &name, &finding));
	assert_string_equal(name, "access");
	assert_non_null(strstr(finding.hint, "run probe as root"));
	machine.is_loaded = false;
	say("/proc/modules", "");
	assert_true(doctor_first(&machine, &name, &finding));
	assert_string_equal(name, "module");
	assert_non_null(strstr(finding.hint, "sudo make install"));
	/* The module would be loaded on demand, but not for this user. */
	machine.file_error = -ENOTSUP;
	assert_false(doctor_first(&machine, &name, &finding));
	assert_non_null(strstr(finding.what, "the first run loads it"));
	machine.is_root = false;
	assert_true(doctor_first(&machine, &name, &finding));
	assert_string_equal(name, "access");
	assert_non_null(strstr(finding.hint, "sudo modprobe cpuprobe"));
}

static void files(void **state)
{
	static const char dep[] = "kernel/fs/cpuprobe2.ko:\nupdates/dkms/cpuprobe.ko.xz: a.ko\n";
	struct modfile file;
	char path[256];

	assert_int_equal(modfile_find(root, "6.1", "cpuprobe", path, sizeof(path)), -ENOENT);
	say("/lib/modules/6.1/modules.dep", "kernel/fs/cpuprobe2.ko:\n");
	assert_int_equal(modfile_find(root, "6.1", "cpuprobe", path, sizeof(path)), -ENOENT);
	say("/lib/modules/6.1/modules.dep", dep);
	assert_int_equal(modfile_find(root, "6.1", "cpuprobe", path, sizeof(path)), 0);
	assert_string_equal(path + strlen(root), "/lib/modules/6.1/updates/dkms/cpuprobe.ko.xz");
	assert_int_equal(modfile_read(path, &file), -ENOENT);
	say("/lib/modules/6.1/updates/dkms/cpuprobe.ko.xz", "\3757zXZ and so on");
	assert_int_equal(modfile_read(path, &file), -ENOTSUP);
	assert_string_equal(file.path, path);
	path[strlen(path) - 3] = '\0';
	say("/lib/modules/6.1/updates/dkms/cpuprobe.ko", "");
	assert_int_equal(modfile_read(path, &file), -EBADMSG);
	say("/lib/modules/6.1/updates/dkms/cpuprobe.ko", "\177ELF~Module signature appended~\n");
	assert_int_equal(modfile_read(path, &file), -EBADMSG);
	assert_true(file.is_signed);
}

static int remove_entry(const char *path, const struct stat *status, int type, struct FTW *place)
{
	return remove(path);
}

static int set_up(void **state)
{
	strcpy(root + strlen(root) - 6, "XXXXXX");
	return mkdtemp(root) ? 0 : -1;
}

static int tear_down(void **state)
{
	return nftw(root, remove_entry, 8, FTW_DEPTH | FTW_PHYS);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(kernels, set_up, tear_down),
		cmocka_unit_test_setup_teardown(other_engines, set_up, tear_down),
		cmocka_unit_test_setup_teardown(capabilities_for_an_agent, set_up, tear_down),
		cmocka_unit_test_setup_teardown(modules, set_up, tear_down),
		cmocka_unit_test_setup_teardown(signatures, set_up, tear_down),
		cmocka_unit_test_setup_teardown(access_rights, set_up, tear_down),
		cmocka_unit_test_setup_teardown(symbols, set_up, tear_down),
		cmocka_unit_test_setup_teardown(hooks, set_up, tear_down),
		cmocka_unit_test_setup_teardown(unwinding, set_up, tear_down),
		cmocka_unit_test_setup_teardown(clocks, set_up, tear_down),
		cmocka_unit_test_setup_teardown(rates, set_up, tear_down),
		cmocka_unit_test_setup_teardown(hosts, set_up, tear_down),
		cmocka_unit_test_setup_teardown(first, set_up, tear_down),
		cmocka_unit_test_setup_teardown(files, set_up, tear_down),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
