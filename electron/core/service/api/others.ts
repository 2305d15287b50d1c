import type { BudgetState } from '#shared/model/frame.ts';

import type { BudgetRecord } from './types.ts';

/** Calls that got no answer, and answers on their way: fewer than this are no proof of anybody else. */
const leastNoticed = 10;
/** The service counts by the hour (API reference, "Rate limit"). */
const windowMs = 3_600_000;

/** What the answers cannot be explained by: calls of this window that no process on this profile made. Pure. */
export function othersOf(record: BudgetRecord, own: number | null, inFlight: number): BudgetState['others'] {
  if (own === null) return null;
  const used = record.limit - record.remaining - own - inFlight;
  if (used < leastNoticed) return null;
  return { calls: used, since: new Date(record.resetAt - windowMs).toISOString() };
}
