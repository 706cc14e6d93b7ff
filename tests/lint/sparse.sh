#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# sparse.sh: sparse finds nothing in the module, with the headers in KDIR. (Of the tool it finds nothing that gcc
# does not, but reports ncurses.h and cpuid.h.) In a copy, because the objects here may be of another kernel.
set -u
[ -e "${KDIR:-}/Makefile" ] || { echo "skipped: no kernel headers in KDIR"; exit 0; }
copy=$PWD/build/lint/module
mkdir -p "$copy"
cp -p --parents Kbuild kmod/*.[ch] kmod/uapi/*.h "$copy"
said=$(make -s -C "$KDIR" M="$copy" C=2 CHECK='sparse -Wsparse-error' modules 2>&1) || { echo "$said"; exit 1; }
