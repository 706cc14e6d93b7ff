// SPDX-License-Identifier: GPL-2.0-only
/* The functions of an object of a profile: see flat_symbols.h. */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "flat_symbols.h"
#include "symbolizer.h"

static bool is_same_build(int fd, const struct profile_object *object)
{
	struct sym_image image;

	return !object->build_id_len ||
		(!sym_image_read(fd, &image, NULL) && image.build_id_len == object->build_id_len &&
		 !memcmp(image.build_id, object->build_id, image.build_id_len));
}

/* Entries of procedure linkage tables are the linker's, no functions of anybody's. */
static bool is_function(const struct sym *sym)
{
	size_t len = strlen(sym->name);

	/* One that others interrupt has several pieces. */
	return sym->start == sym->entry && (len < 4 || strcmp(sym->name + len - 4, "@plt"));
}

static int add_all(const struct sym_index *symbols, unsampled_add add, void *to)
{
	char name[1024];
	int error = 0;
	size_t i;

	for (i = 0; !error && i < sym_index_size(symbols); i++) {
		const struct sym *sym = sym_index_at(symbols, i);

		sym_name(sym, name, sizeof(name));
		if (is_function(sym))
			error = add(to, sym->entry, name);
	}
	return error;
}

int flat_symbols(void *context, const struct profile_object *object, unsampled_add add, void *to,
		 struct text_error *error_ret)
{
	struct sym_index *symbols = NULL;
	struct sym_error why;
	int fd, error;

	(void)context;
	if (object->kind != PROFILE_FILE || object->path[0] != '/')
		return text_fail(error_ret, -ENOENT, "it has no file");
	/* A FIFO in its place must not be waited for. */
	fd = open(object->path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	if (fd < 0)
		return text_fail(error_ret, -errno, "open %s: %s", object->path, strerror(errno));
	if (!is_same_build(fd, object))
		error = text_fail(error_ret, -ESTALE, "%s is of another build now", object->path);
	else if (sym_index_create_object(fd, object->path, NULL, &symbols, NULL, &why))
		error = text_fail(error_ret, -ENODATA, "read symbols of %s: %s", object->path,
				  why.text);
	else
		error = add_all(symbols, add, to);
	sym_index_destroy(symbols);
	close(fd);
	return error;
}
