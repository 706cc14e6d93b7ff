// SPDX-License-Identifier: GPL-2.0-only
/* Changes of maps: see space_changes.h. */
#include <linux/log2.h>
#include <linux/mm.h>

#include "space_changes.h"
#include "space_maps.h"
#include "space_objects.h"

/* A map of so many mappings is searched for those that have gone before it grows, and at each doubling. */
#define MAPPINGS_SEARCHED	32

static bool is_vdso(struct vm_area_struct *vma)
{
	const char *name;

	/* The kernel sets mm->context.vdso only after the mapping is made. */
	if (vma->vm_file || !vma->vm_ops || !vma->vm_ops->name)
		return false;
	name = vma->vm_ops->name(vma);
	return name && !strcmp(name, "[vdso]");
}

/* Whether the mapping is code of an object. To open other files than regular ones would have effects. */
static bool is_code(struct vm_area_struct *vma)
{
	if (!(vma->vm_flags & VM_EXEC))
		return false;
	if (!vma->vm_file)
		return is_vdso(vma);
	return S_ISREG(file_inode(vma->vm_file)->i_mode) &&
		vma->vm_pgoff + vma_pages(vma) <= U32_MAX;
}

/* The object of a mapping of code, with one more user. */
static int get_object(struct vm_area_struct *vma)
{
	return vma->vm_file ? maps_get_object(vma->vm_file) : OBJECT_VDSO;
}

static struct mapping mapping_of(struct vm_area_struct *vma, u32 object)
{
	return (struct mapping){
		.start = vma->vm_start, .end = vma->vm_end, .object = object,
		.first_page = object == OBJECT_VDSO ? 0 : vma->vm_pgoff,
	};
}

bool changes_walk(struct mm_struct *mm)
{
	VMA_ITERATOR(count, mm, 0);
	VMA_ITERATOR(fill, mm, 0);
	struct vm_area_struct *vma;
	struct shared_map *shared;
	u32 nr = 0;
	bool is_published;
	int object;

	for_each_vma(count, vma)
		nr += is_code(vma);
	shared = maps_allocate(nr);
	if (!shared)
		return false;
	for_each_vma(fill, vma) {
		object = is_code(vma) && shared->map.nr < nr ? get_object(vma) : -ENOENT;
		if (object >= 0)
			shared->map.at[shared->map.nr++] = mapping_of(vma, object);
	}
	rcu_read_lock();
	is_published = maps_publish(mm, NULL, shared);
	rcu_read_unlock();
	return is_published;
}

/* Number of the first mapping that ends after @addr. */
static u32 first_after(const struct space_map *map, unsigned long addr)
{
	u32 low = 0, high = map->nr, middle;

	while (low < high) {
		middle = (low + high) / 2;
		if (map->at[middle].end > addr)
			high = middle;
		else
			low = middle + 1;
	}
	return low;
}

static void append(struct space_map *map, const struct mapping *mapping, unsigned long start,
		   unsigned long end)
{
	struct mapping part = *mapping;

	if (start >= end)
		return;
	if (part.object != OBJECT_VDSO)
		part.first_page += (start - part.start) >> PAGE_SHIFT;
	part.start = start;
	part.end = end;
	map->at[map->nr++] = part;
}

/*
 * Copy @old with the range of @more replaced: by @more if that @is_code, else by nothing. @to has room for
 * two mappings more than @old has.
 */
static void overlay(struct space_map *to, const struct space_map *old, const struct mapping *more,
		    bool is_code)
{
	u32 first = first_after(old, more->start), i;

	to->nr = 0;
	for (i = 0; i < first; i++)
		to->at[to->nr++] = old->at[i];
	if (i < old->nr)
		append(to, &old->at[i], old->at[i].start, min(old->at[i].end, more->start));
	if (is_code)
		append(to, more, more->start, more->end);
	for (; i < old->nr; i++)
		append(to, &old->at[i], max(old->at[i].start, more->end), old->at[i].end);
}

/* Whether a process still maps code in some part of where its map says so. */
static bool is_mapped(struct mm_struct *mm, const struct mapping *mapping)
{
	VMA_ITERATOR(parts, mm, mapping->start);
	struct vm_area_struct *vma;

	for_each_vma_range(parts, vma, mapping->end)
		if (is_code(vma))
			return true;
	return false;
}

/*
 * Memory that is unmapped calls no hook. Search for its mappings when the map would become longer than a
 * power of two: a process that loads and unloads libraries at ever new addresses keeps a short map.
 */
static const struct shared_map *drop_unmapped(struct mm_struct *mm, const struct shared_map *old)
{
	struct shared_map *shared = maps_allocate(old->map.nr);
	u32 i;

	if (!shared)
		return old;
	for (i = 0; i < old->map.nr; i++)
		if (is_mapped(mm, &old->map.at[i]))
			shared->map.at[shared->map.nr++] = old->map.at[i];
	maps_publish(mm, old, shared);
	return maps_find(mm);
}

/* Whether the map needs no change for @vma. */
static bool is_noted(const struct space_map *map, struct vm_area_struct *vma, bool is_code)
{
	u32 i = first_after(map, vma->vm_start);
	const struct mapping *at = &map->at[i];

	if (!is_code)
		return i == map->nr || at->start >= vma->vm_end;
	if (i == map->nr || at->start != vma->vm_start || at->end != vma->vm_end)
		return false;
	if (!vma->vm_file)
		return at->object == OBJECT_VDSO;
	return at->first_page == vma->vm_pgoff && maps_is_object(at->object, vma->vm_file);
}

/* Replace the range of @more; false: the map is another one now. */
static bool change(struct mm_struct *mm, const struct mapping *more, bool is_code)
{
	const struct shared_map *old = maps_find(mm);
	struct shared_map *shared;
	u32 nr;

	if (!old)
		return true;
	nr = old->map.nr;
	if (is_code && nr >= MAPPINGS_SEARCHED && is_power_of_2(nr)) {
		old = drop_unmapped(mm, old);
		if (!old)
			return true;
	}
	shared = maps_allocate(old->map.nr + 2);
	if (!shared) {
		maps_drop(mm);
		return true;
	}
	overlay(&shared->map, &old->map, more, is_code);
	return maps_publish(mm, old, shared);
}

void changes_note(struct vm_area_struct *vma)
{
	const struct shared_map *old;
	bool is_object = is_code(vma);
	struct mapping more;
	int object = -ENOENT;

	rcu_read_lock();
	old = maps_find(vma->vm_mm);
	if (!old || is_noted(&old->map, vma, is_object))
		goto unlock;
	if (is_object)
		object = get_object(vma);
	more = mapping_of(vma, max(object, 0));
	while (!change(vma->vm_mm, &more, object >= 0))
		;
	if (object >= 0)
		maps_put_object(object);
unlock:
	rcu_read_unlock();
}
