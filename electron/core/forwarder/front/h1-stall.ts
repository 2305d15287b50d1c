import type { Ticker } from '../ticker.ts';
import type { Output } from './h1-output.ts';

/** A client that takes nothing of what waits for it. */
export class Stall {
  readonly #output: Output;
  readonly #ticker: Ticker;
  readonly #mostMs: number;
  #flushed = 0;
  #until = Infinity;

  constructor(output: Output, ticker: Ticker, mostMs: number) {
    this.#output = output;
    this.#ticker = ticker;
    this.#mostMs = mostMs;
  }

  /** Whether it has taken nothing for too long; to be asked at every tick. */
  isOver(now: number): boolean {
    const { flushed, isWaiting } = this.#output;
    if (flushed !== this.#flushed || !isWaiting) {
      this.#flushed = flushed;
      this.#until = this.#ticker.after(this.#mostMs);
    }
    return now > this.#until;
  }
}
