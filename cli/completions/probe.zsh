# SPDX-License-Identifier: GPL-2.0-only
_probe_offer_commands() { _describe -t commands command _probe_commands }

_probe_tasks() {
	local -aU tasks
	tasks=(${(f)"$(ps -e -o comm= 2>/dev/null)"} ${=${(f)"$(ps -e -o pid= 2>/dev/null)"}})
	compadd -a tasks
}

_probe_runs() {
	local -a runs
	runs=(${${(f)"$(probe list 2>/dev/null)"}[2,-1]%% *})
	compadd -a runs
}

# Complete the last key of KEY,+KEY,-KEY.
_probe_columns() {	# _probe_columns KEY...
	compset -P '*,'
	compset -P '[+-]'
	compadd -q -S , -- $@
}

_probe_cgroups() {
	local mount
	mount=$(sed -n 's/^[^ ]* \([^ ]*\) cgroup2 .*/\1/p' /proc/mounts | head -n 1)
	[[ -n $mount ]] || return 1
	compset -P /	# or zsh would look in the root directory
	_path_files -/ -W $mount
}

_probe() {
	local curcontext=$curcontext
	local -a specs
	if (( CURRENT == 2 )); then
		_probe_offer_commands
		return
	fi
	# A command to measure follows "--".
	local -i end=${words[(i)--]}
	if (( end < CURRENT )); then
		shift $end words
		(( CURRENT -= end ))
		_normal
		return
	fi
	_probe_specs $words[2] || return 1
	shift words
	(( CURRENT-- ))
	_arguments -S $specs
}

_probe "$@"
