// SPDX-License-Identifier: GPL-2.0-only
/* Files of kernel modules: see modfile.h. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "run/modfile.h"
#include "sym_elf.h"

#define SIGNATURE_MARK	"~Module signature appended~\n"

int modfile_find(const char *root, const char *kernel, const char *name, char *path_ret,
		 size_t len)
{
	char line[4096], path[512], *colon, *base;
	size_t name_len = strlen(name);
	int error = -ENOENT;
	FILE *file;

	snprintf(path, sizeof(path), "%s/lib/modules/%s/modules.dep", root, kernel);
	file = fopen(path, "re");
	while (error && file && fgets(line, sizeof(line), file)) {
		colon = strchr(line, ':');
		if (!colon)
			continue;
		*colon = '\0';
		base = strrchr(line, '/');
		base = base ? base + 1 : line;
		if (strncmp(base, name, name_len) || strncmp(base + name_len, ".ko", 3))
			continue;
		if (line[0] == '/')
			snprintf(path_ret, len, "%s%s", root, line);
		else
			snprintf(path_ret, len, "%s/lib/modules/%s/%s", root, kernel, line);
		error = 0;
	}
	if (file)
		fclose(file);
	return error;
}

/* Copies the value of a key from a section of "key=value" strings; empty: no such key. */
static void copy_value(const char *text, size_t len, const char *key, char *value, size_t value_len)
{
	size_t key_len = strlen(key), item_len;
	const char *end = text + len;

	value[0] = '\0';
	for (; text < end; text += item_len + 1) {
		item_len = strnlen(text, end - text);
		if (item_len <= key_len || memcmp(text, key, key_len) || text[key_len] != '=')
			continue;
		snprintf(value, value_len, "%.*s", (int)(item_len - key_len - 1),
			 text + key_len + 1);
		return;
	}
}

static void read_modinfo(const char *text, size_t len, struct modfile *file_ret)
{
	copy_value(text, len, "vermagic", file_ret->kernel, sizeof(file_ret->kernel));
	file_ret->kernel[strcspn(file_ret->kernel, " ")] = '\0';
	copy_value(text, len, "version", file_ret->release, sizeof(file_ret->release));
	copy_value(text, len, "interface", file_ret->interface, sizeof(file_ret->interface));
}

/* Reads .modinfo of an ELF image. -EBADMSG: the image has none. */
static int read_elf_modinfo(char *image, size_t len, struct modfile *file_ret)
{
	Elf_Scn *section = NULL;
	Elf_Data *data;
	Elf64_Shdr *header;
	size_t names;
	const char *name;
	Elf *elf;
	int error = -EBADMSG;

	elf = sym_elf_memory(image, len, NULL);
	if (!elf || elf_getshdrstrndx(elf, &names)) {
		elf_end(elf);
		return -EBADMSG;
	}
	while (error && (section = elf_nextscn(elf, section))) {
		header = elf64_getshdr(section);
		name = header ? elf_strptr(elf, names, header->sh_name) : NULL;
		if (!name || strcmp(name, ".modinfo"))
			continue;
		data = elf_rawdata(section, NULL);
		if (!data || !data->d_buf)
			continue;
		read_modinfo(data->d_buf, data->d_size, file_ret);
		error = 0;
	}
	elf_end(elf);
	return error;
}

static bool ends_with(const char *text, const char *end)
{
	size_t len = strlen(text), end_len = strlen(end);

	return len >= end_len && !strcmp(text + len - end_len, end);
}

int modfile_read(const char *path, struct modfile *file_ret)
{
	const size_t mark_len = strlen(SIGNATURE_MARK);
	int fd = open(path, O_RDONLY | O_CLOEXEC), error;
	struct stat status;
	size_t len;
	char *image;

	memset(file_ret, 0, sizeof(*file_ret));
	snprintf(file_ret->path, sizeof(file_ret->path), "%s", path);
	if (fd < 0)
		return -errno;
	len = fstat(fd, &status) ? 0 : status.st_size;
	image = len ? mmap(NULL, len, PROT_READ | PROT_WRITE, MAP_PRIVATE, fd, 0) : MAP_FAILED;
	close(fd);
	if (image == MAP_FAILED)
		return -EBADMSG;
	error = read_elf_modinfo(image, len, file_ret);
	/* .ko.xz and the like */
	if (error && !ends_with(path, ".ko"))
		error = -ENOTSUP;
	file_ret->is_signed = len > mark_len &&
		!memcmp(image + len - mark_len, SIGNATURE_MARK, mark_len);
	munmap(image, len);
	return error;
}
