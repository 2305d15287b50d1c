/** What a log of very many entries needs: windows anywhere, threads of old entries, an index that catches up by itself. */
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setImmediate } from 'node:timers/promises';

import { afterEach, beforeEach, expect, test } from 'vitest';

import { createWorld, type World } from '#core/store/testing/world.ts';
import { openIncidentLog } from './log.ts';
import type { IncidentLog } from './types.ts';

let world: World;
let log: IncidentLog;

beforeEach(() => {
  world = createWorld();
  const path = join(world.folder, 'incidents.db');
  log = openIncidentLog({ path, clock: world.clock, random: world.random, operator: 'ada' });
});
afterEach(() => {
  log.stop();
  world.remove();
});

const note = (message: string, about: string | null = null) =>
  log.append({ kind: 'note', surface: 'screen', message, about });

/** How far the index is. */
function indexed(): number {
  const database = new DatabaseSync(join(world.folder, 'incidents-search.db'));
  try {
    return Number(database.prepare('SELECT seq FROM progress').get()?.['seq']);
  } finally {
    database.close();
  }
}

test('the first search does not wait for the index: it answers row by row, and the index is filled behind it', async () => {
  for (let index = 0; index < 1200; index += 1) note(`seen on FIN-LT-${index}`);
  const asked = { text: 'fin-lt-7', limit: 1000 };
  const first = log.query(asked);
  expect(first.matching).toBe(111);
  expect(indexed()).toBe(500);
  expect(log.query(asked)).toEqual(first);
  while (indexed() < 1200) await setImmediate();
  expect(log.query(asked)).toEqual(first);
  note('seen on FIN-LT-7 again');
  expect(log.query(asked).matching).toBe(112);
  expect(indexed()).toBe(1201);
});

test('a log that is closed while the index is filled leaves nothing running', async () => {
  for (let index = 0; index < 600; index += 1) note(`entry ${index}`);
  log.query({ text: 'entry', limit: 1 });
  log.stop();
  await setImmediate();
  expect(indexed()).toBe(500);
});

test('an entry is told with the intent that it belongs to and with all that is about either', () => {
  const intent = note('the intent');
  note('of nothing here');
  const outcome = note('the outcome', intent.id);
  const remark = note('a remark on the intent', intent.id);
  const further = note('a remark on the outcome', outcome.id);
  const ids = (id: string) => log.thread(id).map((entry) => entry.id);
  expect(ids(outcome.id)).toEqual([further.id, remark.id, outcome.id, intent.id]);
  expect(ids(intent.id)).toEqual([remark.id, outcome.id, intent.id]);
  expect(ids('none')).toEqual([]);
});

test('numbers after an entry, entries by their numbers, and the number of the last entry before a time', () => {
  const entries = ['one', 'two', 'three', 'four'].map((message) => {
    world.clock.advance(1000);
    return note(message);
  });
  expect(log.newest()).toBe(4);
  expect(log.seqsAfter({}, 2)).toEqual([3, 4]);
  expect(log.seqsAfter({}, 4)).toEqual([]);
  expect(log.seqsAfter({ text: 'three' }, 0)).toEqual([3]);
  expect(log.seqsAfter({ text: 'o' }, 0)).toEqual([1, 2, 4]);
  expect(log.entriesAt([3, 1])).toEqual([entries[2], entries[0]]);
  expect(log.entriesAt([9])).toEqual([]);
  expect(log.earliestAfter(2)).toBe(entries[2]?.at);
  expect(log.earliestAfter(4)).toBeNull();
  const times = entries.map(({ at }) => at);
  expect(log.seqsBefore([...times.toReversed(), '2999-01-01T00:00:00.000Z'])).toEqual([3, 2, 1, 0, 4]);
  expect(log.seqsBefore([])).toEqual([]);
});
