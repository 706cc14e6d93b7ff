#include "command.h"
static int proc_run(const struct command *c, char **argv) { (void)c; (void)argv; return 1; }
static const struct option_spec *const none[] = { NULL };
const struct command command_proc = { "proc", "TASK", "one process", none, proc_run };
