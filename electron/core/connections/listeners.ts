import { every } from '../every.ts';
import type { Clock } from '../ports.ts';

/** How often the profile is asked for changes by other processes, in milliseconds. */
const interval = 1000;

export interface Listeners {
  add(listener: () => void): () => void;
  /** This process changed something. */
  changed(): void;
  stop(): void;
}

/** Tells listeners that something changed, whoever did it. Watches only while somebody listens. */
export function createListeners(clock: Clock, look: () => string): Listeners {
  const listeners = new Set<() => void>();
  let seen = '';
  let watching: AbortController | undefined;

  const compare = (): void => {
    const now = look();
    if (now === seen) return;
    seen = now;
    for (const listener of [...listeners]) listener();
  };
  const end = (): void => {
    watching?.abort();
    watching = undefined;
  };

  return {
    add: (listener) => {
      const own = (): void => listener();
      listeners.add(own);
      if (watching === undefined) {
        seen = look();
        watching = new AbortController();
        void every(clock, interval, watching.signal, compare);
      }
      return () => {
        listeners.delete(own);
        if (listeners.size === 0) end();
      };
    },
    changed: () => {
      if (listeners.size > 0) compare();
    },
    stop: () => {
      listeners.clear();
      end();
    },
  };
}
