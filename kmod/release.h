/* SPDX-License-Identifier: GPL-2.0-only */
/* The version, of module and tool alike. tests/release.sh holds what else names it against this. */
#ifndef RELEASE_H
#define RELEASE_H

#define CPUPROBE_RELEASE "0.1.0"

#endif
