// SPDX-License-Identifier: GPL-2.0-only
/* 256 functions that do nothing, and one that calls each of them once, through the linkage table. */
#define ALL_16(X, n) X(n##0) X(n##1) X(n##2) X(n##3) X(n##4) X(n##5) X(n##6) X(n##7) \
	X(n##8) X(n##9) X(n##a) X(n##b) X(n##c) X(n##d) X(n##e) X(n##f)
#define ALL(X) ALL_16(X, 0) ALL_16(X, 1) ALL_16(X, 2) ALL_16(X, 3) ALL_16(X, 4) ALL_16(X, 5) \
	ALL_16(X, 6) ALL_16(X, 7) ALL_16(X, 8) ALL_16(X, 9) ALL_16(X, a) ALL_16(X, b) \
	ALL_16(X, c) ALL_16(X, d) ALL_16(X, e) ALL_16(X, f)

#define DEFINE(n) void lazy_##n(void); void lazy_##n(void) { __asm__ volatile(""); }
#define CALL(n) lazy_##n();

ALL(DEFINE)

void call_all(void);
void call_all(void)
{
	ALL(CALL)
	__asm__ volatile("" : : : "memory");
}
