// SPDX-License-Identifier: GPL-2.0-only
/* The instructions of a target or of a saved run: see instructions.h and docs/format.md. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "code/native.h"
#include "proc/instructions.h"

#define KEPT_EMULATED	1u
#define KEPT_64		2u
#define KEPT_BIG_ENDIAN	4u

/** The section "CODE". */
struct kept_code {
	u64 size;
	u64 changed_ns;
	u32 kind;		/* enum code_kind */
	u32 machine;
	u32 flags;		/* KEPT_* */
	u32 build_id_len;
	u8 build_id[32];
	char path[512];
};

/** Header of each range in the section "BYTE"; its bytes follow, padded to a multiple of 8. */
struct kept_bytes {
	u64 addr;
	u64 len;
};

_Static_assert(sizeof(struct kept_code) == 576, "saved in files");
_Static_assert(sizeof(struct kept_bytes) == 16, "saved in files");

/* Read line numbers from the file itself, or from its separate debug file. */
static struct sym_lines *find_lines(int fd, const char *path, int pid)
{
	struct sym_lines *lines = NULL;
	char root[64];
	int debug;

	if (!sym_lines_create(fd, &lines, NULL))
		return lines;
	snprintf(root, sizeof(root), "/proc/%d/root", pid);
	debug = sym_debug_open(fd, path, pid ? root : NULL);
	if (debug < 0)
		return NULL;
	if (sym_lines_create(debug, &lines, NULL))
		lines = NULL;
	close(debug);
	return lines;
}

int instructions_open(struct instructions *instructions_ret, const struct target *target,
		      bool is_kernel, bool has_lines, struct text_error *error_ret)
{
	struct instructions made = { .lines = NULL };
	int error;

	if (is_kernel)
		error = code_open_kernel(&made.code, "/proc/kcore", error_ret);
	else if (target->object_fd >= 0)
		error = code_open_file(&made.code, target->object_fd, target->object_path,
				       error_ret);
	else
		error = code_open_process(&made.code, target->task.pid, target->task.exe_fd,
					  error_ret);
	if (error)
		return error;
	made.code.is_emulated = native_is_emulated();
	if (has_lines && made.code.kind == CODE_FILE)
		made.lines = find_lines(target->object_fd, target->object_path, target->object_pid);
	*instructions_ret = made;
	return 0;
}

void instructions_close(struct instructions *instructions)
{
	sym_lines_destroy(instructions->lines);
	code_close(&instructions->code);
	memset(instructions, 0, sizeof(*instructions));
}

static struct listing_request request_of(const struct instructions *instructions,
					 const struct proc_report *report,
					 const struct sym_index *symbols)
{
	return (struct listing_request){
		.layout = &report->layout, .hits = report->hits, .symbols = symbols,
		.code = &instructions->code, .lines = instructions->lines,
	};
}

int instructions_list(const struct instructions *instructions, const struct proc_report *report,
		      const struct sym_index *symbols, size_t max_rows,
		      struct listing **listing_ret, struct text_error *error_ret)
{
	struct listing_request request = request_of(instructions, report, symbols);
	int error = code_check(&instructions->code, error_ret);

	request.max_rows = max_rows;
	return error ? error : listing_create(&request, listing_ret, error_ret);
}

static void write_piece(FILE *out, const struct code *code, const struct listing_piece *piece)
{
	static const char zeros[8];
	struct kept_bytes head = {
		.addr = piece->start, .len = piece->high - piece->start + LISTING_BEYOND };
	void *bytes = malloc(head.len);

	head.len = bytes ? code_read(code, head.addr, bytes, head.len) : 0;
	if (head.len) {
		fwrite(&head, sizeof(head), 1, out);
		fwrite(bytes, head.len, 1, out);
		fwrite(zeros, -head.len & 7, 1, out);
	}
	free(bytes);
}

bool instructions_can_save(const struct instructions *instructions, const struct proc_report *report)
{
	return 1ULL << report->layout.shift <= LISTING_SLOT_MAX && !code_check(&instructions->code, NULL);
}

void instructions_save(struct record_writer *writer, const struct instructions *instructions,
		       const struct proc_report *report, const struct sym_index *symbols)
{
	const struct listing_request request = request_of(instructions, report, symbols);
	const struct code *code = &instructions->code;
	struct kept_code kept = {
		.size = code->identity.size, .changed_ns = code->identity.changed_ns,
		.kind = code->kind, .machine = code->machine.machine,
		.flags = (code->is_emulated ? KEPT_EMULATED : 0) |
			(code->machine.is_64 ? KEPT_64 : 0) |
			(code->machine.is_big_endian ? KEPT_BIG_ENDIAN : 0),
		.build_id_len = code->identity.build_id_len,
	};
	struct listing_piece *pieces = NULL;
	char *bytes = NULL;
	size_t len = 0, nr, i;
	FILE *out;

	if (!instructions_can_save(instructions, report) ||
	    listing_pieces(&request, LISTING_KEPT_MAX, &pieces, &nr))
		return;
	out = open_memstream(&bytes, &len);
	for (i = 0; out && i < nr; i++)
		write_piece(out, code, &pieces[i]);
	free(pieces);
	if (!out)
		return;
	fclose(out);
	memcpy(kept.build_id, code->identity.build_id, sizeof(kept.build_id));
	memcpy(kept.path, code->path, sizeof(kept.path));
	record_add(writer, "CODE", &kept, sizeof(kept));
	record_add(writer, "BYTE", bytes, len);
	free(bytes);
}

/* A malicious file may have overlapping ranges; no range extends past the section. */
static void find_kept(struct code *code, const char *bytes, size_t len)
{
	struct kept_bytes head;
	size_t at = 0;

	while (len - at >= sizeof(head) && code->nr_segments < CODE_SEGMENTS_MAX) {
		memcpy(&head, bytes + at, sizeof(head));
		at += sizeof(head);
		if (head.len > len - at || head.addr + head.len < head.addr)
			return;
		code->segments[code->nr_segments++] = (struct code_segment){
			.addr = head.addr, .len = head.len, .offset = at };
		at += head.len + (-head.len & 7);
		if (at > len)
			return;
	}
}

/* Open the source lines of the measured file, if the file is still the same. */
static void open_kept_lines(struct instructions *instructions)
{
	struct code *code = &instructions->code;
	struct code_identity now;
	struct code file;
	/* A saved run may name any file. */
	int fd = sym_open_regular(code->path, 0);

	instructions->is_changed = true;
	if (fd >= 0 && !code_open_file(&file, fd, code->path, NULL)) {
		code_identify(fd, &now);
		instructions->is_changed = !code_is_same(&code->identity, &now);
		code->owner = file.owner;
		code_close(&file);
	}
	if (!instructions->is_changed)
		instructions->lines = find_lines(fd, code->path, 0);
	if (fd >= 0)
		close(fd);
}

int instructions_open_kept(struct instructions *instructions_ret, const struct record *record,
			   struct text_error *error_ret)
{
	struct instructions made = { .code = { .kind = CODE_KEPT, .fd = -1, .owner = UINT32_MAX } };
	struct code *code = &made.code;
	struct kept_code kept;
	size_t len = 0;

	code->kept = record_find(record, "BYTE", &len);
	if (!code->kept || record_get(record, "CODE", &kept, sizeof(kept), sizeof(kept), NULL) ||
	    kept.build_id_len > sizeof(kept.build_id)) {
		text_fail(error_ret, 0,
			  "list the instructions of this run: its code was not saved");
		text_hint(error_ret, "measure with -asm and -save");
		return -ENOENT;
	}
	code->segments = calloc(CODE_SEGMENTS_MAX, sizeof(*code->segments));
	if (!code->segments)
		return text_fail(error_ret, -ENOMEM,
				 "list the instructions of this run: out of memory");
	find_kept(code, code->kept, len);
	code->machine = (struct code_machine){ kept.machine, kept.flags & KEPT_64,
					       kept.flags & KEPT_BIG_ENDIAN };
	code->is_emulated = kept.flags & KEPT_EMULATED;
	code->identity = (struct code_identity){ .size = kept.size, .changed_ns = kept.changed_ns,
						 .build_id_len = kept.build_id_len };
	memcpy(code->identity.build_id, kept.build_id, sizeof(kept.build_id));
	snprintf(code->path, sizeof(code->path), "%.*s", (int)sizeof(kept.path) - 1, kept.path);
	text_clean(code->path);
	if (kept.kind == CODE_FILE)
		open_kept_lines(&made);
	*instructions_ret = made;
	return 0;
}
