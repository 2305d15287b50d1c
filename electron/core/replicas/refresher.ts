/** Keeps the local copy of the active connection fresh: at start when it is old, and every few minutes from then on. */
import type { Inventory } from './computers/types.ts';
import type { Clock } from '#core/base/ports.ts';

export interface RefresherOptions {
  readonly clock: Clock;
  /** The connection that the window shows; `undefined` while there is none. */
  readonly active: () => string | undefined;
  readonly open: (connection: string) => Inventory;
  readonly onTrouble: (message: string, error: unknown) => void;
  /** How old the local copy may become. Default: 5 minutes. */
  readonly everyMs?: number;
}

export interface Refresher {
  /** Looks again now, because another connection became active. */
  poke(): void;
  stop(): Promise<void>;
}

export function startRefresher(options: RefresherOptions): Refresher {
  return startLooking(options.clock, (signal) => refreshOnce(options, signal));
}

/** Looks again and again; `look` resolves with the milliseconds until the next time. */
export function startLooking(clock: Clock, look: (signal: AbortSignal) => Promise<number>): Refresher {
  const ended = new AbortController();
  let pause = new AbortController();
  const loop = async (): Promise<void> => {
    while (!ended.signal.aborted) {
      pause = new AbortController();
      const waitMs = await look(ended.signal);
      await rest(clock, waitMs, AbortSignal.any([ended.signal, pause.signal]));
    }
  };
  const running = loop();
  return {
    poke: () => pause.abort(),
    async stop() {
      ended.abort();
      await running;
    },
  };
}

/** Resolves with the milliseconds until the next look. */
async function refreshOnce(options: RefresherOptions, signal: AbortSignal): Promise<number> {
  const everyMs = options.everyMs ?? 300_000;
  const connection = options.active();
  if (connection === undefined) return everyMs;
  try {
    const copy = options.open(connection);
    const left = leftOf(copy, options.clock.now(), everyMs);
    if (left > 0) return left;
    await copy.refresh(signal);
  } catch (error) {
    if (!signal.aborted) options.onTrouble('The local copy was not refreshed.', error);
  }
  return everyMs;
}

/** Milliseconds until the copy is too old; not positive when it is, or was never complete. */
function leftOf(copy: Inventory, now: number, everyMs: number): number {
  const { completeAt } = copy.state();
  return completeAt === null ? 0 : Date.parse(completeAt) + everyMs - now;
}

async function rest(clock: Clock, ms: number, signal: AbortSignal): Promise<void> {
  try {
    await clock.sleep(ms, signal);
  } catch {
    // Stopped or poked: the loop looks again.
  }
}
