// SPDX-License-Identifier: GPL-2.0-only
/* Entries of many rows: see spool.h. */
#include <errno.h>
#include <stdlib.h>

#include "picture/spool.h"

int spool_init(struct spool *spool, u32 nr_rows)
{
	*spool = (struct spool){
		.nr_rows = nr_rows, .blocks = calloc(nr_rows + 1UL, sizeof(*spool->blocks)),
	};
	if (!spool->blocks)
		return -ENOMEM;
	errno = 0;
	spool->file = tmpfile();
	if (spool->file)
		return 0;
	free(spool->blocks);
	return errno ? -errno : -EIO;
}

void spool_deinit(struct spool *spool)
{
	u32 i;

	for (i = 0; i < spool->nr_rows; i++)
		free(spool->blocks[i]);
	free(spool->blocks);
	fclose(spool->file);
}

/* Writes a full block; the row's next one leads back to it. */
static int write_block(struct spool *spool, struct spool_block *block)
{
	errno = 0;
	if (fwrite(block, sizeof(*block), 1, spool->file) != 1)
		return errno ? -errno : -EIO;
	block->before = ++spool->nr_written;
	block->nr = 0;
	return 0;
}

void spool_add(struct spool *spool, u32 row, struct spool_entry entry)
{
	struct spool_block *block = spool->blocks[row];

	if (spool->error)
		return;
	if (!block)
		block = spool->blocks[row] = calloc(1, sizeof(*block));
	if (!block)
		spool->error = -ENOMEM;
	else if (block->nr == SPOOL_ENTRIES)
		spool->error = write_block(spool, block);
	if (!spool->error)
		block->entry[block->nr++] = entry;
}

static int read_block(struct spool *spool, u64 at, struct spool_block *block)
{
	errno = 0;
	if (fseeko(spool->file, at * sizeof(*block), SEEK_SET) ||
	    fread(block, sizeof(*block), 1, spool->file) != 1)
		return errno ? -errno : -EIO;
	return 0;
}

static void pass_entries(const struct spool_block *block, spool_read read, void *context)
{
	u64 i;

	for (i = 0; i < block->nr; i++)
		read(context, &block->entry[i]);
}

/* Places of a row's blocks in the file, the last one first. The caller frees it. */
static u64 *find_blocks(struct spool *spool, const struct spool_block *last, u64 *nr_ret, int *error_ret)
{
	u64 *places = malloc((spool->nr_written + 1) * sizeof(*places)), before = last->before, nr = 0;
	struct spool_block block;

	*error_ret = places ? 0 : -ENOMEM;
	while (!*error_ret && before) {
		places[nr++] = before - 1;
		*error_ret = read_block(spool, before - 1, &block);
		before = block.before;
	}
	*nr_ret = nr;
	return places;
}

int spool_read_row(struct spool *spool, u32 row, spool_read read, void *context)
{
	const struct spool_block *last = spool->blocks[row];
	struct spool_block block;
	u64 *places, nr = 0;
	int error = 0;

	if (spool->error || !last)
		return spool->error;
	places = find_blocks(spool, last, &nr, &error);
	while (!error && nr) {
		error = read_block(spool, places[--nr], &block);
		if (!error)
			pass_entries(&block, read, context);
	}
	free(places);
	if (!error)
		pass_entries(last, read, context);
	return error;
}
