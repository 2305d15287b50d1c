import { expect, test } from 'vitest';

import { columnsThatFit } from './fitting.ts';

const columns = [
  { id: 'name', width: 200 },
  { id: 'group', width: 150, yields: 1 },
  { id: 'system', width: 190, yields: 2 },
  { id: 'isolation', width: 120 },
];
const idsAt = (width: number) => columnsThatFit(columns, width).map(({ id }) => id);

test('all columns are there while there is room', () => {
  expect(idsAt(660)).toEqual(['name', 'group', 'system', 'isolation']);
});

test('the column that yields most goes first, the rest keeps its order', () => {
  expect(idsAt(659)).toEqual(['name', 'group', 'isolation']);
  expect(idsAt(469)).toEqual(['name', 'isolation']);
});

test('columns that do not yield stay, however narrow it is', () => {
  expect(idsAt(50)).toEqual(['name', 'isolation']);
});
