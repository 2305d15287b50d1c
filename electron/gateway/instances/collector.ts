/** Collects finished requests in the forwarding server's thread, so that a busy route sends few and small messages. */
import type {RequestRecord} from '../forwarder/record-types.ts'
import {bucketOf} from './histogram.ts'

/** Requests of one instance since the last batch; `instance`: its name, `null` if none was found. */
export interface Tally {
	readonly instance: string | null
	readonly requests: number
	readonly failures: number
	/** Of the time to the first byte. */
	readonly firstByte: Readonly<Record<number, number>>
}

export interface TrafficBatch {
	/** The newest, oldest first; a selection of many. */
	readonly records: readonly RequestRecord[]
	readonly tallies: readonly Tally[]
}

/** Ten batches per second: as much as a person can follow and a window can show. */
const mostRecords = 200

interface OpenTally {
	requests: number
	failures: number
	firstByte: Record<number, number>
}

export function createCollector() {
	let records: RequestRecord[] = []
	let tallies = new Map<string | null, OpenTally>()
	return {
		add(record: RequestRecord) {
			records.push(record)
			if (records.length >= 2 * mostRecords) records = records.slice(-mostRecords)
			const known = tallies.get(record.instance)
			const tally = known ?? {requests: 0, failures: 0, firstByte: {}}
			if (known === undefined) tallies.set(record.instance, tally)
			count(tally, record)
		},
		/** New data; `undefined` without any. */
		take() {
			if (records.length === 0) return undefined
			const batch = {records: records.slice(-mostRecords), tallies: [...tallies].map(([instance, tally]) => ({instance, ...tally}))}
			records = []
			tallies = new Map()
			return batch
		}
	}
}

function count(tally: OpenTally, record: RequestRecord) {
	tally.requests += 1
	if (isFailure(record)) tally.failures += 1
	const {firstByte} = record.phases
	if (firstByte === null) return
	const bucket = bucketOf(firstByte)
	tally.firstByte[bucket] = (tally.firstByte[bucket] ?? 0) + 1
}

/** Failures not caused by the client. */
function isFailure({status, endedBy}: RequestRecord) {
	return status >= 500 || endedBy === 'instance'
}
