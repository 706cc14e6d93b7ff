#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# completions.sh: test completions in bash, zsh and fish themselves: every command and option in the
# tool's help is offered, with its values where they are words; hostile names of processes are not.
set -eu
top=$(cd "$(dirname "$0")/.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
mkdir bin home
cp "$top/build/probe" bin/
# A simulated list of this machine's processes, one with a command as its name.
cat >bin/ps <<-'END'
	#!/bin/sh
	case "$*" in *comm*) printf '%s\n' postgres '$(touch pwned)' 'a;touch pwned' 'two words' ;; esac
	case "$*" in *pid*) echo '    4242' ;; esac
END
chmod +x bin/ps
export PATH=$work/bin:$PATH HOME=$work/home
touch kept.run

# Each of these prints the completions of the last word, one a line.
offer_bash() {	# offer_bash WORD...
	bash --norc -c '
		. "$0"
		COMP_WORDS=("$@") COMP_CWORD=$(($# - 1))
		_probe
		printf "%s\n" "${COMPREPLY[@]}"' "$top/build/completions/probe.bash" "$@"
}

offer_zsh() {
	zsh -f "$top/tests/completions.zsh" "$top/build/completions/probe.zsh" "$*"
}

offer_fish() {
	fish --no-config -c '
		source $argv[1]
		complete -C (string join -- " " $argv[2..-1])' "$top/build/completions/probe.fish" "$@" | cut -f 1
}

fail() {
	echo "completions: $shell: $*" >&2
	exit 1
}

offers() {	# offers LINE WORD...: exactly these at the end of LINE; a last space begins a word
	local line got
	read -ra line <<<"$1"
	[ "${1% }" = "$1" ] || line+=('')
	got=$("offer_$shell" "${line[@]}" | sort -u)
	[ "$got" = "$(printf '%s\n' "${@:2}" | sort -u)" ] ||
		fail "'$1' offers: $(tr '\n' ' ' <<<"$got")instead of: ${*:2}"
}

commands=$(probe help | sed -n 's/^  \([a-z][a-z]*\) .*/\1/p')
[ "$(wc -w <<<"$commands")" -ge 18 ]
for shell in bash zsh fish; do
	# shellcheck disable=SC2086 # words
	offers 'probe ' $commands
	for command in $commands; do
		options=$(probe help "$command" | sed -n 's/^  \(-[^ ]*\).*/\1/p')
		dashes=
		! probe help "$command" | grep -q '^Usage.*-- COMMAND' || dashes=--
		# Two shells offer "--" always or never.
		case $shell in bash) extra=$dashes ;; *) extra= ;; esac
		# shellcheck disable=SC2086 # words
		offers "probe $command -" $options $extra
	done
	offers 'probe s' sys show start status stop
	offers 'probe sys -jitter ' grid poisson none
	offers 'probe sys -json -jitter g' grid
	offers 'probe flat -by p' process program program-object
	offers 'probe sys -save k' kept.run
	case $shell in zsh) begun= ;; *) begun=name,+ ;; esac	# zsh inserts the prefix
	offers "probe sys -o name,+tot" "${begun}total"
	offers 'probe show k' kept.run
	offers 'probe diff kept.run k' kept.run
	offers 'probe proc post' postgres
	offers 'probe proc 42' 4242
	offers 'probe flat -task post' postgres
	offers 'probe help doc' doctor
	offers 'probe sys -sec 5 -- ls kep' kept.run
	offers 'probe sys -rate ' ''
	offers 'probe nonsense -s' ''
	"offer_$shell" probe proc '' >/dev/null
	[ ! -e pwned ] || fail "the name of a process was run"
done
shell=bash
offers 'probe sys -jitter = g' grid
offers 'probe sys -jitter =' grid poisson none
echo "$(wc -w <<<"$commands") commands in 3 shells"
