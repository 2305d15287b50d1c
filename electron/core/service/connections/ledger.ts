import { isSameWindow, observeBudget } from '../api/budget-record.ts';
import type { BudgetLedger, BudgetRecord } from '../api/types.ts';
import type { Database } from '#core/store/database.ts';
import { reservedCalls } from './reservations.ts';

/** The budget in `profile.db`: every process reads what the last answer told any of them. */
export function openLedger(database: Database, connection: string): BudgetLedger {
  const read = (): BudgetRecord | null =>
    database.get<BudgetRecord>(
      `SELECT call_limit AS "limit", remaining, reset_at AS "resetAt", observed_at AS "observedAt" FROM budget WHERE connection = ?`,
      connection,
    ) ?? null;
  return {
    read,
    observe: (record, counted = true) =>
      database.transaction(() => {
        const merged = observeBudget(read(), record);
        const { limit, remaining, resetAt, observedAt } = merged;
        const values = [limit, remaining, resetAt, observedAt].map(Math.round);
        database.run(
          'INSERT OR REPLACE INTO budget (connection, call_limit, remaining, reset_at, observed_at) VALUES (?, ?, ?, ?, ?)',
          connection,
          ...values,
        );
        if (counted && isSameWindow(record.resetAt, resetAt)) count(database, connection, merged);
      }),
    own: (windowEnd) => {
      const usage = readUsage(database, connection);
      return usage !== undefined && isSameWindow(usage.windowEnd, windowEnd) ? usage.own : null;
    },
    reserved: () => reservedCalls(database, connection),
  };
}

interface Usage {
  readonly windowEnd: number;
  readonly own: number;
}

function readUsage(database: Database, connection: string): Usage | undefined {
  return database.get<Usage>(
    'SELECT window_end AS "windowEnd", own FROM budget_usage WHERE connection = ?',
    connection,
  );
}

/** One more call of ours in this window, or the first of a new one: as long as the old one lasts, it is the same. */
function count(database: Database, connection: string, { resetAt, observedAt }: BudgetRecord): void {
  const usage = readUsage(database, connection);
  // An answer that was held up puts the end later; what we have used before it is used all the same.
  const isNew = usage === undefined || (!isSameWindow(usage.windowEnd, resetAt) && usage.windowEnd <= observedAt);
  const own = isNew ? 0 : usage.own;
  database.run(
    'INSERT OR REPLACE INTO budget_usage (connection, window_end, own) VALUES (?, ?, ?)',
    connection,
    Math.round(resetAt),
    own + 1,
  );
}

/** For tests of a connection that is not stored. */
export function createMemoryLedger(): BudgetLedger {
  let kept: BudgetRecord | null = null;
  return {
    read: () => kept,
    observe: (record) => {
      kept = observeBudget(kept, record);
    },
    own: () => null,
    reserved: () => 0,
  };
}
