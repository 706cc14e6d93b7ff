// SPDX-License-Identifier: GPL-2.0-only
/* The mappings of a process: /proc/PID/maps, with paths chosen by other users. */
#include <stdlib.h>
#include <string.h>

#include "fuzz.h"

int LLVMFuzzerTestOneInput(const u8 *bytes, size_t len);

int LLVMFuzzerTestOneInput(const u8 *bytes, size_t len)
{
	struct sym_maps maps;
	size_t i;
	char *text;

	fuzz_begin(len);
	text = malloc(len + 1);
	memcpy(text, bytes, len);
	text[len] = '\0';
	if (!sym_maps_parse(text, &maps)) {
		for (i = 0; i < maps.nr; i++) {
			const struct sym_map *map = &maps.maps[i];

			fuzz_require(map->start < map->end, "a map without addresses");
			fuzz_require(!strpbrk(map->path, "\n\033\t"), "a path is not clean");
		}
		sym_maps_deinit(&maps);
	}
	free(text);
	fuzz_end();
	return 0;
}
