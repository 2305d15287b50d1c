/** Something that is looked at again and again while a console runs. */
import type { Clock } from '#core/base/ports.ts';
import { waitUntilDue } from '#core/base/due.ts';

export interface Refresher {
  /** Looks again now, because another connection became active or the computer slept. */
  trigger(): void;
  stop(): Promise<void>;
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
    trigger: () => pause.abort(),
    async stop() {
      ended.abort();
      await running;
    },
  };
}

async function rest(clock: Clock, ms: number, signal: AbortSignal): Promise<void> {
  try {
    const now = clock.now();
    await waitUntilDue(clock, { since: now, due: now + ms }, signal);
  } catch {
    // Stopped or triggered: the loop looks again.
  }
}
