#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# compiler.sh ROOT: put this machine's gcc, binutils and make below ROOT, with a project to compile:
# the tool's own sources and exactly the headers and libraries that they need.
set -eu
root=$1
top=$(cd "$(dirname "$0")/../.." && pwd)

add() {	# add PATH...: copy files to the same paths below ROOT
	local path
	for path; do
		path=$(realpath -s "$path")
		mkdir -p "$root${path%/*}"
		cp -L "$path" "$root$path"
	done
}

add_program() {	# add_program PATH: with the shared libraries that it names
	add "$1"
	# shellcheck disable=SC2046 # a list of paths
	add $(ldd "$1" 2>/dev/null | grep -o '/[^ ]*')
}

# part NAME: a part of the compiler, at the path where gcc looks for it
part() {
	local path
	path=$(gcc "-print-prog-name=$1")
	command -v "$path"
}

for program in gcc cc make; do add_program "$(command -v "$program")"; done
for program in cc1 collect2 as ld lto-wrapper; do add_program "$(part "$program")"; done
add_program "$(gcc -print-file-name=liblto_plugin.so)"

cd "$top"
mkdir -p "$root/project"
cp -r Makefile cli kmod symbolizer "$root/project/"
sources=$(find cli symbolizer -name '*.c'; ls kmod/{grid,table,slots,areas,late,stacks}.c)
# shellcheck disable=SC2046,SC2086 # lists of files
add $(gcc -M -O2 -g -std=gnu11 -D_GNU_SOURCE -DCPUPROBE_RELEASE='""' -Icli -Isymbolizer -Ikmod -Ikmod/uapi $sources |
	tr -d '\\' | tr ' ' '\n' | grep '^/' | sort -u)
# Files that the linker reports as opened, and the files that libdw needs in turn.
echo 'int main(void) { return 0; }' >"$root/main.c"
# shellcheck disable=SC2046 # a list of paths
add $(gcc -Wl,-t -Wl,--no-as-needed -o /dev/null "$root/main.c" -ldw -lelf -llzma -lz -liberty -lm |
	grep -o '^/[^ :]*' | grep -v '^/tmp/' | sort -u)
rm "$root/main.c"
add_program "$(gcc -print-file-name=libdw.so)"
