import { afterEach, beforeEach, expect, it } from 'vitest';

import { startRunning, type Running } from '../testing/running.ts';
import { fuzzAnswers, fuzzRequests, startNodeOpinion } from './fuzz.ts';

/** The long form is `npm run bench -- fuzz`. */
const shortMs = 15_000;

let running: Running;

beforeEach(async () => {
  running = await startRunning();
});
afterEach(() => running.stop());

it(
  'whatever is let through, the instance reads as we do',
  async () => {
    const opinion = await startNodeOpinion();
    try {
      const { problem, passed } = await fuzzRequests(running, opinion, shortMs, Date.now());
      expect(problem).toBeNull();
      expect(passed).toBeGreaterThan(20);
    } finally {
      await opinion.stop();
    }
  },
  shortMs * 3,
);

it(
  'whatever an instance answers, clients can read what comes, and nobody else gets any of it',
  async () => {
    const { problem, passed } = await fuzzAnswers(running, shortMs, Date.now());
    expect(problem).toBeNull();
    expect(passed).toBeGreaterThan(20);
  },
  shortMs * 3,
);
