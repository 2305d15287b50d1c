import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterEach, beforeEach, expect, test } from 'vitest';

import { startSandbox, type Sandbox } from '#sandbox/server.ts';
import { random } from '#sandbox/tenant/random.ts';

import { killLoop } from './testing/kill-loop.ts';

let folder: string;
let sandbox: Sandbox;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'cordon-kill-'));
  sandbox = await startSandbox({ port: 0, computers: 200, seed: 'kill', agentDelayMs: 20, budget: 1_000_000 });
});
afterEach(async () => {
  await sandbox.stop();
  rmSync(folder, { recursive: true, force: true });
});

/** The long form, 50 kills over 300 computers, is `npm run bench -- kill`. */
test('killed five times at any point, every computer ends isolated, exactly once, and the receipts say so', async () => {
  const { fleet, tenant } = sandbox.world;
  const targets = tenant.hosts
    .filter((host) => host.role === 'workstation' && fleet.available(host) && fleet.online(host))
    .filter((host) => fleet.isolation(host).status === 'not_isolated')
    .slice(0, 30)
    .map(({ guid }) => guid);
  const dice = random('kill', 1);
  const end = await killLoop({
    folder,
    service: sandbox,
    targets,
    kills: 5,
    mostChanges: 6,
    random: () => dice.int(1000) / 1000,
  });
  expect(end.killed).toBe(5);
  expect(end).toMatchObject({ phase: 'done', because: null, counts: { done: 30 } });
  expect(end.receipts.map(({ id, outcome, observed }) => [id, outcome, observed]).toSorted()).toEqual(
    targets.map((guid) => [guid, 'done', 'isolated']).toSorted(),
  );
  const taken = (guid: string): number =>
    sandbox.requests.filter(({ method, path, status }) => method === 'PUT' && path.includes(guid) && status === 200)
      .length;
  expect(targets.map(taken)).toEqual(targets.map(() => 1));
  expect(
    tenant.hosts
      .filter((host) => fleet.state(host).isolation !== undefined)
      .map(({ guid }) => guid)
      .toSorted(),
  ).toEqual(targets.toSorted());
}, 120_000);
