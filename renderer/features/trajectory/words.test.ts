import { expect, test } from 'vitest';

import { fieldsOf } from './fields.ts';
import { defanged, unknownOf } from './words.ts';

test('addresses and links are defanged, the rest stays', () => {
  expect(defanged('curl.exe connected to 203.0.113.66:443: https://a.example/x.js?q=1.2')).toBe(
    'curl.exe connected to 203[.]0[.]113[.]66:443: hxxps://a[.]example/x.js?q=1.2',
  );
  expect(defanged('http://203.0.113.66/a')).toBe('hxxp://203[.]0[.]113[.]66/a');
});

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
