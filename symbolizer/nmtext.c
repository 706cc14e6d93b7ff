// SPDX-License-Identifier: GPL-2.0-only
/* Symbols as text: output of nm, and /proc/kallsyms, which has the same format. */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "internal.h"

#define TEXT_MAX (1ULL << 32)

/** Counts of the lines read. */
struct lines {
	size_t nr_symbols;
	size_t nr_nonzero;	/* symbols with an address other than 0 */
	char *names;		/* end of the names, which are moved to the start of the text */
};

int read_all(int fd, char **text_ret, size_t *len_ret, struct sym_error *error_ret)
{
	size_t len = 0, max = 0;
	char *text = NULL, *more;
	ssize_t got;

	for (;;) {
		/* One byte is reserved for the NUL. */
		if (len + 1 >= max) {
			max = max ? max * 2 : 65536;
			more = max > TEXT_MAX ? NULL : realloc(text, max);
			if (!more) {
				free(text);
				return max > TEXT_MAX ? sym_fail(error_ret, -EFBIG, "too large") :
					sym_fail(error_ret, -ENOMEM, "out of memory");
			}
			text = more;
		}
		/* Files in /proc have no size and are read sequentially, so all files are. */
		got = read(fd, text + len, max - 1 - len);
		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0) {
			int error = errno;

			free(text);
			return sym_fail(error_ret, -error, "%s", strerror(error));
		}
		if (!got)
			break;
		len += got;
	}
	text[len] = '\0';
	*text_ret = text;
	*len_ret = len;
	return 0;
}

/* Parse a hexadecimal number of up to 16 digits and the blanks after it. Advances @at past both. */
static bool scan_hex(const char **at, const char *end, u64 *value_ret)
{
	const char *s = *at;
	u64 value = 0;
	int digits = 0;

	for (; s < end; s++, digits++) {
		int digit = *s >= '0' && *s <= '9' ? *s - '0' :
			*s >= 'a' && *s <= 'f' ? *s - 'a' + 10 :
			*s >= 'A' && *s <= 'F' ? *s - 'A' + 10 : -1;

		if (digit < 0)
			break;
		value = value << 4 | digit;
	}
	if (!digits || digits > 16 || s == end || (*s != ' ' && *s != '\t'))
		return false;
	while (s < end && (*s == ' ' || *s == '\t'))
		s++;
	*at = s;
	*value_ret = value;
	return true;
}

static bool is_type(const char *at, const char *end)
{
	return end - at >= 3 && (at[1] == ' ' || at[1] == '\t');
}

/* The end of the kernel's code is in the section of data after it on some processors. */
static bool is_end_of_code(const char *name, const char *end)
{
	return end - name == 6 && !memcmp(name, "_etext", 6);
}

/* Parse one line, without its newline. Malformed lines are skipped. */
static int add_nm_line(struct builder *builder, const char *at, const char *end, struct lines *lines)
{
	u64 start, size = 0;
	const char *retry;
	char type, *name = lines->names;

	if (!scan_hex(&at, end, &start))
		return 0;
	/* A second number is a size only if a type, a single letter, follows. */
	retry = at;
	if (!scan_hex(&at, end, &size) || !is_type(at, end)) {
		at = retry;
		size = 0;
	}
	if (!is_type(at, end))
		return 0;
	type = at[0];
	at += 2;
	while (at < end && *at == ' ')
		at++;
	if (at == end || (!strchr("tTwWi", type) && !is_end_of_code(at, end)))
		return 0;
	/* The kernel's symbols of the padding before functions, where no code runs. */
	if (end - at > 6 && !strncmp(at, "__pfx_", 6))
		return 0;
	/* Mapping symbols of arm64 ($x, $d): 6.1 lists those of modules, at the addresses of functions. */
	if (*at == '$')
		return 0;
	lines->nr_symbols++;
	lines->nr_nonzero += start != 0;
	if (start + size < start)
		size = 0;
	/* The names before this one are shorter than their lines. */
	memmove(name, at, end - at);
	name[end - at] = '\0';
	lines->names = name + (end - at) + 1;
	return builder_add(builder, &(struct raw_sym){
		start, start + size, 0, name, type == 'T' ? 0 : type == 't' ? 2 : 1 });
}

static int add_nm_lines(struct builder *builder, char *text, size_t len, struct lines *lines)
{
	char *end = text + len, *line_end, *trimmed;
	int error;

	for (; text < end; text = line_end + 1) {
		line_end = memchr(text, '\n', end - text) ?: end;
		trimmed = line_end;
		while (trimmed > text && (trimmed[-1] == '\r' || trimmed[-1] == ' '))
			trimmed--;
		error = add_nm_line(builder, text, trimmed, lines);
		if (error)
			return error;
	}
	return 0;
}

/* Gives the builder a block of the names alone: the rest of the text is much larger. */
static void own_names(struct builder *builder, char *text, size_t len)
{
	char *names = malloc(len + 1);
	size_t i;

	if (names) {
		memcpy(names, text, len);
		for (i = 0; i < builder->nr_syms; i++)
			builder->syms[i].name = names + (builder->syms[i].name - text);
		free(text);
	}
	builder_own(builder, names ?: text, len);	/* cannot fail: it is the first block */
}

static int create_text_index(int fd, bool is_kallsyms, struct sym_index **index_ret,
			     struct sym_error *error_ret)
{
	struct builder builder = { 0 };
	struct lines lines = { 0 };
	char *text = NULL;
	size_t len = 0;
	int error = read_all(fd, &text, &len, error_ret);

	if (error)
		return error;
	lines.names = text;
	if (!len)
		error = sym_fail(error_ret, -ENODATA, "empty");
	else if (memchr(text, '\0', len))
		error = sym_fail(error_ret, -EINVAL, "neither ELF nor text in the format of nm");
	else if (add_nm_lines(&builder, text, len, &lines))
		error = sym_fail(error_ret, -ENOMEM, "out of memory");
	else if (is_kallsyms && lines.nr_symbols && !lines.nr_nonzero)
		error = sym_fail(error_ret, -EACCES, "all addresses are hidden");
	else if (!lines.nr_symbols)
		error = sym_fail(error_ret, -ENODATA, "no line of the form 'ADDRESS T NAME'");
	own_names(&builder, text, lines.names - text);
	if (!error)
		error = builder_finish(&builder, index_ret, error_ret);
	builder_deinit(&builder);
	return error;
}

int sym_index_create_text(int fd, struct sym_index **index_ret, struct sym_error *error_ret)
{
	if (lseek(fd, 0, SEEK_SET) < 0 && errno != ESPIPE)
		return sym_fail(error_ret, -errno, "%s", strerror(errno));
	return create_text_index(fd, false, index_ret, error_ret);
}

int sym_index_create_kallsyms(const char *path, struct sym_index **index_ret,
			      struct sym_error *error_ret)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	int error;

	if (fd < 0)
		return sym_fail(error_ret, -errno, "%s", strerror(errno));
	error = create_text_index(fd, true, index_ret, error_ret);
	close(fd);
	return error;
}

/* The format of kallsyms: "name\t[module]". */
static bool is_of_module(const char *name, const char *module)
{
	const char *bracket = strrchr(name, '[');
	size_t len = strlen(module);

	return bracket && !strncmp(bracket + 1, module, len) && !strcmp(bracket + 1 + len, "]");
}

bool sym_index_module_range(const struct sym_index *index, const char *module, u64 *low_ret,
			    u64 *high_ret)
{
	u64 low = UINT64_MAX, high = 0;
	size_t i;

	for (i = 0; i < sym_index_size(index); i++) {
		const struct sym *sym = sym_index_at(index, i);

		if (!is_of_module(sym->name, module))
			continue;
		if (sym->start < low)
			low = sym->start;
		if (sym->end > high)
			high = sym->end;
	}
	if (low >= high)
		return false;
	*low_ret = low;
	*high_ret = high;
	return true;
}
