// SPDX-License-Identifier: GPL-2.0-only
// check.mjs TEXT DIRECTORY: compare the exports run.* in DIRECTORY, of a run made of TEXT, with the
// results of speedscope, pprof and callgrind_annotate: the total, and each function alone and with
// descendants.
import { execFileSync } from 'node:child_process'
import fs from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import * as speedscope from './speedscope.mjs'
import * as truth from './truth.mjs'

const [text, folder] = process.argv.slice(2)
const stacks = truth.parse(fs.readFileSync(text, 'latin1'))
const file = ending => path.join(folder, `run.${ending}`)
const NS = 1e6 // that a sample stands for
let nr_wrong = 0

function wrong(what) {
  console.log(`wrong: ${what}`)
  nr_wrong++
}

function compare(consumer, got, want) {
  let nr = 0
  if (got.total !== want.total) wrong(`${consumer}: total ${got.total}, not ${want.total}`)
  for (const name of new Set([...got.functions.keys(), ...want.functions.keys()])) {
    const a = got.functions.get(name) ?? [0, 0], b = want.functions.get(name) ?? [0, 0]
    const short = name.length > 60 ? `${name.slice(0, 60)}...` : name
    if (a[0] !== b[0]) wrong(`${consumer}: self of ${short} ${a[0]}, not ${b[0]}`)
    if (a[1] !== b[1]) wrong(`${consumer}: descendants of ${short} ${a[1]}, not ${b[1]}`)
    nr++
  }
  console.log(`${consumer}: ${nr} functions, total ${got.total}`)
}

async function readBySpeedscope(importers, ending) {
  const bytes = fs.readFileSync(file(ending))
  const group = await importers.importProfilesFromArrayBuffer(
    path.basename(file(ending)), bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length))
  if (!group) throw new Error(`speedscope does not recognize ${file(ending)}`)
  return group.profiles
}

async function checkSpeedscope() {
  const importers = speedscope.importers()
  const require = createRequire(path.join(process.env.CONSUMERS, 'node_modules/'))
  const validate = new (require('ajv'))({ strict: false }).compile(speedscope.schema())
  const json = JSON.parse(fs.readFileSync(file('speedscope.json'), 'utf8'))
  if (!validate(json)) wrong(`speedscope's schema: ${JSON.stringify(validate.errors)}`)

  const [time, samples] = await readBySpeedscope(importers, 'speedscope.json')
  if (time.getWeightUnit() !== 'nanoseconds') wrong(`speedscope: unit ${time.getWeightUnit()}`)
  compare('speedscope, time', speedscope.sums(time), truth.sums(stacks, truth.inSpeedscope, NS))
  compare('speedscope, samples', speedscope.sums(samples),
          truth.sums(stacks, truth.inSpeedscope, 1))
  const [folded] = await readBySpeedscope(importers, 'folded')
  compare('speedscope of folded', speedscope.sums(folded), truth.sums(stacks, truth.inFolded, 1))
  const [pprof] = await readBySpeedscope(importers, 'pb.gz')
  compare('speedscope of pprof', speedscope.sums(pprof), truth.sums(stacks, truth.inPprof, NS))
  const withoutFiles = stack => truth.inCallgrind(stack).map(name => name.replace(/^[^:]*:/, ''))
  const graphs = await readBySpeedscope(importers, 'callgrind')
  graphs.forEach((graph, i) => compare(`speedscope of callgrind, ${['samples', 'time'][i]}`,
    speedscope.sums(graph), truth.sums(stacks, withoutFiles, [1, NS][i])))
}

function pprof(...options) {
  return execFileSync(path.join(process.env.CONSUMERS, 'pprof'),
                      ['-symbolize=none', ...options, file('pb.gz')],
                      { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] })
}

// Lines of a table of pprof: flat, flat%, sum%, cum, cum%, name.
function pprofTop(...options) {
  const functions = new Map()
  const output = pprof('-top', '-nodecount=1000000', '-nodefraction=0', '-unit=ns', ...options)
  const number = word => Number(word.replace(/ns$/, ''))
  for (const line of output.split('\n')) {
    const row = /^ *(\d+(?:ns)?) +\S+% +\S+% +(\d+(?:ns)?) +\S+%  (.*)$/.exec(line)
    if (row) functions.set(row[3], [number(row[1]), number(row[2])])
  }
  return { total: number(/ of (\S+) total$/m.exec(output)[1]), functions }
}

function checkPprof() {
  const want = unit => truth.sums(stacks, truth.inPprof, unit)
  compare('pprof, samples', pprofTop('-sample_index=samples'), want(1))
  compare('pprof, cpu', pprofTop(), want(NS))
  const byProcess = stack => stack.frames.length ? truth.inSpeedscope(stack) : ['<unknown>', '(lost)']
  compare('pprof, by process', pprofTop('-tagroot=process'), truth.sums(stacks, byProcess, NS))
  const raw = pprof('-raw')
  for (const part of [/^PeriodType: cpu nanoseconds\nPeriod: 1000000$/m, /^samples\/count cpu\/nanoseconds\[dflt\]$/m,
                      /^Mappings\n1: 0x0\/0xffffffffffffffff\/0x0 \/usr\/lib\/sh c0ffee0123 \[FN\]\[FL\]\[LN\]$/m,
                      / M=\d run sh\.c:21 /, /pid:\[8\]/, /mode:\[kernel\] process:\[sh\]/])
    if (!part.test(raw)) wrong(`pprof -raw lacks ${part}`)
}

// Lines of a table of callgrind_annotate: samples, ns, file:function [object].
function annotate(...options) {
  const output = execFileSync('callgrind_annotate',
    ['--threshold=100', '--auto=no', '--show-percs=no', ...options, file('callgrind')],
    { encoding: 'utf8' })
  const number = word => word === '.' ? 0 : Number(word.replaceAll(',', ''))
  const rows = [...output.matchAll(/^ *([\d,]+|\.) +([\d,]+|\.)  (.*)$/gm)]
  const total = rows.find(row => row[3] === 'PROGRAM TOTALS')
  return [1, 2].map(column => ({
    total: number(total[column]),
    functions: new Map(rows.filter(row => row !== total)
      .map(row => [row[3].replace(/ \[[^ ]*\]$/, ''), number(row[column])])),
  }))
}

function checkCallgrind() {
  const self = annotate(), all = annotate('--inclusive=yes');
  ['samples', 'time'].forEach((unit, i) => {
    const functions = new Map([...all[i].functions].map(
      ([name, hits]) => [name, [self[i].functions.get(name) ?? 0, hits]]))
    compare(`callgrind_annotate, ${unit}`, { total: self[i].total, functions },
            truth.sums(stacks, truth.inCallgrind, [1, NS][i]))
  })
}

for (const check of [checkSpeedscope, checkPprof, checkCallgrind])
  try {
    await check()
  } catch (error) {
    wrong(`${check.name}: ${error.stack}`) // alone: uncaught, speedscope's whole script would be shown
  }
process.exit(nr_wrong ? 1 : 0)
