import { createHash } from 'node:crypto';

import { expect, test } from 'vitest';

import { commonContent, readFileHash, shortHash } from './file-hash.ts';

const of = (content: string | Buffer, kind = 'sha256'): string => createHash(kind).update(content).digest('hex');
const hash = of('a file');

test.each([hash, hash.toUpperCase(), `  ${hash}\n`, `"${hash}"`, `sha256:${hash}`, `SHA-256 = ${hash}`, `${hash},`])(
  'a SHA-256 is read out of %j',
  (typed) => expect(readFileHash(typed)).toEqual({ kind: 'sha256', value: hash }),
);

test.each([
  [of('x', 'md5'), 'This is an MD5. File lists hold SHA-256 only'],
  [of('x', 'sha1'), 'This is a SHA-1.'],
  [of('x', 'sha512'), 'This is a SHA-512.'],
  [of('', 'md5'), 'This is an MD5 (that of the empty file).'],
  [of('', 'sha1'), 'This is a SHA-1 (that of the empty file).'],
  [hash.slice(1), 'these are 63: something is missing'],
  [`${hash}0`, 'these are 65: something is too much'],
  [`${hash.slice(1)}g`, 'here is “g” among them'],
  [`${hash.slice(0, 20)} ${hash.slice(21)}`, 'here is a blank among them'],
  ['0'.repeat(64), 'zeros'],
])('%j is told to be what it is', (typed, message) => {
  expect(readFileHash(typed)).toMatchObject({ kind: 'problem', message: expect.stringContaining(message) });
});

test('nothing typed is no mistake', () => expect(readFileHash('  ')).toEqual({ kind: 'nothing' }));

test('contents that lie on every computer are known, and the empty file is refused', () => {
  expect(commonContent(of('').toUpperCase())).toEqual({ what: 'the empty file', refused: true });
  expect(commonContent(of('\n'))).toMatchObject({ refused: false });
  expect(commonContent(of(Buffer.alloc(1)))).toMatchObject({ refused: false });
  expect(commonContent(hash)).toBeNull();
});

test('a hash is shortened to its beginning', () => expect(shortHash(hash)).toBe(`${hash.slice(0, 12)}…`));
