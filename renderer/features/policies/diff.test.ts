import { expect, test } from 'vitest';

import { diffOf, fieldTitle } from './diff.ts';

test('fields stand side by side, and what is another for each is left out', () => {
  const lines = diffOf(
    { guid: '1', name: 'Protect', serial_number: 41, default: true },
    { guid: '2', name: 'Server', serial_number: 41, default: false },
  );
  expect(lines).toEqual([
    { field: 'name', a: 'Protect', b: 'Server', isSame: false },
    { field: 'serial_number', a: '41', b: '41', isSame: true },
    { field: 'default', a: 'true', b: 'false', isSame: false },
  ]);
});

test('named things are compared by GUID, one line each', () => {
  const list = (guid: string, name: string) => ({ guid, name, type: 'simple_custom_detections' });
  const lines = diffOf({ file_lists: [list('1', 'Main'), list('2', 'Old')] }, { file_lists: [list('1', 'Main')] });
  expect(lines.map(({ a, b, isSame }) => [a, b, isSame])).toEqual([
    ['Main (simple_custom_detections)', 'Main (simple_custom_detections)', true],
    ['Old (simple_custom_detections)', '', false],
  ]);
});

test('a field that only one of them has stands alone, an empty list is none', () => {
  expect(diffOf({ exclusion_sets: [] }, { exclusion_sets: [{ guid: 'e', name: 'SQL' }] })).toEqual([
    { field: 'exclusion_sets', a: '', b: 'SQL', isSame: false },
  ]);
  expect(diffOf({ mode: { audit: true } }, {})).toEqual([{ field: 'mode', a: '{"audit":true}', b: '', isSame: false }]);
});

test('fields have titles, unknown ones their own name', () => {
  expect(fieldTitle('file_lists')).toBe('File list');
  expect(fieldTitle('some_new_field')).toBe('Some new field');
});
