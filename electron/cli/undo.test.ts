import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, beforeAll, expect, test } from 'vitest';

import { startSandbox, type Sandbox } from '#sandbox/server.ts';

import { run, type Ran, type RunOptions } from './testing/run.ts';

let sandbox: Sandbox;
let folder: string;

beforeAll(async () => {
  sandbox = await startSandbox({ port: 0, computers: 300, agentDelayMs: 0, seed: 'cli-undo' });
  folder = mkdtempSync(join(tmpdir(), 'cordon-cli-undo-'));
  const key = join(folder, 'key');
  writeFileSync(key, sandbox.apiKey, { mode: 0o600 });
  const service = ['--server', sandbox.url, '--client-id', sandbox.clientId, '--api-key-file', key];
  const { code, err } = await cordon(['connections', 'add', 'lab', ...service, '--writable']);
  if (code !== 0) throw new Error(err);
}, 60_000);
afterAll(async () => {
  await sandbox.stop();
  rmSync(folder, { recursive: true, force: true });
});

function cordon(argv: readonly string[], options?: RunOptions): Promise<Ran> {
  return run(['--profile', join(folder, 'profile'), ...argv], options);
}

function groupOf(guid: string): string {
  const { fleet, tenant } = sandbox.world;
  const host = fleet.find(guid);
  return tenant.groups[host === undefined ? -1 : fleet.group(host)]?.guid ?? '';
}

test('a job of moves is listed, shown with its calls, and taken back', async () => {
  const { tenant } = sandbox.world;
  const to = tenant.groups.at(-1)?.guid ?? '';
  const largest = Object.values(Object.groupBy(tenant.hosts, ({ guid }) => groupOf(guid))).toSorted(
    (one, other) => (other?.length ?? 0) - (one?.length ?? 0),
  )[0];
  const guids = (largest ?? []).slice(0, 6).map(({ guid }) => guid);
  const before = guids.map(groupOf);
  const move = ['job', 'move', '--targets', '-', '--group', to, '--reason', 'tidying up', '--confirm', '6'];
  const moved = await cordon([...move, '--json'], { stdin: guids.join('\n') });
  expect([moved.code, moved.err]).toEqual([0, '']);
  const [item] = JSON.parse((await cordon(['undo', 'list', '--json'])).out).data;
  expect(item).toMatchObject({ kind: 'move', targets: 6, impossible: null });
  const shown = await cordon(['undo', 'show', item.id]);
  expect(shown.out).toContain('6 changes to send');
  expect(guids.map(groupOf)).toEqual(Array(6).fill(to));
  const undone = await cordon(['undo', 'apply', item.id, '--json']);
  expect([undone.code, JSON.parse(undone.out).data.ended.length]).toEqual([0, 1]);
  expect(guids.map(groupOf)).toEqual(before);
  expect((await cordon(['undo', 'list'])).out).toContain('undone');
});

test('what is not on the list is said so', async () => {
  const { code, err } = await cordon(['undo', 'show', 'nothing']);
  expect([code > 1, err]).toEqual([true, expect.stringContaining('not on the undo list')]);
});
