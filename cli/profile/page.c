// SPDX-License-Identifier: GPL-2.0-only
/* The files in cli/profile/page: see page.h. The assembler finds them from the top folder. */
#include "profile/page.h"

#define BEGIN(name)	".globl " name "\n" name ":\n"
#define FILE_OF(name)	".incbin \"cli/profile/page/" name "\"\n"
#define END		".byte 0\n"

asm(".pushsection .rodata\n"
    BEGIN("page_html") FILE_OF("page.html") END
    BEGIN("page_css") FILE_OF("page.css") END
    BEGIN("page_js")
    FILE_OF("data.js") FILE_OF("tables.js") FILE_OF("rows.js") FILE_OF("flame.js")
    FILE_OF("flame_input.js") FILE_OF("graph.js") FILE_OF("page.js")
    END
    ".popsection");
