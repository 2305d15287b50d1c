import type { BudgetLedger, BudgetRecord } from '../api/types.ts';
import type { Database } from '../store/database.ts';

/**
 * `X-RateLimit-Reset` is in whole seconds, and answers travel: two answers of one window may put its end this far
 * apart, in milliseconds.
 */
const jitterMs = 2000;
/** A record from further in the future than this was written before the clock was set back. */
const clockSetBackMs = 60_000;

/** The budget in `profile.db`: every process reads what the last answer told any of them. */
export function openLedger(database: Database, connection: string): BudgetLedger {
  const read = (): BudgetRecord | null =>
    database.get<BudgetRecord>(
      `SELECT call_limit AS "limit", remaining, reset_at AS "resetAt", observed_at AS "observedAt" FROM budget WHERE connection = ?`,
      connection,
    ) ?? null;
  return {
    read,
    observe: (record) =>
      database.transaction(() => {
        const { limit, remaining, resetAt, observedAt } = mergeBudget(read(), record);
        const values = [limit, remaining, resetAt, observedAt].map(Math.round);
        database.run(
          'INSERT OR REPLACE INTO budget (connection, call_limit, remaining, reset_at, observed_at) VALUES (?, ?, ?, ?, ?)',
          connection,
          ...values,
        );
      }),
  };
}

/** For tests of a connection that is not stored. */
export function createMemoryLedger(): BudgetLedger {
  let kept: BudgetRecord | null = null;
  return {
    read: () => kept,
    observe: (record) => {
      kept = mergeBudget(kept, record);
    },
  };
}

/**
 * What is left never grows within a window: answers may arrive out of order, and several processes spend from the same
 * budget, so the lowest number is the only one that is not too high. A new window counts as its first answer says.
 */
export function mergeBudget(kept: BudgetRecord | null, found: BudgetRecord): BudgetRecord {
  if (kept === null || isOver(kept, found)) return found;
  if (found.resetAt > kept.resetAt + jitterMs) return found;
  if (found.resetAt < kept.resetAt - jitterMs) return kept;
  return {
    limit: found.observedAt >= kept.observedAt ? found.limit : kept.limit,
    remaining: Math.min(kept.remaining, found.remaining),
    resetAt: Math.max(kept.resetAt, found.resetAt),
    observedAt: Math.max(kept.observedAt, found.observedAt),
  };
}

function isOver(kept: BudgetRecord, found: BudgetRecord): boolean {
  return found.observedAt >= kept.resetAt || kept.observedAt > found.observedAt + clockSetBackMs;
}
