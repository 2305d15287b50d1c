/** Reads new events of the active connection: at the start, and every few minutes while the budget allows. */
import type { BudgetState } from '#shared/model/frame.ts';

import type { EventStore } from './events/types.ts';
import type { Clock } from '#core/base/ports.ts';
import { startLooking, type Refresher } from './refresher.ts';

export interface EventRefresherOptions {
  readonly clock: Clock;
  /** The connection that the window shows; `undefined` while there is none. */
  readonly active: () => string | undefined;
  readonly open: (connection: string) => EventStore;
  /** What is known of the budget of a connection. */
  readonly budget: (connection: string) => BudgetState | null;
  readonly onTrouble: (message: string, error: unknown) => void;
  /** Default: 5 minutes. */
  readonly everyMs?: number;
}

/** Computers come first: at the start events wait a moment for them. */
const startMs = 3000;
/** While less than this part of the budget is left, it is for what people do. */
const leastLeft = 0.25;

export function startEventRefresher(options: EventRefresherOptions): Refresher {
  let started = false;
  return startLooking(options.clock, async (signal) => {
    if (started) return readOnce(options, signal);
    started = true;
    return startMs;
  });
}

/** Resolves with the milliseconds until the next look. */
async function readOnce(options: EventRefresherOptions, signal: AbortSignal): Promise<number> {
  const everyMs = options.everyMs ?? 300_000;
  const connection = options.active();
  if (connection === undefined || !affords(options.budget(connection), options.clock.now())) return everyMs;
  try {
    const store = options.open(connection);
    const { readAt, phase } = store.state();
    const left = readAt === null || phase !== 'complete' ? 0 : Date.parse(readAt) + everyMs - options.clock.now();
    if (left > 0) return Math.min(left, everyMs);
    await store.refresh({ signal });
  } catch (error) {
    if (!signal.aborted) options.onTrouble('New events were not read.', error);
  }
  return everyMs;
}

function affords(budget: BudgetState | null, now: number): boolean {
  if (budget === null || Date.parse(budget.resetAt) <= now) return true;
  return budget.waitingUntil === null && budget.remaining - budget.reserve > budget.limit * leastLeft;
}
