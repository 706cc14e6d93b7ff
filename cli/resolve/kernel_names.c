// SPDX-License-Identifier: GPL-2.0-only
/* Names of kernel addresses: see kernel_names.h. */
#include <elf.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "resolve/kernel_names.h"

void kernel_names_init(struct kernel_names *names, const char *kallsyms, const char *modules)
{
	memset(names, 0, sizeof(*names));
	names->kallsyms = kallsyms ? kallsyms : "/proc/kallsyms";
	names->modules_path = modules ? modules : "/proc/modules";
}

void kernel_names_deinit(struct kernel_names *names)
{
	sym_index_destroy(names->index);
	sym_compact_destroy(names->compact);
	sym_maps_deinit(&names->modules);
	intern_deinit(&names->by_name);
	names->index = NULL;
	names->compact = NULL;
}

static int read_index(struct kernel_names *names)
{
	int error;

	if (names->is_compact)
		return sym_compact_create_kallsyms(names->kallsyms, &names->compact, &names->text_start,
						   &names->text_end, NULL);
	error = sym_index_create_kallsyms(names->kallsyms, &names->index, NULL);
	if (error)
		return error;
	if (!sym_index_by_name(names->index, "_stext", &names->text_start))
		names->text_start = 0;
	if (!sym_index_by_name(names->index, "_etext", &names->text_end))
		names->text_end = UINT64_MAX;
	return 0;
}

static void read_kernel_names(struct kernel_names *names, u32 round)
{
	names->read_round = round;
	kernel_names_deinit(names);
	names->is_hidden = read_index(names) != 0;
	if (!names->is_hidden)
		sym_modules_read(names->modules_path, &names->modules);
}

/* Finds the symbol at an address. @text: memory for its name. False: none. */
static bool find_symbol(const struct kernel_names *names, u64 addr, struct sym *sym_ret,
			char text[SYM_COMPACT_NAME])
{
	const struct sym *sym;

	if (names->compact)
		return sym_compact_find(names->compact, addr, sym_ret, text);
	sym = sym_index_find(names->index, addr);
	if (sym)
		*sym_ret = *sym;
	return sym;
}

void kernel_names_split(const struct sym *sym, char *name_ret, size_t name_len, char *module_ret,
			size_t module_len)
{
	char *bracket;
	size_t len;

	sym_name(sym, name_ret, name_len);
	module_ret[0] = '\0';
	bracket = strrchr(name_ret, '[');
	len = strlen(name_ret);
	if (!bracket || bracket == name_ret || bracket[-1] != ' ' || name_ret[len - 1] != ']')
		return;
	name_ret[len - 1] = '\0';
	snprintf(module_ret, module_len, "%s", bracket + 1);
	bracket[-1] = '\0';
}

/* Returns the module that contains an address. NULL: none. */
static const struct sym_map *find_kernel_module(const struct kernel_names *names, u64 addr)
{
	size_t low = 0, high = names->modules.nr;

	while (low < high) {
		size_t middle = low + (high - low) / 2;
		const struct sym_map *map = &names->modules.maps[middle];

		if (addr < map->start)
			high = middle;
		else if (addr >= map->end)
			low = middle + 1;
		else
			return map;
	}
	return NULL;
}

static bool is_known_kernel_addr(const struct kernel_names *names, u64 addr)
{
	char text[SYM_COMPACT_NAME], name[256], module[64];
	struct sym sym;

	if (addr >= names->text_start && addr < names->text_end)
		return true;
	if (find_kernel_module(names, addr))
		return true;
	/*
	 * A symbol before a gap seems to reach up to the next symbol. Outside all known text, only
	 * symbols of generated code, which have a "[module]", count.
	 */
	if (!find_symbol(names, addr, &sym, text))
		return false;
	kernel_names_split(&sym, name, sizeof(name), module, sizeof(module));
	return module[0];
}

static void describe_place(const struct kernel_names *names, u64 addr, u64 looked_up,
			   struct kernel_place *place)
{
	char text[SYM_COMPACT_NAME];
	struct sym sym;
	bool has_symbol = find_symbol(names, looked_up, &sym, text);
	const struct sym_map *module = find_kernel_module(names, looked_up);
	u64 start = names->text_start;

	memset(place, 0, sizeof(*place));
	if (has_symbol)
		kernel_names_split(&sym, place->function, sizeof(place->function), place->module,
				   sizeof(place->module));
	if (module) {
		start = module->start;
		/* A symbol that begins before the module does not belong to it. */
		if (strcmp(place->module, module->path))
			place->function[0] = '\0';
		snprintf(place->module, sizeof(place->module), "%s", module->path);
	} else if (place->module[0]) {
		start = 0;	/* generated at run time: its address means nothing */
	} else if (looked_up < names->text_start || looked_up >= names->text_end) {
		place->function[0] = '\0';
	}
	if (has_symbol && place->function[0])
		place->function_addr = start ? sym.entry - start : 0;
	if (start)
		place->addr = addr - start;
	else if (has_symbol)
		place->addr = addr - sym.entry;
}

bool kernel_names_find(struct kernel_names *names, u64 addr, bool is_return, u32 round,
		       struct kernel_place *place_ret)
{
	u64 looked_up = addr - is_return;

	if (!names->read_round)
		read_kernel_names(names, round);
	/* The address may belong to a module or BPF program loaded since the last reading. */
	if (!names->is_hidden && round - names->read_round >= KERNEL_NAMES_ROUNDS &&
	    !is_known_kernel_addr(names, looked_up))
		read_kernel_names(names, round);
	if (names->is_hidden)
		return false;
	describe_place(names, addr, looked_up, place_ret);
	return true;
}

/* Compares up to a dot: compilers add ".isra.0" and the like to functions that they change. */
static bool has_base_name(const char *text, const char *name)
{
	size_t len;

	/* Nearly all names differ in the first letter. */
	if (*text != *name)
		return false;
	len = strlen(name);
	return !strncmp(text, name, len) && (!text[len] || text[len] == '.');
}

/* Vectors of arm64, from Linux 5.14: interrupts of the kernel, of 64-bit and of 32-bit programs. */
static bool is_vector(const char *function)
{
	return !strcmp(function, "el1h_64_irq") || !strcmp(function, "el1h_64_fiq") ||
	       !strcmp(function, "el0t_64_irq") || !strcmp(function, "el0t_64_fiq") ||
	       !strcmp(function, "el0t_32_irq") || !strcmp(function, "el0t_32_fiq");
}

/*
 * From Linux 5.8, these stubs are the first functions of an interrupt on a stack. With FRED (6.9),
 * one stub takes exceptions too; fred_extint() is then the first function for interrupts only.
 */
bool kernel_names_is_irq(const char *function)
{
	return !strncmp(function, "asm_sysvec_", 11) ||
	       has_base_name(function, "asm_common_interrupt") ||
	       has_base_name(function, "asm_spurious_interrupt") ||
	       has_base_name(function, "asm_exc_xen_hypervisor_callback") ||
	       has_base_name(function, "fred_extint") || is_vector(function);
}

/* handle_softirqs() is new in 6.10, was backported to 6.1 and 6.6, and may be inlined. */
bool kernel_names_is_softirq(const char *function)
{
	return has_base_name(function, "__do_softirq") ||
	       has_base_name(function, "handle_softirqs") ||
	       has_base_name(function, "__softirqentry_text_start");
}

static u32 parse_build_id(const u8 *bytes, size_t len, u8 build_id_ret[32])
{
	Elf64_Nhdr note;
	size_t at = 0, name_len, desc_len;

	while (len - at > sizeof(note)) {
		memcpy(&note, bytes + at, sizeof(note));
		at += sizeof(note);
		name_len = ((size_t)note.n_namesz + 3) & ~3UL;
		desc_len = ((size_t)note.n_descsz + 3) & ~3UL;
		if (name_len > len - at || desc_len > len - at - name_len)
			return 0;
		if (note.n_type == NT_GNU_BUILD_ID && note.n_namesz == 4 &&
		    !memcmp(bytes + at, "GNU", 4) && note.n_descsz <= 32) {
			memcpy(build_id_ret, bytes + at + name_len, note.n_descsz);
			return note.n_descsz;
		}
		at += name_len + desc_len;
	}
	return 0;
}

u32 kernel_names_build_id_of(const char *path, u8 build_id_ret[32])
{
	u8 bytes[4096];
	ssize_t len;
	int fd;

	fd = open(path, O_RDONLY | O_CLOEXEC);
	len = fd < 0 ? 0 : read(fd, bytes, sizeof(bytes));
	if (fd >= 0)
		close(fd);
	return len > 0 ? parse_build_id(bytes, len, build_id_ret) : 0;
}

u32 kernel_names_build_id(const char *module, u8 build_id_ret[32])
{
	char path[160] = KERNEL_NOTES;

	if (strchr(module, '/'))
		return 0;
	if (module[0])
		snprintf(path, sizeof(path), "/sys/module/%s/notes/.note.gnu.build-id", module);
	return kernel_names_build_id_of(path, build_id_ret);
}
