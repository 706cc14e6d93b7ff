/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Environment of grid.c, meter.c, pace.c, credit.c, table.c, slots.c, late.c, areas.c, stacks.c, arcs.c, nodes.c,
 * chain.c, cfi.c, pool.c, events.c and arch_arm64_code.h: these files build both in the kernel and, for unit tests and the
 * tool, in user space.
 */
#ifndef CPUPROBE_PURE_H
#define CPUPROBE_PURE_H

#ifdef __KERNEL__
#include <asm/local.h>
#include <linux/atomic.h>
#include <linux/bitops.h>
#include <linux/compiler.h>
#include <linux/errno.h>
#include <linux/math64.h>
#include <linux/nospec.h>
#include <linux/string.h>
#include <linux/types.h>
#else
#include <errno.h>
#include <linux/types.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
typedef __u8 u8;
typedef __u16 u16;
typedef __u32 u32;
typedef __u64 u64;
typedef __s16 s16;
typedef __s32 s32;
typedef __s64 s64;
#define READ_ONCE(x)		(*(const volatile __typeof__(x) *)&(x))
#define WRITE_ONCE(x, v)	(*(volatile __typeof__(x) *)&(x) = (v))
#define notrace
#undef __always_inline
#define __always_inline		inline __attribute__((always_inline))
#define likely(x)		__builtin_expect(!!(x), 1)
#define unlikely(x)		__builtin_expect(!!(x), 0)
#define fallthrough		__attribute__((fallthrough))
static inline u64 div64_u64(u64 dividend, u64 divisor)
{
	return dividend / divisor;
}
static inline int fls64(u64 x)
{
	return x ? 64 - __builtin_clzll(x) : 0;
}
#define array_index_nospec(index, size)	(index)
/* Unit tests run on no processor in particular: see arch.h. */
#define arch_code_address(addr)	(addr)
#define ARCH_FRAMES_ABOVE_RECORD false
#define smp_load_acquire(p)	__atomic_load_n(p, __ATOMIC_ACQUIRE)
#define smp_store_release(p, v)	__atomic_store_n(p, v, __ATOMIC_RELEASE)
#define cmpxchg(p, old, value)	__sync_val_compare_and_swap(p, old, value)
typedef struct { int value; } atomic_t;
#define atomic_read(p)		__atomic_load_n(&(p)->value, __ATOMIC_RELAXED)
#define atomic_set(p, v)	__atomic_store_n(&(p)->value, v, __ATOMIC_RELAXED)
#define atomic_inc_return(p)	__sync_add_and_fetch(&(p)->value, 1)
#define atomic_dec(p)		__sync_sub_and_fetch(&(p)->value, 1)
/* Counters of one CPU: each operation is one instruction, whatever interrupts it. */
typedef struct { long value; } local_t;
static inline long local_read(const local_t *counter)
{
	return READ_ONCE(counter->value);
}
static inline void local_set(local_t *counter, long value)
{
	WRITE_ONCE(counter->value, value);
}
static inline void local_inc(local_t *counter)
{
	__atomic_fetch_add(&counter->value, 1, __ATOMIC_RELAXED);
}
static inline void local_add(long amount, local_t *counter)
{
	__atomic_fetch_add(&counter->value, amount, __ATOMIC_RELAXED);
}
static inline long local_cmpxchg(local_t *counter, long old, long value)
{
	__atomic_compare_exchange_n(&counter->value, &old, value, false, __ATOMIC_RELAXED,
				    __ATOMIC_RELAXED);
	return old;
}
#endif

#endif
