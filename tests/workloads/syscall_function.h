/* SPDX-License-Identifier: GPL-2.0-only */
/* Names of the kernel's functions of system calls, which depend on the processor. */
#ifndef SYSCALL_FUNCTION_H
#define SYSCALL_FUNCTION_H

#ifdef __aarch64__
#define SYSCALL_FUNCTION(name)	"__arm64_sys_" name
#else
#define SYSCALL_FUNCTION(name)	"__x64_sys_" name
#endif

#endif
