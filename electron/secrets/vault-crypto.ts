import { hkdfSync } from 'node:crypto';
import { basename } from 'node:path';

import { keyBytes } from '#core/base/sealing.ts';
import { CordonError } from '#shared/contract/errors.ts';

import { readPrivate, writePrivate } from './vault-file.ts';

export const purpose = 'cordon secrets v1';

/** The key file is random already, so no slow function is needed. */
export function expandFileKey(fileKey: Buffer, salt: string): Buffer {
  return Buffer.from(hkdfSync('sha256', fileKey, Buffer.from(salt, 'base64'), purpose, keyBytes));
}

/** Base64 text of 32 bytes. Throws `secret_unavailable`. */
export function readKeyFile(path: string): Buffer {
  const text = readPrivate(path);
  if (text === undefined) {
    throw new CordonError(
      'secret_unavailable',
      `The key file ${basename(path)} is missing; without it the secrets of this profile cannot be read.`,
    );
  }
  const key = keyOf(text.toString('latin1'));
  if (key !== undefined) return key;
  throw new CordonError('secret_unavailable', `The key file ${basename(path)} is damaged; it was left as it is.`);
}

/** Base64 text of 32 bytes; `undefined` for anything else. */
export function keyOf(text: string | undefined): Buffer | undefined {
  const key = Buffer.from(text?.trim() ?? '', 'base64');
  return key.length === keyBytes ? key : undefined;
}

/** Keeps the key file that is there, if it is good. */
export function createKeyFile(path: string, random: (bytes: number) => Uint8Array): void {
  if (readPrivate(path) === undefined) writePrivate(path, `${Buffer.from(random(keyBytes)).toString('base64')}\n`);
  readKeyFile(path);
}
