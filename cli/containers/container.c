// SPDX-License-Identifier: GPL-2.0-only
/* Containers, pods and units from the path of a control group: see container.h. */
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "base/fnv.h"
#include "containers/container.h"

#define HASH_LEN	64	/* digits of an id */
#define HASH_LEN_CUT	12	/* least digits of an id that the module has cut */
#define CUT_LEN		31	/* bytes that the module keeps of a name */
#define COMPONENT_LEN	256
#define ENDING_LEN	10	/* of a label that was cut: "~", 8 digits, NUL */

/** A component of the path, and what came before it. */
struct step {
	const char *name;	/* NUL-terminated */
	const char *parent;	/* "": none */
	bool is_alone;		/* the path is this name, which may be cut */
};

/** A prefix of components that hold the id of a container. */
struct prefix {
	const char *text;
	enum container_runtime runtime;
};

/* "crio-conmon-ID" and "libpod-conmon-ID" are monitors outside the container: no id follows the prefix. */
static const struct prefix prefixes[] = {
	{ "docker-", CONTAINER_DOCKER },
	{ "cri-containerd-", CONTAINER_CONTAINERD },
	{ "nerdctl-", CONTAINER_CONTAINERD },
	{ "containerd-", CONTAINER_CONTAINERD },
	{ "crio-", CONTAINER_CRIO },
	{ "libpod-payload-", CONTAINER_PODMAN },
	{ "libpod-", CONTAINER_PODMAN },
	{ NULL }
};

/* Directories that a runtime makes for groups whose name is the bare id. */
static const struct prefix parents[] = {
	{ "docker", CONTAINER_DOCKER },
	{ "moby", CONTAINER_DOCKER },
	{ "default", CONTAINER_CONTAINERD },
	{ "k8s.io", CONTAINER_CONTAINERD },
	{ "libpod_parent", CONTAINER_PODMAN },
	{ NULL }
};

static bool has_prefix(const char *text, const char *prefix)
{
	return !strncmp(text, prefix, strlen(prefix));
}

static bool has_suffix(const char *text, const char *suffix)
{
	size_t len = strlen(text), suffix_len = strlen(suffix);

	return len > suffix_len && !strcmp(text + len - suffix_len, suffix);
}

/* Copy a text, without the last @nr_dropped bytes. */
static void copy_text(char *to, size_t len, const char *from, size_t nr_dropped)
{
	snprintf(to, len, "%.*s", (int)(strlen(from) - nr_dropped), from);
}

static size_t count_hex(const char *text)
{
	return strspn(text, "0123456789abcdef");
}

static void set_container(struct container *container, enum container_runtime runtime, const char *id,
			  size_t nr_dropped, bool has_hash)
{
	container->runtime = runtime;
	container->has_hash = has_hash;
	copy_text(container->id, sizeof(container->id), id, nr_dropped);
}

/* "PREFIX-ID", "PREFIX-ID.scope" */
static bool parse_prefixed(struct container *container, const char *name)
{
	const struct prefix *prefix;

	for (prefix = prefixes; prefix->text; prefix++) {
		const char *id = name + strlen(prefix->text);
		size_t nr_hex;

		if (!has_prefix(name, prefix->text))
			continue;
		nr_hex = count_hex(id);
		if (nr_hex < HASH_LEN_CUT || nr_hex > HASH_LEN || (id[nr_hex] && strcmp(id + nr_hex, ".scope")))
			continue;
		set_container(container, prefix->runtime, id, strlen(id + nr_hex), true);
		return true;
	}
	return false;
}

/* A bare id, below a directory that tells the runtime. Shorter names of digits are no ids. */
static bool parse_bare(struct container *container, const struct step *step)
{
	enum container_runtime runtime = CONTAINER_UNKNOWN;
	const struct prefix *parent;
	size_t nr_hex = count_hex(step->name);

	if (step->name[nr_hex] || (nr_hex != HASH_LEN && !(step->is_alone && nr_hex == CUT_LEN)))
		return false;
	/* Kubelet gives cri-o's groups a prefix; those without one are containerd's. */
	if (has_prefix(step->parent, "pod"))
		runtime = CONTAINER_CONTAINERD;
	for (parent = parents; parent->text; parent++)
		if (!strcmp(step->parent, parent->text))
			runtime = parent->runtime;
	set_container(container, runtime, step->name, 0, true);
	return true;
}

/* Undo systemd's escapes, "\x2d" for a '-', in place. */
static void unescape(char *text)
{
	char *to = text;
	unsigned int byte;

	while (*text) {
		if (text[0] == '\\' && text[1] == 'x' && isxdigit((unsigned char)text[2]) &&
		    isxdigit((unsigned char)text[3]) && sscanf(text + 2, "%2x", &byte) == 1 && byte >= ' ') {
			*to++ = byte;
			text += 4;
		} else {
			*to++ = *text++;
		}
	}
	*to = '\0';
}

static bool parse_machine(struct container *container, const char *name)
{
	if (has_prefix(name, "systemd-nspawn@") && has_suffix(name, ".service"))
		set_container(container, CONTAINER_NSPAWN, name + strlen("systemd-nspawn@"),
			      strlen(".service"), false);
	else if (has_prefix(name, "machine-") && has_suffix(name, ".scope"))
		set_container(container, CONTAINER_MACHINE, name + strlen("machine-"), strlen(".scope"), false);
	else
		return false;
	unescape(container->id);
	return true;
}

/* "/lxc/NAME", "/lxc.payload/NAME", "/lxc.payload.NAME"; "lxc.monitor" is outside the container. */
static bool parse_lxc(struct container *container, const struct step *step)
{
	const char *name = step->name;

	if (has_prefix(name, "lxc.payload."))
		name += strlen("lxc.payload.");
	else if (strcmp(step->parent, "lxc") && strcmp(step->parent, "lxc.payload"))
		return false;
	if (!name[0])
		return false;
	set_container(container, CONTAINER_LXC, name, 0, false);
	return true;
}

/* Whether a text is a uid of a pod: 8-4-4-4-12 digits with @dash between them, or 32 digits. */
static bool is_uid(const char *text, char dash)
{
	static const char dashes[] = "        -    -    -    -            ";
	size_t i;

	if (count_hex(text) == 32 && !text[32])
		return true;
	for (i = 0; dashes[i]; i++)
		if (dashes[i] == '-' ? text[i] != dash : !text[i] || !strchr("0123456789abcdef", text[i]))
			return false;
	return !text[i];
}

/* Set the pod if the text is "podUID"; in slices the uid has '_'. */
static void parse_pod(struct container *container, const char *text)
{
	char *at;

	if (!has_prefix(text, "pod") || (!is_uid(text + 3, '-') && !is_uid(text + 3, '_')))
		return;
	copy_text(container->pod, sizeof(container->pod), text + 3, 0);
	for (at = container->pod; *at; at++)
		if (*at == '_')
			*at = '-';
}

/* A slice of kubelet, "kubepods-burstable-podUID.slice", or of podman, "machine-libpod_pod_ID.slice". */
static void parse_slice(struct container *container, const char *slice)
{
	char name[COMPONENT_LEN];
	const char *pod = strstr(slice, "libpod_pod_");

	copy_text(name, sizeof(name), slice, strlen(".slice"));
	if (pod && count_hex(pod + strlen("libpod_pod_")) >= HASH_LEN_CUT) {
		copy_text(container->pod, sizeof(container->pod), name + (pod - slice) + strlen("libpod_pod_"), 0);
		return;
	}
	if (!strstr(name, "kubepods"))
		return;
	pod = strstr(name, "-pod");
	if (pod)
		parse_pod(container, pod + 1);
}

/* "kubepods-burstable-podUID.slice:cri-containerd:ID", if kubelet and containerd use different drivers. */
static bool parse_colons(struct container *container, const char *name)
{
	const char *first = strchr(name, ':'), *last = strrchr(name, ':');
	char text[COMPONENT_LEN];

	if (!first || first == last)
		return false;
	snprintf(text, sizeof(text), "%.*s-%s", (int)(last - first - 1), first + 1, last + 1);
	if (!parse_prefixed(container, text))
		return false;
	copy_text(text, sizeof(text), name, strlen(first));
	if (has_suffix(text, ".slice"))
		parse_slice(container, text);
	return true;
}

static bool is_unit(const char *name)
{
	return has_suffix(name, ".service") || has_suffix(name, ".scope") || has_suffix(name, ".socket") ||
	       has_suffix(name, ".mount") || has_suffix(name, ".swap");
}

static void parse_unit(struct container *container, const char *name)
{
	if (has_suffix(name, ".slice")) {
		if (!container->unit[0])
			copy_text(container->slice, sizeof(container->slice), name, 0);
	} else if (!is_unit(name)) {
		return;
	} else if (!container->unit[0]) {
		copy_text(container->unit, sizeof(container->unit), name, 0);
	} else if (!container->user_unit[0] && has_prefix(container->unit, "user@")) {
		copy_text(container->user_unit, sizeof(container->user_unit), name, 0);
	}
}

static void parse_step(struct container *container, const struct step *step, bool is_kubelet)
{
	const char *name = step->name;

	if (!container->runtime)
		parse_unit(container, name);
	if (has_suffix(name, ".slice"))
		parse_slice(container, name);
	if (is_kubelet)
		parse_pod(container, name);
	if (!parse_prefixed(container, name) && !parse_colons(container, name) &&
	    !parse_bare(container, step) && !parse_machine(container, name))
		parse_lxc(container, step);
}

/* The path in a line of /proc/PID/cgroup, "4:cpu,cpuacct:/docker/ID"; a path itself otherwise. */
static const char *skip_hierarchy(const char *path)
{
	size_t nr_digits = strspn(path, "0123456789");
	const char *colon = nr_digits && path[nr_digits] == ':' ? strstr(path + nr_digits, ":/") : NULL;

	return colon ? colon + 1 : path;
}

void container_parse(const char *path, struct container *container_ret)
{
	char names[2][COMPONENT_LEN] = { "", "" };
	const char *at = skip_hierarchy(path);
	bool is_kubelet = false, is_alone = !strchr(at, '/');
	int turn = 0;

	memset(container_ret, 0, sizeof(*container_ret));
	while (*(at += strspn(at, "/"))) {
		size_t len = strcspn(at, "/");
		const struct step step = { names[turn], names[!turn], is_alone };

		snprintf(names[turn], COMPONENT_LEN, "%.*s", (int)len, at);
		parse_step(container_ret, &step, is_kubelet);
		is_kubelet |= strstr(step.name, "kubepods") != NULL;
		turn = !turn;
		at += len;
	}
}

const char *container_runtime_name(enum container_runtime runtime)
{
	static const char *const names[] = {
		[CONTAINER_NONE] = "", [CONTAINER_DOCKER] = "docker", [CONTAINER_CONTAINERD] = "containerd",
		[CONTAINER_CRIO] = "cri-o", [CONTAINER_PODMAN] = "podman", [CONTAINER_LXC] = "lxc",
		[CONTAINER_NSPAWN] = "nspawn", [CONTAINER_MACHINE] = "machine",
		[CONTAINER_UNKNOWN] = "unknown",
	};

	return names[runtime];
}

const char *container_short_id(const struct container *container, char text[CONTAINER_ID_LEN])
{
	snprintf(text, CONTAINER_ID_LEN, "%.*s",
		 container->has_hash ? CONTAINER_SHORT_LEN - 1 : CONTAINER_ID_LEN - 1, container->id);
	return text;
}

/* A text that does not fit ends in a hash of all of it: other groups may begin as it does. */
static void put_label(char label_ret[CONTAINER_LABEL_LEN], const char *first, const char *slash, const char *last)
{
	int len = snprintf(label_ret, CONTAINER_LABEL_LEN, "%s%s%s", first, slash, last);
	u64 hash;

	if (len < CONTAINER_LABEL_LEN)
		return;
	hash = 3 * fnv_hash(first, strlen(first)) + fnv_hash(last, strlen(last));
	snprintf(label_ret + CONTAINER_LABEL_LEN - ENDING_LEN, ENDING_LEN, "~%08x", (u32)hash);
}

void container_label(const struct container *container, const char *path, const char *name,
		     char label_ret[CONTAINER_LABEL_LEN])
{
	char id[CONTAINER_ID_LEN];

	if (container->runtime)
		snprintf(label_ret, CONTAINER_LABEL_LEN, "%s %s",
			 container->runtime == CONTAINER_UNKNOWN ? "container" :
			 container_runtime_name(container->runtime),
			 name && name[0] ? name : container_short_id(container, id));
	else if (container->pod[0])
		snprintf(label_ret, CONTAINER_LABEL_LEN, "pod %s", container->pod);
	else if (container->user_unit[0])
		put_label(label_ret, container->unit, "/", container->user_unit);
	else if (container->unit[0])
		put_label(label_ret, container->unit, "", "");
	else
		put_label(label_ret, skip_hierarchy(path), "", "");
}
