import { expect, test } from 'vitest';

import { fieldsOf } from './fields.ts';
import { unknownOf } from './words.ts';

test('fields are paths, lists of plain values one line, and numbers keep their digits', () => {
  expect(fieldsOf('{"id":6419145890424881174,"file":{"names":["a","b"],"parts":[{"x":null}]},"none":[]}')).toEqual([
    { name: 'id', value: '6419145890424881174' },
    { name: 'file.names', value: 'a b' },
    { name: 'file.parts.0.x', value: 'null' },
    { name: 'none', value: '' },
  ]);
});

test('types that are not known are told with their counts', () => {
  expect(unknownOf({ unknown: [] })).toBeNull();
  expect(
    unknownOf({
      unknown: [
        { type: 'A', count: 2 },
        { type: 'B', count: 1 },
      ],
    }),
  ).toBe('3 events are of a type that is not known here: A (2), B (1).');
});
