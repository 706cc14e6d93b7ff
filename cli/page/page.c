// SPDX-License-Identifier: GPL-2.0-only
/* Assembly of the page: see page.h. The assembler finds the files from the top directory. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "page/page.h"
#include "utf8.h"

#define BEGIN(name)	name ":\n"
#define FILE_OF(name)	".incbin \"cli/page/assets/" name "\"\n"
#define END		".byte 0\n"

/* The files, unchanged; each text ends with a NUL. */
extern const char page_frame[], page_style[], page_common[];
extern const char page_stacks_body[], page_stacks_script[];
extern const char page_proc_body[], page_proc_script[];
extern const char page_sys_body[], page_sys_script[];
extern const char page_trace_body[], page_trace_script[];

asm(".pushsection .rodata\n"
    BEGIN("page_frame") FILE_OF("page.html") END
    BEGIN("page_style") FILE_OF("page.css") END
    BEGIN("page_common") FILE_OF("numbers.js") FILE_OF("header.js") FILE_OF("tables.js") FILE_OF("tip.js") END
    BEGIN("page_stacks_body") FILE_OF("stacks.html") END
    BEGIN("page_stacks_script")
    FILE_OF("profile.js") FILE_OF("rows.js") FILE_OF("flame.js") FILE_OF("flame_input.js")
    FILE_OF("graph.js") FILE_OF("stacks.js")
    END
    BEGIN("page_proc_body") FILE_OF("proc.html") END
    BEGIN("page_proc_script") FILE_OF("histogram.js") FILE_OF("listing.js") FILE_OF("proc.js") END
    BEGIN("page_sys_body") FILE_OF("sys.html") END
    BEGIN("page_trace_body") FILE_OF("trace.html") END
    BEGIN("page_trace_script") FILE_OF("timeline.js") FILE_OF("timeline_input.js") FILE_OF("trace.js") END
    BEGIN("page_sys_script") FILE_OF("sys.js") END
    ".popsection");

/** Body and script of each kind of page. */
static const struct { const char *body, *script; } parts[] = {
	[PAGE_STACKS] = { page_stacks_body, page_stacks_script },
	[PAGE_PROC] = { page_proc_body, page_proc_script },
	[PAGE_SYS] = { page_sys_body, page_sys_script },
	[PAGE_TRACE] = { page_trace_body, page_trace_script },
};

/* Write the frame up to a placeholder. Returns the rest of the frame, after the placeholder. */
static const char *put_until(FILE *out, const char *frame, const char *mark)
{
	const char *at = strstr(frame, mark);

	fwrite(frame, 1, at - frame, out);
	return at + strlen(mark);
}

void page_json(FILE *out, const char *json)
{
	const char *begin;
	u32 c;

	while (*json) {
		begin = json;
		c = utf8_read(&json);
		/* Older parsers of JavaScript take the last two for line ends. */
		if (c == '<' || c == '>' || c == '&' || c == 0x2028 || c == 0x2029)
			fprintf(out, "\\u%04x", c);
		else
			fwrite(begin, 1, json - begin, out);
	}
}

static int write_page(FILE *out, enum page_kind kind, const char *data)
{
	const char *rest = page_frame;

	errno = 0;
	rest = put_until(out, rest, "@STYLE@");
	fputs(page_style, out);
	rest = put_until(out, rest, "@BODY@");
	fputs(parts[kind].body, out);
	rest = put_until(out, rest, "@DATA@");
	page_json(out, data);
	rest = put_until(out, rest, "@SCRIPT@");
	fputs(page_common, out);
	fputs(parts[kind].script, out);
	fputs(rest, out);
	if (fflush(out) || ferror(out))
		return errno ? -errno : -EIO;
	return 0;
}

int page_write(FILE *out, enum page_kind kind, page_data put_data, const void *context)
{
	char *data = NULL;
	size_t len;
	FILE *memory = open_memstream(&data, &len);
	int error;

	if (!memory)
		return -ENOMEM;
	error = put_data(memory, context);
	if (fclose(memory) && !error)
		error = -ENOMEM;
	if (!error)
		error = write_page(out, kind, data);
	free(data);
	return error;
}
