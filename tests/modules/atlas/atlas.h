/* SPDX-License-Identifier: GPL-2.0-only */
/* Size of the pool: a parameter, in place of the module's constant. */
extern unsigned long atlas_pool_bytes;
