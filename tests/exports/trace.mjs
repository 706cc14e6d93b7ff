// SPDX-License-Identifier: GPL-2.0-only
// trace.mjs RUN.json RUN.speedscope.json SUMMARY.json: check two exports of a trace whose costs are 0. The first
// one must obey the trace event format, strictly: known phases, times of a thread that never go back, balanced
// beginnings and ends, arrows with both ends. The sums of each function's calls must be those of the summary.
// Speedscope's importer must read the second one, with the same time in each row.
import fs from 'node:fs'
import * as speedscope from './speedscope.mjs'

const [jsonPath, speedscopePath, summaryPath] = process.argv.slice(2)
let nrWrong = 0

function wrong(text) {
  console.log(`wrong: ${text}`)
  nrWrong++
}

function equal(text, got, want) {
  if (got !== want) wrong(`${text}: ${got}, not ${want}`)
}

// Microseconds with three decimals, as nanoseconds: a double has too few digits for some.
const text = fs.readFileSync(jsonPath, 'utf8')
const parsed = JSON.parse(text)
for (const [, ts] of text.matchAll(/"ts":([^,}]*)/g))
  if (!/^\d+\.\d{3}$/.test(ts)) wrong(`time ${ts}`)
const ns = event => Math.round(event.ts * 1000)

const rows = new Map() // by pid and tid: { names, stack, last, total: time at depth 0 }
const functions = new Map() // by name: { calls, elapsed, net }
const arrows = new Map()
const counts = { lost: 0, early: 0, late: 0, unwound: 0 }

function rowOf(event) {
  const key = `${event.pid} ${event.tid}`
  if (!rows.has(key)) rows.set(key, { meta: {}, stack: [], last: 0, total: 0 })
  return rows.get(key)
}

function endSpan(row, event) {
  const begin = row.stack.pop()
  if (!begin) return wrong(`an end without a beginning at ${event.ts}`)
  const args = { ...begin.args, ...event.args }, duration = ns(event) - ns(begin)
  if (!row.stack.length) row.total += duration
  counts.lost += args.lost ?? 0
  counts.early += !!args['clipped at begin']
  counts.late += !!args['clipped at end']
  counts.unwound += !!args.unwound
  if (begin.cat !== 'call' || args.elapsed_ns === undefined) return
  const sum = functions.get(begin.name) ?? { calls: 0, elapsed: 0, net: 0 }
  functions.set(begin.name, sum)
  sum.calls++
  sum.net += args.net_ns
  if (!args.recursive) sum.elapsed += args.elapsed_ns
  const times = args.elapsed_ns + args.blocked_ns + args.preempted_ns
  if (times > duration && !args['clipped at begin']) wrong(`${begin.name} at ${begin.ts}: ${times} in ${duration}`)
}

function take(event) {
  const row = rowOf(event)
  for (const field of ['pid', 'tid', 'ts'])
    if (typeof event[field] !== 'number') wrong(`${field} of ${JSON.stringify(event)}`)
  if (event.ph !== 'E' && typeof event.name !== 'string') wrong(`no name: ${JSON.stringify(event)}`)
  if (event.ph === 'M') {
    row.meta[event.name] = event.args.name ?? event.args.sort_index
    return
  }
  if (ns(event) < row.last) wrong(`time goes back at ${event.ts} of ${row.meta.thread_name}`)
  row.last = ns(event)
  switch (event.ph) {
  case 'B': row.stack.push(event); break
  case 'E': endSpan(row, event); break
  case 'i': if (event.s !== 't') wrong(`scope of ${event.name}`); break
  case 's': arrows.set(event.id, [...arrows.get(event.id) ?? [], 's']); break
  case 'f':
    if (arrows.get(event.id)?.join() !== 's') wrong(`arrow ${event.id} ends without a beginning`)
    arrows.set(event.id, ['s', 'f'])
    break
  default: wrong(`phase ${event.ph}`)
  }
}

parsed.traceEvents.forEach(take)
for (const row of rows.values()) {
  equal(`open spans of ${row.meta.thread_name}`, row.stack.length, 0)
  if (!row.meta.thread_name || !row.meta.process_name) wrong('a row without a name')
}

// The summary's times are in microseconds with three decimals, or in nanoseconds by its keys.
const summary = JSON.parse(fs.readFileSync(summaryPath, 'utf8')).rows
for (const want of summary) {
  const got = functions.get(want.function) ?? { calls: 0, elapsed: 0, net: 0 }
  if (want.function.endsWith(' (older)')) continue
  equal(`calls of ${want.function}`, got.calls, want.calls)
  equal(`elapsed time of ${want.function}`, got.elapsed, want.elapsed_ns)
  equal(`net time of ${want.function}`, got.net, want.net_ns)
  functions.delete(want.function)
}
for (const name of functions.keys()) wrong(`${name} is not in the summary`)
console.log(`trace events: ${parsed.traceEvents.length} events in ${rows.size} rows, ${JSON.stringify(counts)}`)

const bytes = fs.readFileSync(speedscopePath)
const group = await speedscope.importers().importProfilesFromArrayBuffer('run.speedscope.json',
  bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length))
if (!group) throw new Error('speedscope does not recognize its file')
const totals = new Map([...rows.values()].map(row => [row.meta.thread_name, row.total]))
for (const profile of group.profiles) {
  const name = profile.getName(), length = parsed.otherData.to_ns - parsed.otherData.from_ns
  let nr = 0, spent = 0
  profile.forEachCall(node => { nr++ }, () => {})
  profile.forEachFrame(frame => { spent += frame.getSelfWeight() })
  equal(`speedscope: time of ${name}`, spent, totals.get(name))
  equal(`speedscope: length of ${name}`, profile.getTotalWeight(), length)
  if (!nr) wrong(`speedscope: ${name} is empty`)
  totals.delete(name)
}
for (const [name, total] of totals) if (total) wrong(`speedscope has no profile of ${name}`)
console.log(`speedscope: ${group.profiles.length} profiles of a trace`)
process.exitCode = nrWrong ? 1 : 0
