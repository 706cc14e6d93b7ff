# SPDX-License-Identifier: GPL-2.0-only
# races.awk: copy a kernel log without those reports of KCSAN that show no defect of a module. A report lies
# between two lines of "=". It counts if a module takes part in one of the two accesses, not if an access
# interrupted the module. Even then these do not count:
# - The kernel's clock for NMIs, ktime_get_mono_fast_ns(): its reader looks again after a change. KCSAN is told so
#   since 6.13.
# - __might_fault() reads how often page faults are forbidden to the task. copy_from_kernel_nofault() in an
#   interrupt raises that number and lowers it again.
# - A read of the module in an interrupt that came during a write of the kernel. A sample reads the state of the
#   task that it interrupted. Both are on one CPU, so it finds the value before the write or after it.
function begin_access(text) {
	nr++
	head[nr] = text
	match(text, /on cpu [0-9]+/)
	cpu[nr] = substr(text, RSTART, RLENGTH)
	top[nr] = interrupted[nr] = ""
	is_ours[nr] = is_below = is_watching = 0
}

function add_frame(frame) {
	if (top[nr] == "") top[nr] = frame
	if (frame ~ /\[(cpuprobe|planted|irqoff)\]$/ && !is_below) is_ours[nr] = 1
	if (frame ~ /^(asm_sysvec_|entry_SYSCALL|ret_from_fork)/) is_below = 1
	# The frames of the code that KCSAN delayed follow its own.
	if (is_watching && interrupted[nr] == "" && frame !~ /^(kcsan_|__tsan_)/) interrupted[nr] = frame
	if (frame ~ /^kcsan_setup_watchpoint/) is_watching = 1
}

# Whether one access is of an interrupt that came during the other.
function is_during(one, other) {
	return head[one] ~ /by interrupt on cpu/ && cpu[one] == cpu[other] && interrupted[one] == top[other]
}

function is_sample(one, other) {
	return is_ours[one] && !is_ours[other] && head[one] ~ /^read (\(marked\) )?to / && head[other] ~ /^write / &&
		is_during(one, other)
}

function counts() {
	if (title == "") return 1
	if (!is_ours[1] && !is_ours[2]) return 0
	if (title ~ /data-race in (.* \/ )?ktime_get_mono_fast_ns/) return 0
	if (title ~ /(__might_fault \/ copy_from_kernel_nofault|copy_from_kernel_nofault \/ __might_fault)$/)
		return !is_during(1, 2) && !is_during(2, 1)
	return !is_sample(1, 2) && !is_sample(2, 1)
}

/====================$/ && !in_report {
	in_report = 1
	report = title = ""
	nr = is_ours[1] = is_ours[2] = 0
	next
}
in_report {
	report = report $0 "\n"
	text = $0
	sub(/^\[ *[0-9.]+\] +/, "", text)
	if (text ~ /KCSAN: data-race/) title = text
	else if (text ~ /(read|write|access).* to 0x/) begin_access(text)
	else if (nr && text ~ /^[^ ]+\+0x[0-9a-f]+\/0x[0-9a-f]+( \[[^ ]+\])?$/) add_frame(text)
	if (/====================$/) {
		if (counts()) printf "%s", report
		in_report = 0
	}
	next
}
{ print }
END { if (in_report) printf "%s", report }
