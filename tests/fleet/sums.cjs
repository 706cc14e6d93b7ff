// SPDX-License-Identifier: GPL-2.0-only
// sums.cjs DIRECTORY: decode the profiles that stub.py has kept in DIRECTORY/got, by Datadog's pprof-format. Prints a
// line for each: began (s), duration (ns), samples, cpu ns, the value of service_name, number of comments with a receipt.
// The lines are sorted. An undecodable profile, or one that a store would refuse, is an error.
const fs = require('fs')
const path = require('path')
const zlib = require('zlib')
const { Profile } = require(path.join(process.env.CONSUMERS, 'node_modules/pprof-format'))

const got = path.join(process.argv[2], 'got')
const lines = []
for (const file of fs.readdirSync(got).filter(name => name.endsWith('.pb.gz'))) {
  const profile = Profile.decode(zlib.gunzipSync(fs.readFileSync(path.join(got, file))))
  const labels = JSON.parse(fs.readFileSync(path.join(got, file.replace('.pb.gz', '.json'))))
  const text = at => profile.stringTable.strings[Number(at)]
  const types = profile.sampleType.map(type => `${text(type.type)}/${text(type.unit)}`).join()
  if (types !== 'samples/count,cpu/nanoseconds') throw new Error(`${file}: types ${types}`)
  const locations = new Set(profile.location.map(location => Number(location.id)))
  const functions = new Set(profile.function.map(entry => Number(entry.id)))
  let samples = 0n, ns = 0n
  for (const sample of profile.sample) {
    samples += BigInt(sample.value[0])
    ns += BigInt(sample.value[1])
    if (!sample.locationId.every(id => locations.has(Number(id)))) throw new Error(`${file}: no such location`)
  }
  for (const location of profile.location)
    if (!location.line.every(line => functions.has(Number(line.functionId)))) throw new Error(`${file}: no such function`)
  // Parca refuses profiles that do not keep these rules; Pyroscope numbers them anew.
  for (const list of [profile.mapping, profile.location, profile.function])
    list.forEach((entry, at) => { if (Number(entry.id) !== at + 1) throw new Error(`${file}: id ${entry.id} at ${at}`) })
  if (text(0) !== '') throw new Error(`${file}: the first string is not empty`)
  for (const sample of profile.sample)
    if (sample.value.length !== 2 || sample.label.some(label => !Number(label.key))) throw new Error(`${file}: a sample`)
  const receipts = profile.comment.filter(at => text(at).startsWith('receipt of the window: ')).length
  lines.push(`${BigInt(profile.timeNanos) / 1000000000n} ${profile.durationNanos} ${samples} ${ns} ` +
             `${labels.service_name.replace(/ /g, '_')} ${receipts}`)
}
for (const line of lines.sort()) console.log(line)
