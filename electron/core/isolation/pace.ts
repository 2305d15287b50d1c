import type { Clock } from '../ports.ts';

const firstPauseMs = 2000;
export const longestPauseMs = 30_000;

/** When to poll next: every two seconds at first, then ever more slowly. */
export interface Pace {
  /** Something new: begin again. */
  restart(): void;
  /** The next poll comes after a longer pause than the last. */
  slower(): void;
  /** The next poll comes no sooner than in so many milliseconds. */
  atLeast(ms: number): void;
  due(): boolean;
  /** Milliseconds until the next poll. */
  left(): number;
}

export function createPace(clock: Clock): Pace {
  let pauseMs = firstPauseMs;
  let nextAt = 0;
  const left = (): number => Math.max(0, nextAt - clock.monotonic());
  return {
    restart() {
      pauseMs = firstPauseMs;
      nextAt = clock.monotonic() + pauseMs;
    },
    slower() {
      pauseMs = Math.min(pauseMs * 1.5, longestPauseMs);
      nextAt = clock.monotonic() + pauseMs;
    },
    atLeast(ms) {
      nextAt = Math.max(nextAt, clock.monotonic() + ms);
    },
    due: () => left() === 0,
    left,
  };
}
