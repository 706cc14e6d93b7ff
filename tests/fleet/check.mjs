// SPDX-License-Identifier: GPL-2.0-only
// check.mjs TABLES DASHBOARD URL WINDOWS [METRICS]: compare the answers of a store at URL, Prometheus or VictoriaMetrics, with
// the JSON tables that `probe sys -repeat -json` printed while the store scraped it. WINDOWS: seconds of a table.
// METRICS: the last file of an agent that the store scraped.
import fs from 'node:fs'

const [tablesFile, dashboardFile, url, seconds, agentFile] = process.argv.slice(2)
const BURNERS = ['burn-one', 'burn-two'] // programs that compute from before the run to after it
const RANGE = 12, BEFORE = 8 // seconds
const ROUNDED = 2e-6 // shares are printed in percent, with four decimals
const tables = fs.readFileSync(tablesFile, 'utf8').split(/^\}\n/m).filter(text => text.trim())
  .map(text => JSON.parse(`${text}}`)).filter(report => report.rows) // the receipt comes last
const modes = ['kernel', 'softirq', 'user', 'guest']
let nr_wrong = 0, nr_right = 0

function check(what, got, want, tolerance = 0) {
  if (got !== undefined && Math.abs(got - want) <= tolerance) { nr_right++; return }
  console.log(`wrong: ${what}: ${got}, not ${want}`)
  nr_wrong++
}

async function ask(query, time) {
  const answer = await (await fetch(`${url}/api/v1/query?${new URLSearchParams({ query, time })}`)).json()
  if (answer.status !== 'success') throw new Error(`${query}: ${JSON.stringify(answer)}`)
  return answer.data.result
}
const valueOf = series => Number(series.value[1])
const sum = (list, get) => list.reduce((all, one) => all + get(one), 0)
const rowsOf = (table, name) => table.rows.filter(row => row.name === name)

// Everything of the whole run, from the file that the textfile collector reads: exact.
async function checkFile() {
  const now = Date.now() / 1000, by = new Map()
  const of = name => ask(`${name}{job="file"}`, now)
  for (const series of await of('cpuprobe_samples_total')) {
    const { name, mode } = series.metric
    by.set(`${name} ${mode}`, (by.get(`${name} ${mode}`) ?? 0) + valueOf(series))
  }
  // Rows that lost their place would be missing here; with 1,000 places none does.
  check('replaced rows', valueOf((await of('cpuprobe_rows_replaced_total'))[0]), 0)
  check('samples of all rows', sum([...by.values()], n => n),
        sum(tables, table => sum(table.rows, row => sum(modes, mode => row[`${mode}_hits`]))))
  for (const name of BURNERS)
    for (const mode of modes) {
      const got = by.get(`${name} ${mode}`)
      const hits = tables.flatMap(table => rowsOf(table, name)).map(row => row[`${mode}_hits`])
      // A mode that the engine cannot tell is null in the tables, and has no series.
      if (hits.length && hits.every(n => n === null)) check(`${name} has series of ${mode}`, got !== undefined, false)
      else check(`${name} in mode ${mode}`, got, sum(hits, n => n))
    }
  for (const [metric, key] of [['taken', 'samples'], ['expected', 'expected'], ['missed', 'missed'], ['lost', 'lost']])
    check(metric, valueOf((await of(`cpuprobe_${metric}_samples_total`))[0]), sum(tables, table => table[key]))
  check('windows', valueOf((await of('cpuprobe_windows_total'))[0]), tables.length)
}

// The last scrape of an agent: its sums agree with each other, and no counter is beyond that of the agent's end.
async function checkAgent() {
  const last = (await ask('cpuprobe_windows_total{job="agent"}[1h]', Date.now() / 1000))[0].values
    .filter(pair => pair[1] !== 'NaN').at(-1)[0]
  const of = name => ask(`cpuprobe_${name}_total{job="agent"}`, last)
  const one = async name => valueOf((await of(name))[0])
  const taken = await one('taken_samples'), seconds = await one('sampled_cpu_seconds')
  check('agent: samples of all rows', sum(await of('samples'), valueOf), taken)
  check('agent: taken and missed', taken + await one('missed_samples'), await one('expected_samples'))
  check('agent: CPU time of all rows', sum(await of('cpu_seconds'), valueOf), seconds, 1e-6 * seconds)
  const end = new Map(fs.readFileSync(agentFile, 'utf8').split('\n').map(line => line.split(/ (?=[^ ]*$)/)))
  for (const name of ['windows', 'taken_samples', 'expected_samples', 'sampled_cpu_seconds', 'tool_cpu_seconds']) {
    const now = await one(name)
    // VictoriaMetrics rounds numbers of many digits.
    check(`agent: ${name} grow`, now > 0 && now <= Number(end.get(`cpuprobe_${name}_total`)) * (1 + 1e-9), true)
  }
}

// The first and the last window of which an instant's range has increases. VictoriaMetrics includes the increase
// since the last scrape before the range; so does the second answer.
async function windowsOf(time) {
  const raw = (await ask(`cpuprobe_windows_total{job="tool"}[${RANGE}s]`, time))[0].values.map(pair => Number(pair[1]))
  const wider = (await ask(`cpuprobe_windows_total{job="tool"}[${RANGE + 3}s]`, time))[0].values
  const before = wider.filter(pair => pair[0] <= time - RANGE).map(pair => Number(pair[1])).pop()
  return [[raw[0], raw.at(-1)], [before ?? raw[0], raw.at(-1)]]
}

// A sum over the windows of a range, weighted by the CPU time that each stands for.
function mean(range, get) {
  const part = tables.slice(range[0], range[1])
  return sum(part, table => table.expected * get(table)) / sum(part, table => table.expected)
}

// The answer is right if one of the ranges gives it.
function checkMean(what, got, ranges, get, tolerance = ROUNDED) {
  const wanted = ranges.map(range => get(range))
  check(what, got, wanted.find(want => Math.abs(got - want) <= tolerance) ?? wanted[0], tolerance)
}

function panelQuery(panel, target, name) {
  return panel.targets[target].expr.replaceAll('$__rate_interval', `${RANGE}s`).replaceAll('$job', 'tool')
    .replaceAll('$instance', '.*').replaceAll('$name', name).replaceAll('$before', `${BEFORE}s`)
}

const share = name => table => sum(rowsOf(table, name), row => row.total) / 100
const busy = mode => table => sum(table.rows.filter(row => row.kind !== 'idle'), row => row[mode]) / 100

const checks = {
  async Who(answer, time) {
    const ranges = await windowsOf(time)
    for (const name of BURNERS)
      checkMean(`who: ${name}`, valueOf(answer.find(one => one.metric.name === name)), ranges,
                range => mean(range, share(name)))
  },
  async Mode(answer, time) {
    const ranges = await windowsOf(time)
    for (const mode of ['kernel', 'user'])
      // Rows that appear in the range begin at 0, and Prometheus extrapolates less for these.
      checkMean(`mode: ${mode}`, valueOf(answer.find(one => one.metric.mode === mode)), ranges,
                range => mean(range, busy(mode)), 0.05)
  },
  async Bounds(answers, time) {
    const table = tables[(await windowsOf(time))[0][1] - 1]
    for (const [nr, key] of ['total', 'lo', 'hi'].entries())
      check(`bounds: ${key}`, valueOf(answers[nr][0]), rowsOf(table, BURNERS[0])[0][key] / 100, ROUNDED)
  },
  async Loss(answer, time) {
    const ranges = await windowsOf(time)
    const loss = table => (table.missed + table.lost) / table.expected
    // Counters near 0 are extrapolated less: by at most 1.1 intervals at an end.
    for (const range of ranges.slice(0, 1))
      check('loss', valueOf(answer[0]), mean(range, loss), 0.3 * Math.max(...ranges.map(one => mean(one, loss))) + 1e-9)
  },
  async Cost(answer, time) {
    const increase = async name => {
      const raw = (await ask(`${name}{job="tool"}[${RANGE}s]`, time))[0].values
      return raw.at(-1)[1] - raw[0][1]
    }
    const cost = await increase('cpuprobe_tool_cpu_seconds_total') / await increase('cpuprobe_sampled_cpu_seconds_total')
    // VictoriaMetrics includes a scrape more, which may have cost more or less.
    check('cost', valueOf(answer[0]), cost, 0.5 * cost)
  },
  async Growth(answer, time) {
    const now = await windowsOf(time), then = await windowsOf(time - BEFORE)
    for (const name of BURNERS) {
      const found = answer.find(one => one.metric.name === name)
      // Only the ten rows that grew most are there.
      if (found) checkMean(`growth: ${name}`, valueOf(found), now.flatMap(a => then.map(b => [a, b])),
                           ([a, b]) => mean(a, share(name)) - mean(b, share(name)), 2 * ROUNDED)
    }
    if (!answer.length) check('growth: rows', 0, 1)
  },
}

// The last scrape of the tool; VictoriaMetrics shows a NaN where it failed afterwards.
const last = (await ask('cpuprobe_windows_total{job="tool"}[1h]', Date.now() / 1000))[0].values
  .filter(pair => pair[1] !== 'NaN').at(-1)[0]
const { panels } = JSON.parse(fs.readFileSync(dashboardFile, 'utf8'))
await checkFile()
if (agentFile) await checkAgent()
check('panels', panels.length, 6)
for (const panel of panels) {
  const answers = []
  for (let nr = 0; nr < panel.targets.length; nr++)
    answers.push(await ask(panelQuery(panel, nr, BURNERS[0]), last))
  if (!checks[panel.title]) throw new Error(`no check of the panel ${panel.title}`)
  await checks[panel.title](panel.title === 'Bounds' ? answers : answers[0], last)
}
console.log(`${url}: ${nr_right} answers right, ${nr_wrong} wrong; ${tables.length} tables of ${seconds} s`)
process.exit(nr_wrong ? 1 : 0)
