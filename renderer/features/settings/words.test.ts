import { expect, test } from 'vitest';

import { bytesInWords } from './words.ts';

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
