// SPDX-License-Identifier: GPL-2.0-only
/* The kernel's symbols and its list of modules. */
#include <unistd.h>

#include "fuzz.h"

int LLVMFuzzerTestOneInput(const u8 *bytes, size_t len);

static void use_modules(const struct sym_maps *maps, const struct sym_index *index)
{
	u64 low, high;
	size_t i;

	for (i = 0; i < maps->nr; i++) {
		const struct sym_map *map = &maps->maps[i], *last = i ? map - 1 : NULL;

		fuzz_require(!i || last->start <= map->start, "modules out of order");
		fuzz_require(!i || last->end <= map->start || last->end <= last->start,
			     "modules overlap");
		if (index && i < 16)
			sym_index_module_range(index, map->path, &low, &high);
	}
}

int LLVMFuzzerTestOneInput(const u8 *bytes, size_t len)
{
	struct sym_index *index = NULL;
	struct sym_error reason;
	struct sym_maps maps;
	char path[64];
	int fd;

	fd = fuzz_file(bytes, len);
	fuzz_path(fd, path);
	fuzz_begin(len);
	if (!sym_index_create_kallsyms(path, &index, &reason))
		fuzz_use_index(index);
	if (!sym_modules_read(path, &maps)) {
		use_modules(&maps, index);
		sym_maps_deinit(&maps);
	}
	sym_index_destroy(index);
	fuzz_end();
	close(fd);
	return 0;
}
