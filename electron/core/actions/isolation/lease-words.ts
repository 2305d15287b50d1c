/** Phases of leases. Pure. */
import type {Lease} from '#model/lease.ts'
import {releaseComment} from '#text/isolation.ts'

/** The reminder comes this long before expiry, in milliseconds; later for a short lease. */
export const remindMs = 3_600_000
/** Beyond this a release is late: Cordon was not running, or could not reach the service. */
const lateMs = 120_000

type LeasePhase = 'running' | 'ending' | 'over'

/** `now` in Unix milliseconds. */
export function phaseOf({startedAt, endsAt}: Pick<Lease, 'startedAt' | 'endsAt'>, now: number): LeasePhase {
	if (endsAt === null) return 'running'
	const [start, end] = [Date.parse(startedAt), Date.parse(endsAt)]
	if (now >= end) return 'over'
	return now >= end - Math.min(remindMs, (end - start) / 4) ? 'ending' : 'running'
}

export const longestRetryMs = 900_000

/** One that lies further ahead than any pause was set by a clock that was wrong then. */
export function isTime(at: string | null, now: number) {
	const left = at === null ? 0 : Date.parse(at) - now
	return left <= 0 || left > longestRetryMs
}

/** The comment of the automatic release. */
export function releaseReason({endsAt}: Pick<Lease, 'endsAt'>, now: number) {
	const end = endsAt ?? ''
	return releaseComment(end.slice(0, 16).replace('T', ' '), isLate(end, now))
}

export function isLate(endsAt: string, now: number) {
	return now - Date.parse(endsAt) > lateMs
}
