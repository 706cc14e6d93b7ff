# SPDX-License-Identifier: GPL-2.0-only

# Offer the lines of standard input that begin with $cur. Lines that are not one plain word for a
# shell are omitted, because any user can choose names of processes.
_probe_offer() {
	local word
	while IFS= read -r word; do
		[[ $word != "$cur"* || ! $word =~ ^[A-Za-z0-9_.,:@%+=/-]+$ ]] || COMPREPLY+=("$word")
	done
}

_probe_offer_kind() {	# _probe_offer_kind KIND
	case $1 in
	=*) _probe_offer <<<"${1//[=,]/$'\n'}" ;;
	+*)	# complete the last key of KEY,+KEY,-KEY
		local begun=${cur%"${cur##*[,+-]}"} names=${1#+}
		compopt -o nospace 2>/dev/null
		_probe_offer <<<"$begun${names//,/$'\n'"$begun"}" ;;
	file)
		compopt -o filenames 2>/dev/null
		mapfile -t COMPREPLY < <(compgen -f -- "$cur") ;;
	task) _probe_offer < <(ps -e -o comm= -o pid= 2>/dev/null | tr -s ' ' '\n' | sort -u) ;;
	run) _probe_offer < <(probe list 2>/dev/null | sed '1d; s/ .*//') ;;
	cgroup)
		local mount
		mount=$(sed -n 's/^[^ ]* \([^ ]*\) cgroup2 .*/\1/p' /proc/mounts | head -n 1)
		compopt -o nospace 2>/dev/null
		[[ -z $mount ]] || _probe_offer < <(compgen -d -- "$mount$cur" | sed "s|^$mount||") ;;
	commands) _probe_offer <<<"${_probe_commands// /$'\n'}" ;;
	esac
}

# Complete the command that follows "--" at word $1.
_probe_offer_command() {
	local at=$(($1 + 1))
	if declare -F _command_offset >/dev/null; then
		_command_offset "$at"
	elif ((COMP_CWORD == at)); then
		mapfile -t COMPREPLY < <(compgen -c -- "$cur" | sort -u)
	else
		_probe_offer_kind file
	fi
}

_probe() {
	local cur=${COMP_WORDS[COMP_CWORD]} options values arguments takes_command
	local -i at nr_arguments=0
	local word kind
	COMPREPLY=()
	if ((COMP_CWORD == 1)); then
		_probe_offer_kind commands
		return
	fi
	_probe_table "${COMP_WORDS[1]}" || return 0
	for ((at = 2; at < COMP_CWORD; at++)); do
		word=${COMP_WORDS[at]/#--/-}
		case $word in
		-)	# "--" or "-"; no command takes a lone dash
			[[ ${COMP_WORDS[at]} == -- && $takes_command == 1 ]] && _probe_offer_command "$at"
			return 0 ;;
		-*)
			[[ " $values " =~ " $word:"([^ ]*) ]] || continue
			kind=${BASH_REMATCH[1]}
			# bash splits "-by=pid" into three words
			[[ ${COMP_WORDS[at + 1]} != = ]] || at+=1
			at+=1
			((at >= COMP_CWORD)) || continue
			[[ $cur != = ]] || cur=
			_probe_offer_kind "$kind"
			return 0 ;;
		*) nr_arguments+=1 ;;
		esac
	done
	read -ra arguments <<<"$arguments"
	if [[ $cur == -* || $nr_arguments -ge ${#arguments[@]} ]]; then
		[[ $takes_command == 0 ]] || options+=' --'
		_probe_offer <<<"${options// /$'\n'}"
	else
		_probe_offer_kind "${arguments[nr_arguments]}"
	fi
}

complete -F _probe probe
