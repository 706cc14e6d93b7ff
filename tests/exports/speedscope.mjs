// SPDX-License-Identifier: GPL-2.0-only
// The importers of speedscope, taken from its npm package: one script made for browsers, which does
// not export them. They are handed out before the script notices that there is no page.
import fs from 'node:fs'
import path from 'node:path'
import vm from 'node:vm'

const folder = path.join(process.env.CONSUMERS, 'node_modules/speedscope/dist/release')

export function importers() {
  const file = fs.readdirSync(folder).find(name => /^speedscope-.*\.js$/.test(name))
  let code = fs.readFileSync(path.join(folder, file), 'utf8')
  const exported = /[\w$]+\(([\w$]+),\{importFromFileSystemDirectoryEntry:/.exec(code)
  const name = exported[1]
  const loader = new RegExp(`\\(([\\w$]+)\\(\\),${name.replaceAll('$', '\\$')}\\)`).exec(code)
  code = code.replace(exported[0], text => `globalThis.load=()=>(${loader[1]}(),${name});${text}`)
  const context = vm.createContext({ console: { log() {}, warn() {}, assert: console.assert },
                                     TextDecoder, TextEncoder, URL, setTimeout })
  try {
    vm.runInContext(code, context)
  } catch (error) {
    if (!/^(window|document) is not defined/.test(error.message)) throw error
  }
  return context.load()
}

export function schema() {
  return JSON.parse(fs.readFileSync(path.join(folder, 'file-format-schema.json'), 'utf8'))
}

// Samples or time of every function: { total, functions: name -> [self, with descendants] }.
export function sums(profile) {
  const functions = new Map()
  profile.forEachFrame(frame => {
    const sum = functions.get(frame.name) ?? [0, 0]
    functions.set(frame.name, [sum[0] + frame.getSelfWeight(), sum[1] + frame.getTotalWeight()])
  })
  return { total: profile.getTotalWeight(), functions }
}
