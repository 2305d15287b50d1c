/** 10,000 lines from a file: planned, saved, read back and started by the command line. */
import {statSync} from 'node:fs'
import {join} from 'node:path'

import {until} from '#base/testing/until.ts'
import {serviceBench} from './testing/service.ts'

const many = 10_000
const largestPlan = 5 << 20

const bench = serviceBench({computers: 300, seed: 'large', quota: 100_000})

function changes() {
	return bench.sandbox.requests.filter(({method}) => method === 'PUT' || method === 'POST').length
}

/** Starts the job, and stops it as Ctrl-C does once something was sent. */
async function startAndStop(argv: string[]) {
	const interrupt = new AbortController()
	const ended = bench.cordon(argv, {signal: interrupt.signal})
	const before = changes()
	await Promise.race([ended, until('a change', () => changes() > before)])
	interrupt.abort()
	return await ended
}

test.each([
	['GUIDs', (index: number) => bench.sandbox.world.tenant.hosts[index]?.guid ?? crypto.randomUUID()],
	['names', (index: number) => bench.sandbox.world.tenant.hosts[index]?.hostname ?? `NO-SUCH-${index}`]
])('of %s each is planned or skipped with the reason', async (_what, line) => {
	const targets = bench.file('targets', Array.from({length: many}, (_, index) => line(index)).join('\n'))
	const {code, data} = await bench.json('job', 'isolate', '--targets', targets, '--reason', 'worm', '--dry-run')
	expect([code, changes()]).toEqual([0, 0])
	const {targets: planned, leftOut} = data
	expect(planned.length).toBeGreaterThan(100)
	expect(planned.length + leftOut.length).toBe(many)
})

test('hashes of a CSV with their notes become a plan, a file, and a job that is stopped', async () => {
	const hash = (index: number) => index.toString(16).padStart(8, '0').repeat(8)
	const lines = Array.from({length: many}, (_, index) => `${hash(index + 1)},line ${index}`)
	const source = bench.file('iocs.csv', `sha256,note\n${lines.join('\n')}\n`)
	const list = bench.sandbox.world.tenant.lists.at(-1)?.guid ?? ''
	const plan = join(bench.folder, 'hashes.json')
	const add = ['list', 'import', list, '--file', source, '--reason', 'case 7']
	const planned = await bench.json(...add, '--plan', plan)
	expect([planned.code, planned.data.targets.length]).toEqual([0, many])
	expect(statSync(plan).size).toBeLessThan(largestPlan)
	const apply = ['list', 'import', list, '--apply', plan]
	expect([(await bench.cordon(apply)).code, changes()]).toEqual([2, 0])
	const ran = await startAndStop([...apply, '--confirm', '10,000', '--json'])
	const {job, receipts} = JSON.parse(ran.out).data
	expect([ran.code, receipts.length, job.counts.not_tried + changes()]).toEqual([130, many, many])
})
