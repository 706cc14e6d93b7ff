// SPDX-License-Identifier: GPL-2.0-only
/* Files of saved runs: see record.h. */
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "run/record.h"
#include "symbolizer.h"

#define FILE_MAX (4ULL << 30)	/* a trace may be so large */

/** The header of a file. */
struct head {
	char magic[8];
	u32 version;
	u32 reserved;
};

/** The header of a section; its bytes follow, then zeros up to a multiple of eight. */
struct section {
	char tag[4];
	u32 crc;		/* CRC-32 of the bytes */
	u64 len;		/* length without the zeros */
};

static const char magic[8] = "cpuprobe";

/** The section "RUN ". */
struct saved_result {
	u64 taken;
	u64 missed;
	u64 expected;
	u64 lost;
	u64 deferred;
	u64 nr_cpus;
	u64 period_ns;
	u64 seed;
	double began;
	double elapsed_seconds;
	u64 excluded;		/* old files end before this field */
	double excess;		/* old files end before this field */
	struct event event;	/* old files end before this field */
};

#define SAVED_RESULT_LEAST offsetof(struct saved_result, excluded)

static void add_file_head(struct record_writer *writer)
{
	struct head head = { .version = RECORD_VERSION };

	memcpy(head.magic, magic, sizeof(head.magic));
	fwrite(&head, sizeof(head), 1, writer->out.file);
}

int record_create(struct record_writer *writer, const char *path, struct text_error *error_ret)
{
	int error = outfile_open(&writer->out, path, error_ret);

	if (!error)
		add_file_head(writer);
	return error;
}

void record_begin(struct record_writer *writer, FILE *file)
{
	*writer = (struct record_writer){ .out = { .file = file, .path = "memory" } };
	add_file_head(writer);
}

void record_add(struct record_writer *writer, const char *tag, const void *bytes, size_t len)
{
	static const char zeros[8];
	struct section section = { .crc = sym_crc32(0, bytes, len), .len = len };

	memcpy(section.tag, tag, sizeof(section.tag));
	fwrite(&section, sizeof(section), 1, writer->out.file);
	if (len)
		fwrite(bytes, 1, len, writer->out.file);
	fwrite(zeros, 1, -len & 7, writer->out.file);
}

void record_add_result(struct record_writer *writer, const struct run_result *result)
{
	struct saved_result saved = {
		.taken = result->account.taken, .missed = result->account.missed,
		.expected = result->account.expected, .lost = result->account.lost,
		.deferred = result->account.deferred, .nr_cpus = result->nr_cpus,
		.period_ns = result->period_ns, .seed = result->seed, .began = result->began,
		.elapsed_seconds = result->elapsed_seconds, .excluded = result->account.excluded,
		.excess = result->account.excess, .event = result->event,
	};

	record_add(writer, "RUN ", &saved, sizeof(saved));
}

int record_commit(struct record_writer *writer, struct text_error *error_ret)
{
	record_add(writer, "END ", NULL, 0);
	return outfile_commit(&writer->out, error_ret);
}

void record_abandon(struct record_writer *writer)
{
	outfile_abandon(&writer->out);
}

/* The section at @at, or NULL if it does not fit into the file. */
static const struct section *section_at(const struct record *record, size_t at)
{
	const struct section *section = (const struct section *)(record->bytes + at);

	if (record->len - at < sizeof(*section) ||
	    section->len > record->len - at - sizeof(*section))
		return NULL;
	return section;
}

static size_t next_section(size_t at, const struct section *section)
{
	return at + sizeof(*section) + ((section->len + 7) & ~7ULL);
}

int record_check(const struct record *record, const char *path, struct text_error *error_ret)
{
	const struct head *head = (const struct head *)record->bytes;
	const struct section *section;
	size_t at;

	if (record->len < sizeof(*head) || memcmp(head->magic, magic, sizeof(magic)))
		return text_fail(error_ret, -ENOEXEC, "read %s: not a run saved by 'probe -save'",
				 path);
	if (head->version != RECORD_VERSION) {
		text_fail(error_ret, 0, "read %s: its format is version %u, this probe supports %u",
			  path, head->version, RECORD_VERSION);
		text_hint(error_ret, "show it with the probe that made it, or a newer one");
		return -EPROTO;
	}
	for (at = sizeof(*head); at <= record->len; at = next_section(at, section)) {
		section = section_at(record, at);
		if (!section)
			break;
		if (sym_crc32(0, section + 1, section->len) != section->crc)
			return text_fail(error_ret, -EBADMSG, "read %s: damaged in section '%.4s'",
					 path, section->tag);
		if (!memcmp(section->tag, "END ", 4))
			return 0;
	}
	return text_fail(error_ret, -EBADMSG, "read %s: truncated after %zu bytes", path,
			 record->len);
}

/* Reads a file of at most FILE_MAX bytes into memory aligned for its sections. */
static int read_record_file(int fd, struct record *record)
{
	size_t max = 65536;
	ssize_t got;
	char *more;

	record->len = 0;
	record->bytes = malloc(max);
	while (record->bytes) {
		got = read(fd, record->bytes + record->len, max - record->len);
		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0)
			return -errno;
		if (!got) {
			/* Shrink to the exact size, so that sanitizers see a read past the end. */
			more = realloc(record->bytes, record->len ? record->len : 1);
			if (more)
				record->bytes = more;
			return 0;
		}
		record->len += got;
		/* A device may have no end: record_check() refuses what has been read. */
		if (record->len >= sizeof(magic) && memcmp(record->bytes, magic, sizeof(magic)))
			return 0;
		if (record->len < max)
			continue;
		max *= 2;
		more = max > FILE_MAX ? NULL : realloc(record->bytes, max);
		if (!more)
			return max > FILE_MAX ? -EFBIG : -ENOMEM;
		record->bytes = more;
	}
	return -ENOMEM;
}

int record_read(const char *path, struct record *record_ret, struct text_error *error_ret)
{
	struct record record = { NULL, 0 };
	int fd = open(path, O_RDONLY | O_CLOEXEC), error;

	if (fd < 0)
		return text_fail(error_ret, -errno, "open %s: %s", path, strerror(errno));
	error = read_record_file(fd, &record);
	close(fd);
	if (error)
		text_fail(error_ret, 0, "read %s: %s", path, strerror(-error));
	else
		error = record_check(&record, path, error_ret);
	if (error) {
		record_deinit(&record);
		return error;
	}
	*record_ret = record;
	return 0;
}

void record_deinit(struct record *record)
{
	free(record->bytes);
	record->bytes = NULL;
}

const void *record_find(const struct record *record, const char *tag, size_t *len_ret)
{
	const struct section *section;
	size_t at;

	for (at = sizeof(struct head); (section = section_at(record, at));
	     at = next_section(at, section)) {
		if (!memcmp(section->tag, "END ", 4))
			break;
		if (memcmp(section->tag, tag, sizeof(section->tag)))
			continue;
		*len_ret = section->len;
		return section + 1;
	}
	return NULL;
}

int record_get(const struct record *record, const char *tag, void *struct_ret, size_t len,
	       size_t least, struct text_error *error_ret)
{
	size_t found_len = 0;
	const void *found = record_find(record, tag, &found_len);

	if (!found || found_len < least)
		return text_fail(error_ret, -EBADMSG, "its section '%s' is missing or too short",
				 tag);
	memset(struct_ret, 0, len);
	memcpy(struct_ret, found, found_len < len ? found_len : len);
	return 0;
}

int record_get_result(const struct record *record, struct run_result *result_ret,
		      struct text_error *error_ret)
{
	struct saved_result saved;
	int error = record_get(record, "RUN ", &saved, sizeof(saved), SAVED_RESULT_LEAST,
			       error_ret);

	if (error)
		return error;
	if (saved.excluded > saved.deferred || saved.excluded > saved.taken ||
	    !(fabs(saved.began) <= RECORD_SECONDS_MAX) || !(fabs(saved.elapsed_seconds) <= RECORD_SECONDS_MAX) ||
	    !(saved.excess >= 0 && saved.excess <= RECORD_EXCESS_MAX))
		return text_fail(error_ret, -EBADMSG, "its section 'RUN ' is invalid");
	*result_ret = (struct run_result){
		.account = { .taken = saved.taken, .missed = saved.missed,
			     .expected = saved.expected, .lost = saved.lost,
			     .deferred = saved.deferred, .excluded = saved.excluded,
			     .excess = saved.excess },
		.nr_cpus = saved.nr_cpus, .period_ns = saved.period_ns, .seed = saved.seed,
		.began = saved.began, .elapsed_seconds = saved.elapsed_seconds, .event = saved.event,
	};
	event_clean(&result_ret->event);
	return 0;
}

void record_text(char *text, size_t len)
{
	text[len - 1] = '\0';
	text_clean(text);
}
