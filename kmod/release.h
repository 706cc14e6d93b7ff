/* SPDX-License-Identifier: GPL-2.0-only */
/* The version of module and tool. tests/release.sh compares all other mentions with this one. */
#ifndef RELEASE_H
#define RELEASE_H

#define CPUPROBE_RELEASE "0.1.0"

#endif
