// SPDX-License-Identifier: GPL-2.0-only
// The numbers expected in the exports, from the text of the run (tests/unit/profiles.h).

const NAME_BYTES = 511 // that a reader of a run takes of a name: docs/format.md

function decode(text) {
  const bytes = []
  for (let i = 0; i < text.length; i++) {
    if (text[i] !== '%') { bytes.push(text.charCodeAt(i)); continue }
    bytes.push(parseInt(text.slice(i + 1, i + 3), 16))
    i += 2
  }
  return Buffer.from(bytes.slice(0, NAME_BYTES)).toString('utf8')
}

function frame(text) {
  const at = text.lastIndexOf('@')
  if (at < 0) return { name: text.replaceAll('_', ' '), file: '-' }
  const parts = /^(.*?)(\+0x[0-9a-f]+)?(?:\{(.*):(\d+)\})?$/.exec(text.slice(0, at))
  return { name: decode(parts[1]), file: parts[3] ?? text.slice(at + 1).split('#')[0] }
}

// Lines: { process, frames from the root, hits }; lost samples are a process without frames.
export function parse(text) {
  return text.split('\n').filter(line => line).flatMap(line => {
    const words = line.split(' ')
    if (words[0] === 'other') return []
    if (words[0] === 'lost') return [{ process: '(lost)', frames: [], hits: Number(words[1]) }]
    return [{ process: decode(words[0]), frames: words[3].split(';').map(frame),
              hits: Number(words[4]) }]
  })
}

// As sums() of speedscope.mjs; @names: the names of a stack's nodes, from the root.
export function sums(stacks, names, unit) {
  const functions = new Map()
  let total = 0
  for (const stack of stacks) {
    const nodes = names(stack), hits = stack.hits * unit
    for (const node of new Set(nodes)) {
      const sum = functions.get(node) ?? [0, 0]
      functions.set(node, [sum[0] + (node === nodes.at(-1) ? hits : 0), sum[1] + hits])
    }
    total += hits
  }
  return { total, functions }
}

// Names as they appear in the formats.
export const inFolded = stack =>
  [stack.process, ...stack.frames.map(frame => frame.name)].map(name => name.replaceAll(';', ':'))
export const inSpeedscope = stack => [stack.process, ...stack.frames.map(frame => frame.name)]
export const inPprof = stack =>
  stack.frames.length ? stack.frames.map(frame => frame.name) : [stack.process]
export function inCallgrind(stack) {
  const outer = new Set()
  return [`(process):${stack.process}`, ...stack.frames.map(frame => {
    const name = `${frame.file}:${frame.name}`, isInner = outer.has(name)
    outer.add(name)
    return isInner ? `${name}'2` : name
  })]
}
