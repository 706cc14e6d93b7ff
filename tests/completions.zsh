# SPDX-License-Identifier: GPL-2.0-only
# zsh -f completions.zsh FILE LINE: what an interactive zsh with the completion in FILE offers at the
# end of LINE, a line each: all that its functions hand to compadd.
zmodload zsh/zpty
work=$(mktemp -d)
trap 'rm -rf $work' EXIT
mkdir $work/functions
cp $1 $work/functions/_probe
cat >$work/setup <<'END'
fpath=($work/functions $fpath)
autoload -Uz compinit
compinit -u -D
compadd() {
	local -a hits
	# Asked to fill an array, not to offer.
	if [[ ${@[1,(i)(-|--)]} == *-(O|A|D)\ * ]]; then
		builtin compadd "$@"
		return
	fi
	builtin compadd -A hits "$@"
	[[ -z $hits ]] || print -rl -- $hits >>$work/offers
}
tell() {
	zle complete-word
	: >$work/done
}
zle -N tell
bindkey '^I' tell
: >$work/ready
END
: >$work/offers
zpty shell zsh -f -i
zpty -w shell "work=$work; cd ${(q)PWD}; source $work/setup"
await() {	# await FILE
	local -i tries
	for ((tries = 0; tries < 300; tries++)); do
		[[ ! -e $1 ]] || return 0
		sleep 0.05
	done
	print -u 2 "zsh does not answer"
	exit 1
}
await $work/ready
zpty -w -n shell $2$'\t'
await $work/done
cat $work/offers
