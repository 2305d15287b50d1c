/** What has to hold of any run of jobs, as lists of what is against it. */
import type {JobReceipt, JobSummary} from '#model/job.ts'

import type {History} from './history.ts'
import type {Traced} from './world.ts'

type Trace = readonly Traced[]

/** These say that nothing was carried out; after every other outcome, and after none, a reading comes before the next change. */
const unsent: ReadonlySet<string> = new Set(['rate_limited', 'read_only', 'cancelled', 'busy', 'write_not_permitted'])

export function guidIn(path: string) {
	return /[0-9a-f]{8}-[0-9a-f-]{27}/.exec(path)?.[0] ?? ''
}

/** A job repeats a change on a computer only after a reading in between, and if no one else changed it. */
export function blindRepeats(trace: Trace): readonly string[] {
	const last = new Map<string, Traced>()
	return trace.flatMap(call => {
		if (!isChange(call)) return []
		const guid = guidIn(call.path)
		const key = `${call.method} ${guid} ${call.job}`
		const before = last.get(key)
		if (!unsent.has(call.ended?.code ?? '')) last.set(key, call)
		if (before === undefined) return []
		return [
			...(wasRead(trace, guid, before, call) ? [] : [`${key} again without a reading`]),
			...(wasChanged(trace, guid, before, call) ? [`${key} again after another job changed it`] : [])
		]
	})
}

function isChange({method}: Traced) {
	return method === 'PUT' || method === 'DELETE'
}

function wasRead(trace: Trace, guid: string, from: Traced, to: Traced) {
	return trace.some(
		call => tellsOf(call, guid) && call.began > (from.ended?.at ?? from.began) && call.ended?.code === null && call.ended.at < to.began
	)
}

function wasChanged(trace: Trace, guid: string, from: Traced, to: Traced) {
	return trace.some(
		call =>
			isChange(call) &&
			guidIn(call.path) === guid &&
			call.job !== from.job &&
			call.began > from.began &&
			call.ended?.code === null &&
			call.ended.at < to.began
	)
}

function tellsOf({method, path}: Traced, guid: string) {
	return method === 'GET' && path.startsWith('computers') && ['', guid].includes(guidIn(path))
}

export interface Evidence {
	trace: Trace
	history: History
}

/** A receipt says what the service said at the moment of its observation, and one that has none what it said during the job. */
export function untrueReceipts({id, startedAt, endedAt}: JobSummary, receipts: readonly JobReceipt[], evidence: Evidence): readonly string[] {
	const during = {from: Date.parse(startedAt), to: Date.parse(endedAt ?? '')}
	return receipts.flatMap(receipt => {
		const {id: guid, observed, observedAt, outcome} = receipt
		if (observed === null) return outcome === 'done' ? [`${id} ${guid}: done, and nothing was observed`] : []
		const said = observedAt === null ? evidence.history.said(guid, during.from, during.to) : saidAt(evidence, id, receipt, Date.parse(observedAt))
		const early = observedAt !== null && receipt.requestedAt !== null && observedAt < receipt.requestedAt
		return [
			...(said.has(observed) ? [] : [`${id} ${guid}: ${observed} at ${observedAt}, but it was ${[...said].join(', ')}`]),
			...(early ? [`${id} ${guid}: observed before it was asked for`] : [])
		]
	})
}

/** All that the calls of that moment could tell of it. */
function saidAt({trace, history}: Evidence, job: string, receipt: JobReceipt, at: number) {
	const guid = receipt.id
	const asked = trace.filter(call => tellsOf(call, guid) && call.ended?.code === null && isAt(call, at))
	// A lost answer was read back: the receipt has the time at which the command came to its end.
	const own = trace.filter(call => isChange(call) && call.job === job && guidIn(call.path) === guid)
	const answered = receipt.acceptedAt === receipt.observedAt ? own.slice(-1) : []
	return new Set([
		...asked.flatMap(call => [...history.said(guid, sentAt(call, at), call.ended?.time ?? at)]),
		...answered.flatMap(call => [...history.said(guid, call.beganAt, at)])
	])
}

/** Rounding may lose a millisecond. */
function isAt({beganAt, ended}: Traced, at: number) {
	return beganAt - 1 <= at && at <= (ended?.time ?? beganAt)
}

/** A listing counts from when it was asked for, a single state from when it was answered. */
function sentAt({path, beganAt}: Traced, at: number) {
	return path.endsWith('isolation') ? beganAt : at - 1
}

/** The job that sent the last change of a computer, those apart that are known to have done nothing. */
export function lastWriter(trace: Trace, guid: string): string | null | undefined {
	return trace.findLast(call => isChange(call) && guidIn(call.path) === guid && !didNothing(call))?.job
}

function didNothing({ended}: Traced) {
	return ended?.code === 'conflict' || unsent.has(ended?.code ?? '')
}

const windowMs = 3_600_000

/** The least that was ever left of the quota, as the service counts: a window begins with its first call. */
export function leastLeft(requests: readonly {path: string; at: number}[], limit: number) {
	let [endsAt, used, most] = [0, 0, 0]
	for (const {path, at} of requests) {
		if (!path.startsWith('/v1/')) continue
		if (at >= endsAt) [endsAt, used] = [at + windowMs, 0]
		used += 1
		most = Math.max(most, used)
	}
	return limit - most
}
