import { createCipheriv, createDecipheriv, hkdfSync, scrypt } from 'node:crypto';
import { basename } from 'node:path';

import { CordonError } from '#shared/contract/errors.ts';

import { readPrivate, writePrivate } from './secrets-file.ts';

const nonceBytes = 12;
const tagBytes = 16;
const keyBytes = 32;
const purpose = 'cordon secrets v1';

/** Base64 of nonce, tag and ciphertext. The name is authenticated: a value cannot be moved to another name. */
export function seal(key: Buffer, name: string, value: string, random: (bytes: number) => Uint8Array): string {
  const nonce = random(nonceBytes);
  const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(associated(name));
  const body = Buffer.concat([cipher.update(value, 'utf8'), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), body]).toString('base64');
}

/** `undefined` when the key is another one, or the value was changed or moved. */
export function open(key: Buffer, name: string, sealed: string): string | undefined {
  const bytes = Buffer.from(sealed, 'base64');
  if (bytes.length < nonceBytes + tagBytes) return undefined;
  const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, nonceBytes), { authTagLength: tagBytes })
    .setAAD(associated(name))
    .setAuthTag(bytes.subarray(nonceBytes, nonceBytes + tagBytes));
  try {
    return Buffer.concat([decipher.update(bytes.subarray(nonceBytes + tagBytes)), decipher.final()]).toString('utf8');
  } catch {
    return undefined;
  }
}

/** scrypt with r = 8, p = 1 (RFC 7914); with N = 2^15 about 0.1 s and 32 MB. */
export function derivePassphraseKey(passphrase: string, salt: string, cost: number): Promise<Buffer> {
  const settings = { N: cost, r: 8, p: 1, maxmem: 256 * cost * 8 };
  return new Promise((resolve, reject) => {
    scrypt(passphrase.normalize('NFKC'), Buffer.from(salt, 'base64'), keyBytes, settings, (error, key) => {
      if (error === null) resolve(key);
      else reject(error);
    });
  });
}

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
  const key = Buffer.from(text.toString('latin1').trim(), 'base64');
  if (key.length === keyBytes) return key;
  throw new CordonError('secret_unavailable', `The key file ${basename(path)} is damaged; it was left as it is.`);
}

/** Keeps the key file that is there, if it is good. */
export function createKeyFile(path: string, random: (bytes: number) => Uint8Array): void {
  if (readPrivate(path) === undefined) writePrivate(path, `${Buffer.from(random(keyBytes)).toString('base64')}\n`);
  readKeyFile(path);
}

function associated(name: string): Buffer {
  return Buffer.from(`${purpose}\0${name}`, 'utf8');
}
