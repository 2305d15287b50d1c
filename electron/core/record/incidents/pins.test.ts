import { join } from 'node:path';

import { afterEach, beforeEach, describe, expect, test } from 'vitest';

import { createWorld, type World } from '#core/store/testing/world.ts';
import { openIncidentLog } from './log.ts';
import type { IncidentLog } from './types.ts';

let world: World;
let log: IncidentLog;

beforeEach(() => {
  world = createWorld();
  const { clock, random } = world;
  log = openIncidentLog({ path: join(world.folder, 'incidents.db'), clock, random, operator: 'ada' });
});
afterEach(() => {
  log.stop();
  world.remove();
});

const guid = 'd7fbcdb6-0a14-4e39-867e-02f5e1649497';
const note = (message: string) => log.append({ kind: 'note', surface: 'screen', message });
const pin = (id: string, pinned = true, reason = '') =>
  log.setPinned({ id, pinned, reason, incident: null, surface: 'screen' });
const pinnedSeqs = () => log.query({ pinned: true, limit: 100 }).entries.map(({ seq }) => seq);

describe('a pin', () => {
  test('is an entry of the chain about the entry, which stays as it was', async () => {
    const entry = note('beacon to 82.165.37.127');
    const pinned = pin(entry.id, true, 'first sign');
    expect(pinned).toMatchObject({ seq: 2, kind: 'evidence.pinned', about: entry.id, operator: 'ada' });
    const { head } = await log.verify();
    expect(pinned?.data).toEqual({ reason: 'first sign', seq: 1, hash: expect.stringMatching(/^[0-9a-f]{64}$/) });
    expect(head?.seq).toBe(2);
    expect(log.entry(entry.id)).toEqual(entry);
    expect(pinnedSeqs()).toEqual([1]);
    expect(log.pins().get(entry.id)).toMatchObject({ by: 'ada', reason: 'first sign' });
  });

  test('is taken back by a further entry, and can be set again', () => {
    const entry = note('a');
    pin(entry.id);
    expect(pin(entry.id, false)).toMatchObject({ seq: 3, kind: 'evidence.unpinned' });
    expect(pinnedSeqs()).toEqual([]);
    pin(entry.id);
    expect(pinnedSeqs()).toEqual([1]);
    expect(log.query({ limit: 100 }).matching).toBe(4);
  });

  test('that is there already adds nothing', () => {
    const entry = note('a');
    expect(pin(entry.id, false)).toBeNull();
    pin(entry.id);
    expect(pin(entry.id)).toBeNull();
    expect(log.query({ limit: 100 }).matching).toBe(2);
  });

  test('is refused about nothing and about a pin', () => {
    const entry = note('a');
    const pinned = pin(entry.id);
    expect(() => pin('nothing')).toThrow('no entry nothing');
    expect(() => pin(pinned?.id ?? '')).toThrow('A pin is not pinned itself');
  });

  test('of what was done elsewhere holds its evidence itself and is taken back like any other', () => {
    const own = log.append({
      kind: 'evidence.pinned',
      surface: 'screen',
      message: 'Somebody moved FIN-7.',
      data: { record: { event: 'update' } },
    });
    expect(pinnedSeqs()).toEqual([own.seq]);
    pin(own.id, false);
    expect(pinnedSeqs()).toEqual([]);
  });

  test('stands in every export', () => {
    const entry = note('beacon');
    note('another');
    pin(entry.id, true, '=cmd|first');
    const [header = '', first = '', second = ''] = [...log.export({ kinds: ['note'] }, 'csv')];
    expect(header).toContain(',pinned,pinned_for,');
    expect(first).toContain(`,2026-03-01T12:00:00.000Z,'=cmd|first,`);
    expect(second).not.toContain('cmd');
    expect([...log.export({ pinned: true }, 'jsonl')]).toEqual([
      expect.stringMatching(/"pinned":\{"at":"2026-03-01T12:00:00.000Z","by":"ada","reason":"=cmd\|first"\}\}\n$/),
    ]);
    expect([...log.export({}, 'md')].join('')).toContain('- Evidence: pinned 2026-03-01 12:00:00 by ada: =cmd');
    expect([...log.export({}, 'html')].join('')).toContain('<dt>Evidence</dt><dd>pinned 2026-03-01 12:00:00 by ada');
  });
});

describe('filters', () => {
  test('find a person, a time, a hash and what is pinned, also together', async () => {
    const sha256 = 'ab'.repeat(32);
    const first = note(`seen ${sha256.toUpperCase()}`);
    await world.clock.advance(60_000);
    note('later');
    pin(first.id);
    const seqs = (query: Parameters<IncidentLog['query']>[0] extends infer Q ? Partial<Q> : never) =>
      log.query({ limit: 100, ...query }).entries.map(({ seq }) => seq);
    expect(seqs({ hash: sha256 })).toEqual([3, 1]);
    expect(seqs({ hash: sha256, pinned: true })).toEqual([1]);
    expect(seqs({ operator: 'ada', until: '2026-03-01T12:01:00Z' })).toEqual([1]);
    expect(seqs({ operator: 'grace' })).toEqual([]);
    expect(log.people()).toEqual(['ada']);
  });
});

describe('the picture', () => {
  test('has a lane for each host that was touched, and the changes of each person in each hour', async () => {
    const change = (label: string, target: string) =>
      log.append({
        kind: 'command.requested',
        surface: 'screen',
        command: 'svc_put_computers_isolation',
        target: { guid: target, label },
        message: `Isolate ${label}.`,
      });
    const first = change('FIN-7', guid);
    log.append({
      kind: 'command.succeeded',
      surface: 'screen',
      about: first.id,
      command: 'svc_put_computers_isolation',
      target: first.target,
      message: 'Accepted.',
    });
    await world.clock.advance(3_600_000);
    change('FIN-7', guid.toUpperCase());
    change('HR-1', 'other');
    const { lanes, hosts, writes } = log.picture({});
    expect(hosts).toBe(2);
    expect(lanes.map(({ label, entries, marks }) => [label, entries, marks.length])).toEqual([
      ['HR-1', 1, 1],
      ['FIN-7', 3, 3],
    ]);
    expect(writes).toEqual([
      { operator: 'ada', hour: '2026-03-01T12:00:00.000Z', count: 1 },
      { operator: 'ada', hour: '2026-03-01T13:00:00.000Z', count: 2 },
    ]);
    expect(log.picture({ text: 'Accepted' }).lanes).toHaveLength(1);
  });

  test('leaves no change out of a long time: its steps are longer', async () => {
    for (let day = 0; day < 200; day += 1) {
      log.append({ kind: 'command.requested', surface: 'screen', command: 'svc_move_computer', message: 'Move it.' });
      await world.clock.advance(24 * 3_600_000);
    }
    const { writes, stepHours } = log.picture({});
    expect(stepHours).toBe(50);
    expect(writes[0]?.hour).toBe('2026-03-01T12:00:00.000Z');
    expect(writes.length).toBeLessThanOrEqual(96);
    expect(writes.reduce((sum, { count }) => sum + count, 0)).toBe(200);
  });
});
