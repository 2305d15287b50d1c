import type { Clock } from '#core/base/ports.ts';

/** How often changes are told at most, in milliseconds. */
const gapMs = 250;

export interface Announcer {
  /** Something changed: told now or within the gap. */
  touch(): void;
  flush(): void;
  listen(listener: () => void): () => void;
  stop(): void;
}

export function makeAnnouncer(clock: Clock): Announcer {
  const listeners = new Set<() => void>();
  const stopped = new AbortController();
  let toldAt = Number.NEGATIVE_INFINITY;
  let waiting = false;
  const flush = (): void => {
    if (stopped.signal.aborted) return;
    toldAt = clock.monotonic();
    for (const listener of [...listeners]) listener();
  };
  const later = async (ms: number): Promise<void> => {
    waiting = true;
    try {
      await clock.sleep(ms, stopped.signal);
    } catch {
      return;
    }
    waiting = false;
    flush();
  };
  return {
    flush,
    touch: () => {
      const left = toldAt + gapMs - clock.monotonic();
      if (left <= 0) flush();
      else if (!waiting) void later(left);
    },
    listen: (listener) => {
      const own = (): void => listener();
      listeners.add(own);
      return () => void listeners.delete(own);
    },
    stop: () => {
      stopped.abort();
      listeners.clear();
    },
  };
}
