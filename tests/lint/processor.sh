#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# processor.sh: words of one processor (registers, ELF machines, relocations, headers) are only in the arch_* files
# of each library and in the file that selects one of them. A new processor is new files and one line in each of those.
set -u
words='\bx86|x86\b|\b[re](sp|bp|ip)\b|\bEM_(X86_64|386|AARCH64)\b|\bR_(X86|386|AARCH64)_|\bCS_ARCH_X86\b|\bX86_'
words+='|regs->(ip|sp|bp|cs)\b|__(i386|x86|aarch64)|\bCONFIG_X86|cpuid\.h|user_64bit_mode|asm/(unwind|segment)\.h'
selectors='kmod/arch\.h|symbolizer/sym_arch\.h|cli/code/(code_arch\.h|insn\.c)'
grep -rnP --include='*.[ch]' "$words" kmod symbolizer cli |
	grep -vE "^([a-z/]*/arch_[a-z0-9_]+\.[ch]|$selectors):" && exit 1
exit 0
