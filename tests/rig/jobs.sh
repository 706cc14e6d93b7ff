# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
# Sourced: jobs that share the processors, one to each, also among scripts that start each other.
# A byte in a pipe is a processor that is free: a job begins when it can take one, and ends by
# putting it back. So a job must not start jobs. JOBS=N: as many at a time, not one per processor.

# jobs_begin: with the pipe of the script that started this one, else with one of its own.
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
