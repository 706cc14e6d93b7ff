// SPDX-License-Identifier: GPL-2.0-only
/* Debug information of the running kernel: see kernel_lines.h. */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "resolve/kernel_lines.h"
#include "resolve/kernel_names.h"

/* A build-id as hexadecimal digits. */
static const char *get_digits(const u8 *bytes, size_t len, char text[65])
{
	size_t i;

	snprintf(text, 65, "none");
	for (i = 0; i < len && i < 32; i++)
		sprintf(text + 2 * i, "%02x", bytes[i]);
	return text;
}

static int check_kernel_build(int fd, const char *path, const char *notes,
			      struct text_error *error_ret)
{
	struct sym_error why;
	struct sym_image image;
	char text[2][65];
	u8 build_id[32];
	u32 len;

	if (sym_image_read(fd, &image, &why))
		return text_fail(error_ret, -ENOEXEC, "read debug information of %s: %s", path,
				 why.text);
	len = kernel_names_build_id_of(notes ?: KERNEL_NOTES, build_id);
	if (len && len == image.build_id_len && !memcmp(build_id, image.build_id, len))
		return 0;
	text_fail(error_ret, 0, "read debug information of %s: its build-id is %s, the running "
		  "kernel's is %s", path, get_digits(image.build_id, image.build_id_len, text[0]),
		  get_digits(build_id, len, text[1]));
	text_hint(error_ret, "take the vmlinux of exactly this build, of the package with the debug "
		  "symbols of 'uname -r'");
	return -ESTALE;
}

static int find_text_start(int fd, u64 *start_ret, struct sym_error *why)
{
	struct sym_index *index;
	int error = sym_index_create_elf(fd, &index, why);

	if (error)
		return error;
	if (!sym_index_by_name(index, "_stext", start_ret)) {
		error = -ENODATA;
		snprintf(why->text, sizeof(why->text), "it has no symbol _stext");
	}
	sym_index_destroy(index);
	return error;
}

int kernel_lines_open(struct kernel_lines *lines, const char *path, const char *notes,
		      struct text_error *error_ret)
{
	struct kernel_lines made = { 0 };
	struct sym_error why;
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY), error;

	if (fd < 0)
		return text_fail(error_ret, -errno, "open %s: %s", path, strerror(errno));
	error = check_kernel_build(fd, path, notes, error_ret);
	if (!error) {
		error = find_text_start(fd, &made.text_start, &why) ?:
			sym_lines_create(fd, &made.lines, &why);
		if (error)
			text_fail(error_ret, 0, "read debug information of %s: %s", path, why.text);
	}
	close(fd);
	if (!error)
		*lines = made;
	return error;
}

void kernel_lines_close(struct kernel_lines *lines)
{
	sym_lines_destroy(lines->lines);
	*lines = (struct kernel_lines){ 0 };
}
