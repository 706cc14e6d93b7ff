// SPDX-License-Identifier: GPL-2.0-only
/* Tables of a session: see unwinding.h. */
#include <linux/log2.h>
#include <linux/mm.h>
#include <linux/sizes.h>
#include <linux/slab.h>
#include <linux/uaccess.h>

#include "check.h"
#include "param.h"
#include "quota.h"
#include "unwinding.h"

/* A table that a sample used so recently does not give way to another one. */
#define IN_USE		HZ
/* A table that found no room is asked for again after this time. */
#define REFUSED_FOR	(10 * HZ)
/* Unknown processes are looked for again at most this often. */
#define SCAN_EVERY	HZ

static struct param unwind_mib = { .value = 16, .least = 1, .most = 65536 };
PARAM(unwind_mib, "limit on the memory of all unwinding tables together, in MiB (16)");

/* Memory of the tables of all sessions, in bytes. */
static atomic64_t used_by_all;

static u64 limit_of_all(void)
{
	return (u64)unwind_mib.value << 20;
}

/* A quarter is reserved for full access. */
static u64 limit_for(const struct session *session)
{
	return session->access.is_full ? limit_of_all() : limit_of_all() / 4 * 3;
}

static u64 state_of(u32 seq, enum slot_state state)
{
	return (u64)seq << 32 | state;
}

struct unwinding *unwinding_allocate(void)
{
	struct unwinding *unwinding = kvzalloc(sizeof(*unwinding), SESSION_GFP);

	if (!unwinding)
		return NULL;
	unwinding->memos = alloc_percpu_gfp(struct unwind_memos, SESSION_GFP | __GFP_ZERO);
	if (unwinding->memos)
		return unwinding;
	kvfree(unwinding);
	return NULL;
}

void unwinding_free(struct unwinding *unwinding)
{
	free_percpu(unwinding->memos);
	kvfree(unwinding);
}

static u64 memory_of_unwinding(void)
{
	return quota_memory_of(sizeof(struct unwinding)) +
		num_possible_cpus() * sizeof(struct unwind_memos);
}

int unwinding_create(struct session *session, struct cpuprobe_start *start)
{
	struct unwinding *unwinding;
	int error;

	if (quota_charge(session, memory_of_unwinding()))
		return check_refuse(start, CPUPROBE_REASON_MEMORY, -ENOMEM);
	unwinding = unwinding_allocate();
	if (!unwinding) {
		error = -ENOMEM;
		goto uncharge;
	}
	error = spaces_get();
	if (error)
		goto free;
	mutex_init(&unwinding->lock);
	INIT_LIST_HEAD(&unwinding->tables);
	INIT_LIST_HEAD(&unwinding->retired);
	unwinding->limit_bytes = start->unwind_kib ? (u64)start->unwind_kib << 10 : limit_of_all();
	unwinding->scanned = jiffies;
	session->unwinding = unwinding;
	return 0;

free:
	unwinding_free(unwinding);
	if (error == -EOPNOTSUPP)
		start->reason = CPUPROBE_REASON_NO_HOOKS;
	else if (error == -EBUSY)
		start->reason = CPUPROBE_REASON_UNHOOKING;
uncharge:
	quota_uncharge(session, memory_of_unwinding());
	return error;
}

static void free_table(struct session *session, struct unwind_table *table)
{
	list_del(&table->link);
	session->unwinding->used_bytes -= table->bytes;
	atomic64_sub(table->bytes, &used_by_all);
	quota_uncharge(session, table->bytes);
	kvfree(table);
}

static void free_tables(struct session *session, struct list_head *tables)
{
	struct unwind_table *table, *next;

	list_for_each_entry_safe(table, next, tables, link)
		free_table(session, table);
}

void unwinding_destroy(struct session *session)
{
	struct unwinding *unwinding = session->unwinding;

	if (!unwinding)
		return;
	free_tables(session, &unwinding->tables);
	free_tables(session, &unwinding->retired);
	spaces_put();
	mutex_destroy(&unwinding->lock);
	unwinding_free(unwinding);
	quota_uncharge(session, memory_of_unwinding());
	session->unwinding = NULL;
}

u32 unwinding_miss(struct unwinding *unwinding, u32 object, u32 seq)
{
	struct unwind_slot *slot = &unwinding->slot[object];
	u64 state = atomic64_read(&slot->state);

	if (state >> 32 == seq && (u32)state != SLOT_UNASKED) {
		if ((u32)state != SLOT_NO_BUDGET)
			return CPUPROBE_STACK_NO_TABLE;
		if (jiffies - READ_ONCE(slot->refused) < REFUSED_FOR)
			return CPUPROBE_STACK_NO_BUDGET;
	}
	if (atomic64_cmpxchg(&slot->state, state, state_of(seq, SLOT_NEEDED)) == state) {
		set_bit(object, unwinding->needed);
		/* Pairs with the barrier in take_needed(). */
		smp_wmb();
		WRITE_ONCE(unwinding->is_needed, true);
	}
	return CPUPROBE_STACK_NO_TABLE;
}

/* Change the state, unless a sample has changed it for another file with that number. */
static void set_state(struct unwinding *unwinding, u32 object, u32 seq, enum slot_state from,
		      enum slot_state to)
{
	atomic64_cmpxchg(&unwinding->slot[object].state, state_of(seq, from), state_of(seq, to));
}

/* Returns the number of a needed object, or SPACES_OBJECTS. */
static u32 take_needed(struct unwinding *unwinding)
{
	u32 object = find_first_bit(unwinding->needed, SPACES_OBJECTS);

	if (object < SPACES_OBJECTS) {
		clear_bit(object, unwinding->needed);
		return object;
	}
	WRITE_ONCE(unwinding->is_needed, false);
	/* A sample sets the bit before the hint: a bit set since then is seen here. */
	smp_mb();
	if (!bitmap_empty(unwinding->needed, SPACES_OBJECTS))
		WRITE_ONCE(unwinding->is_needed, true);
	return SPACES_OBJECTS;
}

static void look_for_unknown(struct unwinding *unwinding)
{
	if (!READ_ONCE(unwinding->has_unknown) || jiffies - unwinding->scanned < SCAN_EVERY)
		return;
	WRITE_ONCE(unwinding->has_unknown, false);
	spaces_scan();
	unwinding->scanned = jiffies;
}

static void free_retired(struct session *session)
{
	struct unwind_table *table, *next;

	list_for_each_entry_safe(table, next, &session->unwinding->retired, link)
		if (poll_state_synchronize_rcu(table->readers))
			free_table(session, table);
}

static void describe_memory(const struct session *session, struct cpuprobe_need *need)
{
	const struct unwinding *unwinding = session->unwinding;

	need->used_kib = DIV_ROUND_UP_ULL(unwinding->used_bytes, 1024);
	need->limit_kib = min(unwinding->limit_bytes, limit_for(session)) >> 10;
	need->nr_evicted = unwinding->nr_evicted;
	need->nr_unrecorded = spaces_unrecorded();
}

static int name_object(struct unwinding *unwinding, u32 object, struct cpuprobe_need *need)
{
	int error;

	need->object = object;
	need->seq = atomic64_read(&unwinding->slot[object].state) >> 32;
	error = spaces_open(need);
	if (error == -ERESTARTSYS) {
		/* The next NEED names it. */
		set_bit(object, unwinding->needed);
		return error;
	}
	/* A file that no process has mapped any more needs no table. */
	set_state(unwinding, object, need->seq, SLOT_NEEDED, error ? SLOT_UNASKED : SLOT_NAMED);
	return error;
}

int unwinding_name(struct session *session, struct cpuprobe_need *need)
{
	struct unwinding *unwinding = session->unwinding;
	u32 object;
	int error;

	if (mutex_lock_interruptible(&unwinding->lock))
		return -ERESTARTSYS;
	look_for_unknown(unwinding);
	free_retired(session);
	do {
		object = take_needed(unwinding);
		error = object < SPACES_OBJECTS ? name_object(unwinding, object, need) : -ENOENT;
	} while (error == -ESTALE);
	describe_memory(session, need);
	mutex_unlock(&unwinding->lock);
	return error;
}

static void retire_table(struct unwinding *unwinding, struct unwind_table *table)
{
	struct unwind_slot *slot = &unwinding->slot[table->object];

	RCU_INIT_POINTER(slot->table, NULL);
	/*
	 * No sample that begins after the grace period remembers its rules. Pairs with unwinding_epoch(): a sample of
	 * the new epoch must not find the table, or it would remember a rule of it for the new epoch.
	 */
	smp_store_release(&unwinding->nr_retired, unwinding->nr_retired + 1);
	set_state(unwinding, table->object, table->seq, SLOT_NAMED, SLOT_UNASKED);
	table->readers = start_poll_synchronize_rcu();
	list_move(&table->link, &unwinding->retired);
}

/* The table that was used least recently; NULL: all are in use. */
static struct unwind_table *find_idle_table(struct unwinding *unwinding)
{
	struct unwind_table *table, *idle = NULL;
	unsigned long now = jiffies;

	list_for_each_entry(table, &unwinding->tables, link) {
		bool is_stale = table->seq != spaces_seq(table->object);

		if (!is_stale && now - READ_ONCE(table->used) < IN_USE)
			continue;
		if (!idle || is_stale || time_before(READ_ONCE(table->used), READ_ONCE(idle->used)))
			idle = table;
		if (is_stale)
			break;
	}
	return idle;
}

static u64 bytes_of(const struct list_head *tables)
{
	const struct unwind_table *table;
	u64 bytes = 0;

	list_for_each_entry(table, tables, link)
		bytes += table->bytes;
	return bytes;
}

/* Claims memory of all sessions' limit, which other sessions claim at the same time. */
static bool claim_of_all(const struct session *session, u64 bytes)
{
	s64 all = atomic64_read(&used_by_all);

	do {
		if (all + bytes > limit_for(session))
			return false;
	} while (!atomic64_try_cmpxchg(&used_by_all, &all, all + bytes));
	return true;
}

/* Claims memory. -EAGAIN: retired tables will make room soon. -ENOSPC, -EDQUOT. */
static int claim_table(struct session *session, u64 bytes)
{
	struct unwinding *unwinding = session->unwinding;
	u64 retired = bytes_of(&unwinding->retired);
	int error;

	for (;;) {
		u64 used = unwinding->used_bytes;
		struct unwind_table *idle;

		if (used + bytes <= unwinding->limit_bytes && claim_of_all(session, bytes))
			break;
		if (used + bytes - retired <= unwinding->limit_bytes &&
		    atomic64_read(&used_by_all) + bytes - retired <= limit_for(session))
			return -EAGAIN;
		idle = find_idle_table(unwinding);
		if (!idle)
			return -ENOSPC;
		retired += idle->bytes;
		unwinding->nr_evicted++;
		retire_table(unwinding, idle);
	}
	error = quota_charge(session, bytes);
	if (error) {
		atomic64_sub(bytes, &used_by_all);
		return error;
	}
	unwinding->used_bytes += bytes;
	return 0;
}

/*
 * Memory that a table takes. One that is smaller than a page shares it with others where pages are large: a machine has
 * hundreds of small tables.
 */
static size_t memory_of_table(size_t bytes)
{
	return bytes < PAGE_SIZE ? roundup_pow_of_two(max_t(size_t, bytes, SZ_4K)) : PAGE_ALIGN(bytes);
}

/* Lay out a table in one piece of memory; returns its size. @at: NULL: only the size. */
static size_t lay_out_table(const struct cpuprobe_unwind *request, struct unwind_table *at)
{
	size_t rules = sizeof(*at);
	size_t pages = rules + request->nr_rules * sizeof(struct cpuprobe_rule);
	size_t rows = pages + (request->nr_pages + 1UL) * sizeof(u32);

	if (at)
		at->cfi = (struct cfi){
			.first_page = request->first_page, .nr_pages = request->nr_pages,
			.nr_rows = request->nr_rows, .nr_rules = request->nr_rules,
			.rules = (void *)at + rules, .pages = (void *)at + pages,
			.rows = (void *)at + rows,
		};
	return memory_of_table(rows + request->nr_rows * sizeof(u32));
}

static int fill_table(struct unwind_table *table, const struct cpuprobe_unwind *request)
{
	const struct cfi *cfi = &table->cfi;

	if (copy_from_user((void *)cfi->rules, u64_to_user_ptr(request->rules),
			   cfi->nr_rules * sizeof(*cfi->rules)) ||
	    copy_from_user((void *)cfi->pages, u64_to_user_ptr(request->pages),
			   (cfi->nr_pages + 1UL) * sizeof(*cfi->pages)) ||
	    copy_from_user((void *)cfi->rows, u64_to_user_ptr(request->rows),
			   cfi->nr_rows * sizeof(*cfi->rows)))
		return -EFAULT;
	return cfi_check(cfi);
}

/* Creates a table, without publishing it. */
static int create_table(struct session *session, const struct cpuprobe_unwind *request,
			struct unwind_table **table_ret)
{
	size_t bytes = lay_out_table(request, NULL);
	struct unwind_table *table;
	int error = claim_table(session, bytes);

	if (error)
		return error;
	table = kvmalloc(bytes, SESSION_GFP | __GFP_RETRY_MAYFAIL);
	if (!table) {
		session->unwinding->used_bytes -= bytes;
		atomic64_sub(bytes, &used_by_all);
		quota_uncharge(session, bytes);
		return -ENOMEM;
	}
	lay_out_table(request, table);
	table->bytes = bytes;
	table->object = request->object;
	table->seq = request->seq;
	table->used = jiffies;
	INIT_LIST_HEAD(&table->link);
	error = fill_table(table, request);
	if (error) {
		free_table(session, table);
		return error;
	}
	*table_ret = table;
	return 0;
}

static int take_table(struct session *session, const struct cpuprobe_unwind *request)
{
	struct unwinding *unwinding = session->unwinding;
	struct unwind_slot *slot = &unwinding->slot[request->object];
	struct unwind_table *table, *old;
	int error;

	if (request->seq != spaces_seq(request->object))
		return -ESTALE;
	if (!request->nr_rows) {
		set_state(unwinding, request->object, request->seq, SLOT_NAMED, SLOT_ABSENT);
		return 0;
	}
	error = create_table(session, request, &table);
	if (error == -ENOSPC || error == -EDQUOT) {
		WRITE_ONCE(slot->refused, jiffies);
		set_state(unwinding, request->object, request->seq, SLOT_NAMED, SLOT_NO_BUDGET);
	}
	if (error)
		return error;
	old = rcu_dereference_protected(slot->table, lockdep_is_held(&unwinding->lock));
	if (old)
		retire_table(unwinding, old);
	set_state(unwinding, request->object, request->seq, SLOT_UNASKED, SLOT_NAMED);
	list_add(&table->link, &unwinding->tables);
	rcu_assign_pointer(slot->table, table);
	return 0;
}

static bool are_numbers_valid(const struct cpuprobe_unwind *request)
{
	if (request->object >= SPACES_OBJECTS)
		return false;
	if (!request->nr_rows)
		return !request->nr_rules && !request->nr_pages && !request->first_page;
	return request->nr_rows <= CPUPROBE_UNWIND_ROWS_MAX && request->nr_pages &&
		request->nr_pages <= CPUPROBE_UNWIND_PAGE && request->nr_rules &&
		request->nr_rules <= CPUPROBE_UNWIND_RULES_MAX;
}

int unwinding_take(struct session *session, const struct cpuprobe_unwind *request)
{
	struct unwinding *unwinding = session->unwinding;
	int error;

	if (!are_numbers_valid(request))
		return -EINVAL;
	if (mutex_lock_interruptible(&unwinding->lock))
		return -ERESTARTSYS;
	free_retired(session);
	error = take_table(session, request);
	mutex_unlock(&unwinding->lock);
	return error;
}
