import { afterEach, expect, test } from 'vitest';

import { startSandbox, type Sandbox } from '#sandbox/server.ts';

import { tellEnds } from './job-notices.ts';
import { isolate, openWorld, type World } from '#core/work/jobs/testing/world.ts';
import type { RaisedNotice } from '#core/service/settings/notices.ts';

let world: World<Sandbox>;

afterEach(() => world.stop());

test('the end of a job is told once, with what came of it', async () => {
  world = await openWorld((now) => startSandbox({ port: 0, computers: 120, seed: 'notices', now }));
  const { jobs, carryOut } = await world.start();
  const raised: RaisedNotice[] = [];
  const stop = tellEnds(jobs, (notice) => void raised.push(notice));
  const { id } = await carryOut(isolate, world.ready(3));
  await new Promise((resolve) => setImmediate(resolve));
  expect(raised).toEqual([
    { kind: 'job_finished', title: 'Job ended: Isolate 3 computers', body: '3 done.', open: `/jobs/${id}` },
  ]);
  stop();
});
