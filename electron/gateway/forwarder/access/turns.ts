/** So many at once, so many waiting, first come first served. */
export interface Turns {
  /** Resolves when it is one's turn; `null` when too many wait. Every turn must be given back. */
  take(): Promise<void> | null;
  readonly give: () => void;
}

export function createTurns(atOnce: number, waiting: number): Turns {
  let running = 0;
  const queue: (() => void)[] = [];

  function take(): Promise<void> | null {
    if (running < atOnce) {
      running += 1;
      return Promise.resolve();
    }
    if (queue.length >= waiting) return null;
    return new Promise((resolve) => queue.push(resolve));
  }

  function give(): void {
    const next = queue.shift();
    if (next === undefined) running -= 1;
    else next();
  }

  return { take, give };
}
