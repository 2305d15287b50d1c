import type {QuotaRecord} from './types.ts'

/**
 * `X-RateLimit-Reset` is in whole seconds, and answers travel: two answers of one window may put its end this far
 * apart, in milliseconds.
 */
const jitterMs = 2000
/** A record from further in the future than this was written before the clock was set back. */
const clockSetBackMs = 60_000

/** What two observations tell together, in whatever order they come; `null` stands for none. */
export function mergeQuota(one: QuotaRecord, other: QuotaRecord | null): QuotaRecord
export function mergeQuota(one: QuotaRecord | null, other: QuotaRecord): QuotaRecord
export function mergeQuota(one: QuotaRecord | null, other: QuotaRecord | null): QuotaRecord | null
export function mergeQuota(one: QuotaRecord | null, other: QuotaRecord | null): QuotaRecord | null {
	if (one === null || other === null) return one ?? other
	const [first, last] = other.observedAt >= one.observedAt ? [one, other] : [other, one]
	if (last.observedAt >= first.resetAt) return last
	// The later one counts, also a refusal that ends before the window does; but not a late answer of a window that is over.
	if (!isSameWindow(first.resetAt, last.resetAt)) return last.resetAt > last.observedAt ? last : first
	// Answers may overtake each other and several processes spend from one quota: within a window it never grows.
	return {...last, remaining: Math.min(first.remaining, last.remaining), resetAt: Math.max(first.resetAt, last.resetAt)}
}

/** What counts after an answer that arrived just now: a record from the future was written before the clock was set back. */
export function observeQuota(kept: QuotaRecord | null, found: QuotaRecord) {
	return kept === null || isFromFuture(kept, found.observedAt) ? found : mergeQuota(kept, found)
}

export function isFromFuture(record: QuotaRecord, now: number) {
	return record.observedAt > now + clockSetBackMs
}

/** Whether two ends are of the same window. */
export function isSameWindow(one: number, other: number) {
	return Math.abs(one - other) <= jitterMs
}
