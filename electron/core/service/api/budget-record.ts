import type {BudgetRecord} from './types.ts'

/**
 * `X-RateLimit-Reset` is in whole seconds, and answers travel: two answers of one window may put its end this far
 * apart, in milliseconds.
 */
const jitterMs = 2000
/** A record from further in the future than this was written before the clock was set back. */
const clockSetBackMs = 60_000

/** What two observations tell together, in whatever order they come; `null` stands for none. */
export function mergeBudget(one: BudgetRecord, other: BudgetRecord | null): BudgetRecord
export function mergeBudget(one: BudgetRecord | null, other: BudgetRecord): BudgetRecord
export function mergeBudget(one: BudgetRecord | null, other: BudgetRecord | null): BudgetRecord | null
export function mergeBudget(one: BudgetRecord | null, other: BudgetRecord | null): BudgetRecord | null {
	if (one === null || other === null) return one ?? other
	const [first, last] = other.observedAt >= one.observedAt ? [one, other] : [other, one]
	if (last.observedAt >= first.resetAt) return last
	// The later one counts, also a refusal that ends before the window does; but not a late answer of a window that is over.
	if (!isSameWindow(first.resetAt, last.resetAt)) return last.resetAt > last.observedAt ? last : first
	// Answers may overtake each other and several processes spend from one budget: within a window it never grows.
	return {...last, remaining: Math.min(first.remaining, last.remaining), resetAt: Math.max(first.resetAt, last.resetAt)}
}

/** What counts after an answer that arrived just now: a record from the future was written before the clock was set back. */
export function observeBudget(kept: BudgetRecord | null, found: BudgetRecord): BudgetRecord {
	return kept === null || isFromFuture(kept, found.observedAt) ? found : mergeBudget(kept, found)
}

export function isFromFuture(record: BudgetRecord, now: number): boolean {
	return record.observedAt > now + clockSetBackMs
}

/** Whether two ends are of the same window. */
export function isSameWindow(one: number, other: number): boolean {
	return Math.abs(one - other) <= jitterMs
}
