import { every } from '#core/base/every.ts';
import type { Clock } from '#core/base/ports.ts';

/** How often the file is asked for entries of other processes, in milliseconds. */
const interval = 500;

export interface Announcer {
  listen(listener: (seq: number) => void): () => void;
  /** This process appended. */
  appended(seq: number): void;
  stop(): void;
}

/** Tells listeners about the newest entry, whoever wrote it. Watches the file only while somebody listens. */
export function createAnnouncer(clock: Clock, newest: () => number): Announcer {
  const listeners = new Set<(seq: number) => void>();
  let told = 0;
  let watching: AbortController | undefined;

  const announce = (seq: number): void => {
    if (seq <= told) return;
    told = seq;
    // Later, so that a listener can neither delay an entry nor make a committed one look failed.
    queueMicrotask(() => {
      for (const listener of listeners) listener(seq);
    });
  };
  const start = (): void => {
    watching = new AbortController();
    told = newest();
    void every(clock, interval, watching.signal, () => announce(newest()));
  };
  const end = (): void => {
    watching?.abort();
    watching = undefined;
  };

  return {
    listen: (listener) => {
      // Wrapped, so that the same function can listen twice.
      const own = (seq: number): void => listener(seq);
      listeners.add(own);
      if (watching === undefined) start();
      return () => {
        listeners.delete(own);
        if (listeners.size === 0) end();
      };
    },
    appended: announce,
    stop: () => {
      listeners.clear();
      end();
    },
  };
}
