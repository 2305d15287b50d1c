/**
 * A process that carries out one isolation of many computers, or goes on with the one that an earlier process left:
 * profile and service from its arguments, the API key and the targets from stdin, one per line.
 */
import {text} from 'node:stream/consumers'

import {openRealProcess} from './real-process.ts'

const [folder = '', url = '', clientId = ''] = process.argv.slice(2)
const [apiKey = '', ...targets] = (await text(process.stdin)).trim().split('\n')
const {jobs, connection, stop} = await openRealProcess(folder, {url, clientId, apiKey})
if ((await jobs.list()).matching === 0) {
	const action = {kind: 'isolate', reason: 'drill', ticket: null, code: 'generated', lease: {hours: 24, auto: false}} as const
	const {id, confirmation} = await jobs.plan({connection, action, targets})
	await jobs.apply({plan: id, confirm: 'expected' in confirmation ? String(confirmation.expected) : undefined, surface: 'cli'})
} else {
	await jobs.recover()
}
const [job] = (await jobs.list()).rows
const end = await jobs.settled(job?.id ?? '')
const receipts = (await jobs.receipts({job: end.id, offset: 0, limit: 100_000})).rows
process.stdout.write(JSON.stringify({phase: end.phase, because: end.because, counts: end.counts, receipts}))
await stop()
