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
export function createAnnouncer(clock: Clock, newest: () => Promise<number>): Announcer {
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
  /** A file that cannot be read now has nothing new to tell. */
  const look = async (then: (seq: number) => void): Promise<void> => {
    const seq = await newest().catch(() => 0);
    if (watching?.signal.aborted === false) then(seq);
  };
  const start = (): void => {
    watching = new AbortController();
    const { signal } = watching;
    // What came between the caller's last reading and this one is told too: once too often is harmless, once too few is not.
    void look(announce).then(() => every(clock, interval, signal, () => look(announce)));
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
