import { setTimeout as pause } from 'node:timers/promises';

import type { InventoryState } from '#shared/model/frame.ts';

import type { Changes } from './changes.ts';
import { readSettled, stateOf, type ListingState } from './listing-state.ts';
import { readMissingPages, readWholeListing, type ListingParts } from './listing.ts';
import { makeShared } from './shared-work.ts';

export interface Refreshing {
  state(): InventoryState;
  refresh(signal?: AbortSignal): Promise<InventoryState>;
  refreshMissing(signal?: AbortSignal): Promise<InventoryState>;
  /** How long what was computed over all rows may be shown again, in milliseconds. */
  gapMs(): number;
  /** Somebody looks at the list: pages that are not asked for yet wait a moment, so that the next look is not behind them. */
  yield(): void;
  /** Ends a listing that runs and waits for it. */
  stop(): Promise<void>;
}

/** In the middle of a long listing everything changes all the time, and nobody reads numbers that fast. */
const [longGapMs, longPages] = [500, 10];
export const usualGapMs = 100;

export interface RefreshingOptions {
  readonly parts: Omit<ListingParts, 'onProgress' | 'room'>;
  readonly changes: Changes;
  readonly rows: () => number;
  readonly revision: () => number;
}

/** One listing at a time, and where it stands. */
export function makeRefreshing({ parts, changes, rows, revision }: RefreshingOptions): Refreshing {
  const work = makeShared<void>();
  const manners = makeManners();
  const room = async (): Promise<void> => {
    await parts.thread.room();
    await manners.wait();
  };
  // While this process reads, its own progress is newer than the file's.
  let progress: ListingState | undefined;

  const onProgress = (listing: ListingState): void => {
    progress = listing;
    changes.touch(null);
  };
  const state = () => stateOf(progress ?? readSettled(parts.database), rows(), revision());
  const read = async (kind: typeof readWholeListing, signal: AbortSignal | undefined): Promise<InventoryState> => {
    await work.join(async (stop) => {
      try {
        await kind({ ...parts, room, onProgress }, stop);
      } finally {
        progress = undefined;
        changes.flush();
      }
    }, signal);
    return state();
  };
  return {
    state,
    refresh: (signal) => read(readWholeListing, signal),
    refreshMissing: (signal) => read(readMissingPages, signal),
    gapMs: () => ((progress?.arrived.length ?? 0) > longPages ? longGapMs : usualGapMs),
    yield: manners.yield,
    stop: work.stop,
  };
}

/** How long after a look at the list its pages wait, in milliseconds of real time, for that is what an operator feels. */
const yieldMs = 40;

function makeManners(): { yield(): void; wait(): Promise<void> } {
  let until = 0;
  return {
    yield: () => (until = performance.now() + yieldMs),
    wait: async () => {
      const left = until - performance.now();
      if (left > 0) await pause(left);
    },
  };
}
