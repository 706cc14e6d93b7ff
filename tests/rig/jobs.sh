# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
# Sourced: run jobs, one per processor at a time, also across scripts that start each other. Each
# byte in a pipe is a free processor: a job takes one before it begins and returns it at its end.
# So a job must not start jobs. JOBS=N: run N jobs at a time instead of one per processor.

# jobs_begin: use the pipe of the script that started this one, else a new one.
jobs_begin() {
	local pipe
	[ -z "${JOBS_FD:-}" ] || [ ! -p "/proc/self/fd/$JOBS_FD" ] || return 0
	pipe=$(mktemp -u)
	mkfifo "$pipe"
	exec {JOBS_FD}<>"$pipe"
	rm "$pipe"
	printf 'x%.0s' $(seq "${JOBS:-$(nproc)}") >&"$JOBS_FD"
	export JOBS_FD
}

# job COMMAND...: wait for a processor, then start it in the background.
job() {
	read -r -N 1 -u "$JOBS_FD" _
	{
		"$@"
		printf x >&"$JOBS_FD"
	} &
}
