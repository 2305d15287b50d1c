import { afterEach, beforeEach, describe, expect, test } from 'vitest';

import { startSandbox, type Sandbox } from '#sandbox/server.ts';

import { isolate, openWorld, release, type Process, type World } from './testing/world.ts';

let world: World<Sandbox>;
let one: Process;

beforeEach(async () => {
  world = await openWorld((now) => startSandbox({ port: 0, computers: 400, seed: 'jobs', now }));
  one = await world.start();
});
afterEach(() => world.stop());

describe('from a plan to what is seen', () => {
  test('a job isolates its frozen targets and ends when each is seen isolated', async () => {
    const targets = world.ready(12);
    const plan = await one.jobs.plan({ connection: 'sandbox', action: isolate, targets });
    expect(plan.waves).toEqual([1, 5, 6]);
    expect(plan.confirmation).toEqual({ kind: 'count', expected: 12 });
    expect(world.sent('PUT')).toBe(0);
    await one.jobs.apply({ plan: plan.id, confirm: '12', surface: 'cli' });
    const end = await one.jobs.settled(plan.id);
    expect(one.troubles).toEqual([]);
    expect(end).toMatchObject({ phase: 'done', targets: 12, counts: { done: 12 }, because: null });
    expect(targets.map(world.status)).toEqual(targets.map(() => 'isolated'));
    expect(world.sent('PUT')).toBe(12);
    const { rows } = one.jobs.receipts({ job: plan.id, offset: 0, limit: 500 });
    for (const { observed, requestedAt, acceptedAt, observedAt } of rows) {
      expect(observed).toBe('isolated');
      expect([requestedAt, acceptedAt, observedAt]).toEqual([requestedAt, acceptedAt, observedAt].toSorted());
    }
  });

  test('a release goes in one wave', async () => {
    const targets = world.ready(3);
    await one.carryOut(isolate, targets);
    expect(await one.carryOut(release, targets)).toMatchObject({ phase: 'done', counts: { done: 3 }, wave: { of: 1 } });
    expect(targets.map(world.status)).toEqual(targets.map(() => 'not_isolated'));
  });
});
