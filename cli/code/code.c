// SPDX-License-Identifier: GPL-2.0-only
/* Bytes of code: see code.h. Files and their headers are untrusted. */
#include <errno.h>
#include <fcntl.h>
#include <gelf.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "code/code.h"
#include "sym_elf.h"

void code_close(struct code *code)
{
	if (code->segments && code->kind != CODE_KEPT)
		close(code->fd);
	free(code->segments);
	memset(code, 0, sizeof(*code));
}

static int add_code_segment(struct code *code, const struct code_segment *segment)
{
	if (code->nr_segments == CODE_SEGMENTS_MAX || !segment->len ||
	    segment->addr + segment->len < segment->addr ||
	    segment->offset + segment->len < segment->offset)
		return -EINVAL;
	code->segments[code->nr_segments++] = *segment;
	return 0;
}

static bool read_machine(Elf *elf, struct code_machine *machine_ret)
{
	GElf_Ehdr header;

	if (!elf)
		return false;
	gelf_getehdr(elf, &header);
	machine_ret->machine = header.e_machine;
	machine_ret->is_64 = header.e_ident[EI_CLASS] == ELFCLASS64;
	machine_ret->is_big_endian = header.e_ident[EI_DATA] == ELFDATA2MSB;
	return true;
}

/* Loaded segments with @flags set: PF_X for code; 0 for all segments of a core file. */
static void read_segments(struct code *code, Elf *elf, u32 flags)
{
	GElf_Phdr header;
	size_t nr, i;

	if (elf_getphdrnum(elf, &nr))
		return;
	for (i = 0; i < nr && gelf_getphdr(elf, i, &header); i++)
		if (header.p_type == PT_LOAD && (header.p_flags & flags) == flags)
			add_code_segment(code, &(struct code_segment){
				.addr = header.p_vaddr, .len = header.p_filesz,
				.offset = header.p_offset });
}

/* Takes ownership of @fd, even on failure. */
static int init_code(struct code *code, enum code_kind kind, int fd, const char *path)
{
	memset(code, 0, sizeof(*code));
	code->kind = kind;
	code->fd = fd;
	snprintf(code->path, sizeof(code->path), "%s", path);
	text_clean(code->path);
	code->segments = fd < 0 ? NULL : calloc(CODE_SEGMENTS_MAX, sizeof(*code->segments));
	if (fd >= 0 && !code->segments)
		close(fd);
	return code->segments ? 0 : -ENOMEM;
}

static int read_elf(struct code *code, u32 flags, struct text_error *error_ret)
{
	struct sym_error why;
	Elf *elf = sym_elf_begin(code->fd, &why);
	bool is_elf = read_machine(elf, &code->machine);

	if (is_elf)
		read_segments(code, elf, flags);
	elf_end(elf);
	if (code->nr_segments)
		return 0;
	return text_fail(error_ret, -ENOEXEC, "read code of %s: %s", code->path,
			 is_elf ? "the file has no code" : why.text);
}

void code_identify(int fd, struct code_identity *identity_ret)
{
	struct sym_image image;
	struct stat info;

	memset(identity_ret, 0, sizeof(*identity_ret));
	if (fstat(fd, &info))
		return;
	identity_ret->size = info.st_size;
	identity_ret->changed_ns = info.st_mtim.tv_sec * 1000000000ULL + info.st_mtim.tv_nsec;
	if (sym_image_read(fd, &image, NULL))
		return;
	identity_ret->build_id_len = image.build_id_len;
	memcpy(identity_ret->build_id, image.build_id, image.build_id_len);
}

bool code_is_same(const struct code_identity *a, const struct code_identity *b)
{
	if (a->build_id_len || b->build_id_len)
		return a->build_id_len == b->build_id_len &&
			!memcmp(a->build_id, b->build_id, a->build_id_len);
	return a->size == b->size && a->changed_ns == b->changed_ns;
}

int code_open_file(struct code *code_ret, int fd, const char *path, struct text_error *error_ret)
{
	struct code code;
	struct stat info;
	int error = init_code(&code, CODE_FILE, dup(fd), path);

	if (error)
		return text_fail(error_ret, error, "read code of %s: out of memory", path);
	error = read_elf(&code, PF_X, error_ret);
	if (error) {
		code_close(&code);
		return error;
	}
	code_identify(code.fd, &code.identity);
	code.owner = fstat(code.fd, &info) ? UINT32_MAX : info.st_uid;
	*code_ret = code;
	return 0;
}

int code_open_process(struct code *code_ret, int pid, int exe_fd, struct text_error *error_ret)
{
	struct sym_error why;
	struct code code;
	char path[64];
	int fd, error;
	Elf *elf;

	snprintf(path, sizeof(path), "/proc/%d/mem", pid);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0) {
		error = -errno;
		text_fail(error_ret, 0, "read memory of process %d: %s", pid, strerror(-error));
		if (error == -EACCES || error == -EPERM)
			text_hint(error_ret, "run as root, or as the owner of the process");
		return error;
	}
	error = init_code(&code, CODE_PROCESS, fd, path);
	if (error)
		return text_fail(error_ret, error, "read memory of process %d: out of memory", pid);
	code.pid = pid;
	elf = sym_elf_begin(exe_fd, &why);
	/* A COMMAND has mapped nothing yet: one segment covers the whole address space. */
	if (read_machine(elf, &code.machine))
		add_code_segment(&code, &(struct code_segment){ 0, INT64_MAX, 0 });
	elf_end(elf);
	if (code.nr_segments) {
		*code_ret = code;
		return 0;
	}
	code_close(&code);
	return text_fail(error_ret, -ENOEXEC,
			 "read memory of process %d: its executable: %s", pid, why.text);
}

int code_open_kernel(struct code *code_ret, const char *path, struct text_error *error_ret)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC), error;
	struct code code;

	if (fd < 0) {
		error = -errno;
		text_fail(error_ret, 0, "read the kernel's code from %s: %s", path,
			  strerror(-error));
		text_hint(error_ret, error == -ENOENT ?
			  "this kernel was built without CONFIG_PROC_KCORE: omit -asm" :
			  "run as root on a kernel that is not locked down, or omit -asm");
		return error;
	}
	error = init_code(&code, CODE_KERNEL, fd, path);
	if (error)
		return text_fail(error_ret, error, "read the kernel's code: out of memory");
	error = read_elf(&code, 0, error_ret);
	if (error) {
		code_close(&code);
		return error;
	}
	*code_ret = code;
	return 0;
}

int code_check(const struct code *code, struct text_error *error_ret)
{
	struct code_identity now;

	if (code->kind != CODE_FILE)
		return 0;
	code_identify(code->fd, &now);
	if (code_is_same(&code->identity, &now))
		return 0;
	text_fail(error_ret, 0, "read code of %s: the file has changed since it was measured",
		  code->path);
	text_hint(error_ret, "restart the program and measure again");
	return -ESTALE;
}

static size_t read_segment(const struct code *code, const struct code_segment *segment, u64 addr,
			   void *bytes, size_t len)
{
	u64 skip = addr - segment->addr;
	size_t done = 0;
	ssize_t got;

	if (len > segment->len - skip)
		len = segment->len - skip;
	if (code->kind == CODE_KEPT) {
		memcpy(bytes, (const char *)code->kept + segment->offset + skip, len);
		return len;
	}
	while (done < len) {
		got = pread(code->fd, (char *)bytes + done, len - done,
			    segment->offset + skip + done);
		if (got <= 0)
			break;
		done += got;
	}
	return done;
}

size_t code_read(const struct code *code, u64 addr, void *bytes_ret, size_t len)
{
	const struct code_segment *best = NULL;
	size_t i;

	/* Saved segments may overlap: use the one that reaches furthest. */
	for (i = 0; i < code->nr_segments; i++) {
		const struct code_segment *segment = &code->segments[i];

		if (addr - segment->addr < segment->len &&
		    (!best || segment->addr + segment->len > best->addr + best->len))
			best = segment;
	}
	return best ? read_segment(code, best, addr, bytes_ret, len) : 0;
}
