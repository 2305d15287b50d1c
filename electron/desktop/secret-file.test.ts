import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterEach, beforeEach, expect, test } from 'vitest';

import { openEncryptedSecrets, type Encryption } from './secret-file.ts';

let profile: string;
beforeEach(() => {
  profile = mkdtempSync(join(tmpdir(), 'cordon-desktop-'));
});
afterEach(() => rmSync(profile, { recursive: true }));

/** Turns bits around: enough to see whether the clear text reaches the disk. */
function encryption(change: Partial<Encryption> = {}): Encryption {
  const turn = (bytes: Buffer): Buffer => Buffer.from(bytes.map((byte) => byte ^ 0xff));
  return {
    isAvailable: async () => true,
    backend: () => 'gnome_libsecret',
    encrypt: async (text) => turn(Buffer.from(text)),
    decrypt: async (encrypted) => ({ text: turn(encrypted).toString(), shouldEncryptAgain: false }),
    ...change,
  };
}

test('a secret comes back after a restart and is never on the disk in the clear', async () => {
  await openEncryptedSecrets(profile, encryption()).write('key', 'canary-1234');
  expect(await openEncryptedSecrets(profile, encryption()).read('key')).toBe('canary-1234');
  expect(readFileSync(join(profile, 'desktop-secrets.json'), 'utf8')).not.toContain('canary');
  expect(statSync(join(profile, 'desktop-secrets.json')).mode & 0o777).toBe(0o600);
});

test('a removed secret is gone, the others stay', async () => {
  const secrets = openEncryptedSecrets(profile, encryption());
  await secrets.write('one', '1');
  await secrets.write('two', '2');
  await secrets.remove('one');
  expect([await secrets.read('one'), await secrets.read('two')]).toEqual([undefined, '2']);
});

test('a desktop without a password manager is refused, in words', async () => {
  const secrets = openEncryptedSecrets(profile, encryption({ backend: () => 'basic_text' }));
  expect(await secrets.unavailable()).toContain('in the clear');
  expect(secrets.kind).toBe('none');
  await expect(secrets.write('key', 'x')).rejects.toMatchObject({ code: 'secret_unavailable' });
});

test('a key store that cannot be used is said, not hidden', async () => {
  const secrets = openEncryptedSecrets(profile, encryption({ isAvailable: async () => false }));
  await expect(secrets.write('key', 'x')).rejects.toMatchObject({ code: 'secret_unavailable' });
});

test('after the system changed its key, a read secret is encrypted anew', async () => {
  const old = encryption();
  await openEncryptedSecrets(profile, old).write('key', 'x');
  const before = readFileSync(join(profile, 'desktop-secrets.json'), 'utf8');
  const rotated = encryption({
    decrypt: async (encrypted) => ({ ...(await old.decrypt(encrypted)), shouldEncryptAgain: true }),
    encrypt: async (text) => Buffer.from(`new:${text}`),
  });
  expect(await openEncryptedSecrets(profile, rotated).read('key')).toBe('x');
  expect(readFileSync(join(profile, 'desktop-secrets.json'), 'utf8')).not.toBe(before);
});

test('a damaged file is said to be so and left as it is', async () => {
  writeFileSync(join(profile, 'desktop-secrets.json'), '{"key":', { mode: 0o600 });
  const secrets = openEncryptedSecrets(profile, encryption());
  const damaged = { code: 'secret_unavailable', message: 'desktop-secrets.json is damaged; it was left as it is.' };
  await expect(secrets.read('key')).rejects.toMatchObject(damaged);
  await expect(secrets.write('key', 'x')).rejects.toMatchObject(damaged);
  expect(readFileSync(join(profile, 'desktop-secrets.json'), 'utf8')).toBe('{"key":');
});

test('a key that the system does not decrypt any more asks to be entered again', async () => {
  await openEncryptedSecrets(profile, encryption()).write('key', 'x');
  const changed = encryption({ decrypt: () => Promise.reject(new Error('wrong keychain')) });
  await expect(openEncryptedSecrets(profile, changed).read('key')).rejects.toMatchObject({
    code: 'secret_unavailable',
    details: { fix: 'Open Connections and enter the API key again.' },
  });
});
