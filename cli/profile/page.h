/* SPDX-License-Identifier: GPL-2.0-only */
/* The files in cli/profile/page, as they are; each ends with a NUL. */
#ifndef PAGE_H
#define PAGE_H

extern const char page_html[];
extern const char page_css[];
extern const char page_js[];

#endif
