import { expect, test } from 'vitest';

import { bytesInWords, rereadPrice } from './words.ts';

test('sizes are told in words', () => {
  expect([0, 512, 1000, 4096, 12_000, 3_400_000, 1_200_000_000].map(bytesInWords)).toEqual([
    '0',
    '512 B',
    '1.0 kB',
    '4.1 kB',
    '12 kB',
    '3.4 MB',
    '1.2 GB',
  ]);
});

test('what a copy costs again is told in calls', () => {
  expect(rereadPrice({ kind: 'computers', records: 2000 })).toBe('read again: about 4 calls');
  expect(rereadPrice({ kind: 'events', records: 1 })).toBe('read again: about 1 call');
  expect(rereadPrice({ kind: 'directory', records: null })).toContain('1 call each');
  expect(rereadPrice({ kind: 'trajectories', records: null })).toContain('1 call each');
  expect(rereadPrice({ kind: 'audit', records: null })).toBe('read again: 1 call for 500');
});
