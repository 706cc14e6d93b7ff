// SPDX-License-Identifier: GPL-2.0-only
/* Lists the functions of a profile's object: see flat_symbols.h. */
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "report/flat_symbols.h"
#include "resolve/kernel_names.h"
#include "symbolizer.h"

static bool is_same_build(int fd, const struct profile_object *object)
{
	struct sym_image image;

	return !object->build_id_len ||
		(!sym_image_read(fd, &image, NULL) && image.build_id_len == object->build_id_len &&
		 !memcmp(image.build_id, object->build_id, image.build_id_len));
}

/** Callback that receives the functions, with its context. */
struct sink {
	unsampled_add add;
	void *to;
};

/* Skips entries of procedure linkage tables, which the linker made: nobody wrote them. */
static int pass_function(const char *name, u64 addr, void *context)
{
	const struct sink *sink = context;
	size_t len = strlen(name);

	return len >= 4 && !strcmp(name + len - 4, "@plt") ? 0 :
		sink->add(sink->to, addr, name);
}

static int list_resolved(struct resolver *resolver, const struct profile *profile,
			 const struct profile_object *object, struct sink *sink,
			 struct text_error *error_ret)
{
	int error = resolver_functions(resolver, object - profile->objects, pass_function, sink);

	return error == -ENODATA ?
		text_fail(error_ret, error, "no symbols are available") : error;
}

/* The running kernel's symbols fit the run only if it is the same build. */
static int list_running_kernel(struct flat_symbols *symbols, const struct profile_object *object,
			       struct sink *sink, struct text_error *error_ret)
{
	const char *module = object->kind == PROFILE_MODULE ? object->name : "";
	u8 build_id[32];

	if (!object->build_id_len ||
	    kernel_names_build_id(module, build_id) != object->build_id_len ||
	    memcmp(build_id, object->build_id, object->build_id_len))
		return text_fail(error_ret, -ESTALE, "another build is running now");
	if (!symbols->own)
		symbols->own = resolver_create(symbols->profile, &(struct resolver_options){ 0 },
					       error_ret);
	return symbols->own ?
		list_resolved(symbols->own, symbols->profile, object, sink, error_ret) : -ENOMEM;
}

static int list_symbols(const struct sym_index *index, struct sink *sink)
{
	char name[1024];
	int error = 0;
	size_t i;

	for (i = 0; !error && i < sym_index_size(index); i++) {
		const struct sym *sym = sym_index_at(index, i);

		sym_name(sym, name, sizeof(name));
		/* A function split into pieces is listed at its entry. */
		if (sym->start == sym->entry)
			error = pass_function(name, sym->entry, sink);
	}
	return error;
}

static int list_current_file(const struct profile_object *object, struct sink *sink,
			     struct text_error *error_ret)
{
	struct sym_index *index = NULL;
	struct sym_error why;
	int fd, error;

	if (object->kind != PROFILE_FILE || object->path[0] != '/')
		return text_fail(error_ret, -ENOENT, "it has no file");
	fd = sym_open_regular(object->path, 0);
	if (fd < 0)
		return text_fail(error_ret, fd, "open %s: %s", object->path,
				 fd == -EINVAL ? "it is not a regular file" : strerror(-fd));
	if (!is_same_build(fd, object))
		error = text_fail(error_ret, -ESTALE, "%s is another build now", object->path);
	else if (sym_index_create_object(fd, object->path, NULL, &index, NULL, &why))
		error = text_fail(error_ret, -ENODATA, "read symbols of %s: %s", object->path,
				  why.text);
	else
		error = list_symbols(index, sink);
	sym_index_destroy(index);
	close(fd);
	return error;
}

int flat_symbols(void *context, const struct profile_object *object, unsampled_add add, void *to,
		 struct text_error *error_ret)
{
	struct sink sink = { add, to };
	struct flat_symbols *symbols = context;

	if (symbols->resolver)
		return list_resolved(symbols->resolver, symbols->profile, object, &sink,
				     error_ret);
	if (object->kind == PROFILE_KERNEL || object->kind == PROFILE_MODULE)
		return list_running_kernel(symbols, object, &sink, error_ret);
	return list_current_file(object, &sink, error_ret);
}

void flat_symbols_deinit(struct flat_symbols *symbols)
{
	resolver_destroy(symbols->own);
	symbols->own = NULL;
}
