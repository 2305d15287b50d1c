import { afterEach, beforeEach, expect, test } from 'vitest';

import { startSandbox, type Sandbox } from '#sandbox/server.ts';

import { createRunner } from '../commands/runner.ts';
import { openWorld, type Process, type World } from '../jobs/testing/world.ts';
import { remembering } from './before.ts';
import type { UndoList } from './types.ts';
import { openUndo } from './undo.ts';

let world: World<Sandbox>;
let one: Process;
let undo: UndoList;
let run: (name: string, args: Record<string, string>) => Promise<string | null>;

beforeEach(async () => {
  world = await openWorld((now) => startSandbox({ port: 0, computers: 300, seed: 'undo', now }));
  one = await world.start();
  const { connections, log, locks, guards, custody } = one.profile;
  const { clock } = world.ports;
  const plain = createRunner({ clock, connections, log, locks, guards, custody, inventory: () => one.inventory });
  const runner = remembering(plain, { inventory: () => one.inventory, directory: () => undefined });
  undo = openUndo({ clock, connections, log, runner, jobs: one.jobs, inventory: () => one.inventory });
  run = async (name, args) =>
    (await runner.run({ name, args, connection: 'sandbox', surface: 'screen', agreement: { reason: 'test' } })).entry;
  await one.inventory.refresh();
});
afterEach(() => world.stop());

function groups(count: number): readonly string[] {
  return world.sandbox.world.tenant.groups.slice(-count).map(({ guid }) => guid);
}

function groupOf(guid: string): string {
  const { fleet, tenant } = world.sandbox.world;
  const host = fleet.find(guid);
  return tenant.groups[host === undefined ? -1 : fleet.group(host)]?.guid ?? '';
}

test('a move is shown with the call that takes it back, taken back once, and the undo can be undone', async () => {
  const [guid = ''] = world.ready(1);
  const [to = ''] = groups(1);
  const from = groupOf(guid);
  const entry = await run('svc_move_computer', { connector_guid: guid, group_guid: to });
  const preview = await undo.preview('sandbox', entry ?? '');
  expect(preview.calls).toMatchObject([
    { id: guid, command: `svc_move_computer connector_guid=${guid} group_guid=${from}` },
  ]);
  expect(groupOf(guid)).toBe(to);
  await undo.apply({ connection: 'sandbox', id: entry ?? '', surface: 'screen' });
  expect(groupOf(guid)).toBe(from);
  const [second, first] = undo.list('sandbox');
  expect([first?.undoneAt, second?.undoneAt]).toEqual([expect.any(String), null]);
  await expect(undo.apply({ connection: 'sandbox', id: entry ?? '', surface: 'screen' })).rejects.toThrow('already');
  await undo.apply({ connection: 'sandbox', id: second?.id ?? '', surface: 'screen' });
  expect(groupOf(guid)).toBe(to);
});

test('what somebody changed since is not touched', async () => {
  const [guid = ''] = world.ready(1);
  const [other = '', to = ''] = groups(2);
  const entry = await run('svc_move_computer', { connector_guid: guid, group_guid: to });
  const { fleet, tenant } = world.sandbox.world;
  const host = fleet.find(guid);
  if (host !== undefined) fleet.change(host, { group: tenant.groups.findIndex((group) => group.guid === other) });
  await expect(undo.apply({ connection: 'sandbox', id: entry ?? '', surface: 'screen' })).rejects.toMatchObject({
    code: 'plan_drifted',
    details: { drift: [{ id: guid, found: { group: other } }] },
  });
  expect(groupOf(guid)).toBe(other);
});

test('a hash comes off its list again; what was there before it was removed is said to be unknown', async () => {
  const list = world.sandbox.world.tenant.lists.at(-1)?.guid ?? '';
  const item = { file_list_guid: list, sha256: 'a'.repeat(64) };
  const added = await run('svc_set_file_list_files_by_sha', item);
  await undo.apply({ connection: 'sandbox', id: added ?? '', surface: 'screen' });
  await run('svc_set_file_list_files_by_sha', { ...item, description: 'again' });
  const removed = await run('svc_delete_file_list_files_by_sha', item);
  expect(undo.list('sandbox').find(({ id }) => id === removed)?.impossible).toContain('not known');
});

test('a job goes back as jobs, one for each group that its computers came from', async () => {
  const targets = world.ready(8);
  const before = targets.map(groupOf);
  const [to = ''] = groups(1);
  const { id } = await one.carryOut({ kind: 'move', group: to, reason: 'tidying up' }, targets);
  const preview = await undo.preview('sandbox', `job:${id}`);
  expect(preview.calls).toHaveLength(8);
  expect(preview.plans).toHaveLength(new Set(before).size);
  const { jobs } = await undo.apply({ connection: 'sandbox', id: `job:${id}`, surface: 'screen' });
  for (const job of jobs) await one.jobs.settled(job);
  expect(targets.map(groupOf)).toEqual(before);
  expect(undo.list('sandbox').find((item) => item.id === `job:${id}`)?.undoneAt).not.toBeNull();
});

test('after a day it is gone from the list', async () => {
  const [guid = ''] = world.ready(1);
  await run('svc_move_computer', { connector_guid: guid, group_guid: groups(1)[0] ?? '' });
  expect(undo.list('sandbox')).toHaveLength(1);
  await world.ports.clock.advance(25 * 3_600_000);
  expect(undo.list('sandbox')).toEqual([]);
});
