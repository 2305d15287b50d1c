import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

import type { SecretStore } from '#core/base/ports.ts';
import { derivePassphraseKey, seal, unseal } from '#core/base/sealing.ts';
import { isHeld, tryLockFile } from '#core/store/lock-file.ts';
import { CordonError } from '#shared/contract/errors.ts';

import { createKeyFile, expandFileKey, purpose, readKeyFile } from './secrets-crypto.ts';
import { readVault, writeVault, type Vault, type VaultKey } from './secrets-file.ts';

export interface FileSecretOptions {
  /** The profile's folder. */
  readonly folder: string;
  /** Asked once, when the first secret is needed. Without one the key lies in `secrets.key`, mode 0600. */
  readonly passphrase?: () => Promise<string | undefined>;
  random(bytes: number): Uint8Array;
}

const lockPatienceMs = 5000;
/** Sealed into a new file, so that a wrong passphrase is noticed before anything is written with it. */
const proof = 'cordon';
const proofName = '';

/**
 * Secrets in `secrets.json`, each sealed with AES-256-GCM under its own name. The key comes from a passphrase (scrypt)
 * or from `secrets.key`; the file itself says which. Nothing is ever written over a file that cannot be read.
 */
export function openFileSecretStore(options: FileSecretOptions): SecretStore {
  const paths = { vault: join(options.folder, 'secrets.json'), key: join(options.folder, 'secrets.key') };
  const keys = keyring(options, paths.key);

  const change = (edit: (vault: Vault, key: Buffer) => Vault): Promise<void> =>
    withLock(`${paths.vault}.lock`, async () => {
      const vault = readVault(paths.vault) ?? (await createVault(options, keys));
      writeVault(paths.vault, edit(vault, await keys.of(vault)));
    });

  return {
    get kind() {
      return kinds[madeWith(options, paths.vault)];
    },
    unavailable: async () => {
      try {
        const vault = readVault(paths.vault);
        if (vault !== undefined) await keys.of(vault);
        return null;
      } catch (error) {
        if (!(error instanceof CordonError)) return `The secrets cannot be read: ${String(error)}`;
        return [error.message, error.details.fix ?? ''].join(' ').trim();
      }
    },
    read: async (name) => {
      const vault = readVault(paths.vault);
      const sealed = vault?.entries[name];
      return vault === undefined || sealed === undefined ? undefined : openEntry(await keys.of(vault), name, sealed);
    },
    write: (name, value) =>
      change((vault, key) => ({
        ...vault,
        entries: { ...vault.entries, [name]: seal({ key, purpose, name }, value, options.random) },
      })),
    ...(options.passphrase !== undefined &&
      madeWith(options, paths.vault) === 'passphrase' && {
        checkPassphrase: (text: string) => opensWith(readVault(paths.vault), text),
      }),
    remove: async (name) => {
      if (readVault(paths.vault)?.entries[name] === undefined) return;
      await change((vault) => ({
        ...vault,
        entries: Object.fromEntries(Object.entries(vault.entries).filter(([other]) => other !== name)),
      }));
    },
  };
}

const kinds = {
  key_file: 'encrypted file; its key lies beside it in secrets.key, so whoever can read the profile can read the keys',
  passphrase: 'encrypted file under the passphrase of this profile',
} as const satisfies Record<VaultKey['kind'], string>;

/** A passphrase that is given later does not change what an existing file was made with. */
function madeWith({ passphrase }: FileSecretOptions, path: string): VaultKey['kind'] {
  const asked = passphrase === undefined ? 'key_file' : 'passphrase';
  try {
    return readVault(path)?.key.kind ?? asked;
  } catch {
    return asked;
  }
}

/** A file with a key file has no passphrase to compare with; nor has one that does not exist yet. */
async function opensWith(vault: Vault | undefined, text: string): Promise<boolean> {
  if (vault?.key.kind !== 'passphrase') return false;
  const key = await derivePassphraseKey(text, vault.key.salt, vault.key.cost);
  return unseal({ key, purpose, name: proofName }, vault.proof) === proof;
}

interface Keyring {
  /** The key of this file, proved to be right. Throws `secret_unavailable`. */
  of(vault: Vault): Promise<Buffer>;
  /** How a new file's key is made. */
  describe(): Promise<VaultKey>;
  make(described: VaultKey): Promise<Buffer>;
}

/** Deriving a key from a passphrase is slow by design, so it is done once per process and file. */
function keyring(options: FileSecretOptions, keyPath: string): Keyring {
  const known = new Map<string, Promise<Buffer>>();
  let asked: Promise<string | undefined> | undefined;
  const passphrase = (): Promise<string | undefined> =>
    (asked ??= options.passphrase?.() ?? Promise.resolve(undefined));

  const make = (described: VaultKey): Promise<Buffer> => {
    const id = JSON.stringify(described);
    const found = known.get(id) ?? derive(described, passphrase, keyPath);
    known.set(id, found);
    // A failure is not kept: the key file may be put right while this process runs.
    found.catch(() => known.delete(id));
    return found;
  };
  return {
    of: async (vault) => {
      const key = await make(vault.key);
      if (unseal({ key, purpose, name: proofName }, vault.proof) !== proof) throw wrongKey(vault.key);
      return key;
    },
    describe: async () => {
      const salt = Buffer.from(options.random(16)).toString('base64');
      if ((await passphrase()) !== undefined) return { kind: 'passphrase', salt, cost: 2 ** 15 };
      createKeyFile(keyPath, options.random);
      return { kind: 'key_file', salt };
    },
    make,
  };
}

async function derive(
  described: VaultKey,
  passphrase: () => Promise<string | undefined>,
  keyPath: string,
): Promise<Buffer> {
  if (described.kind === 'key_file') return expandFileKey(readKeyFile(keyPath), described.salt);
  const given = await passphrase();
  if (given !== undefined) return derivePassphraseKey(given, described.salt, described.cost);
  throw new CordonError(
    'secret_unavailable',
    'The secrets of this profile are protected by a passphrase, and none was given.',
  );
}

async function createVault(options: FileSecretOptions, keys: Keyring): Promise<Vault> {
  mkdirSync(options.folder, { recursive: true, mode: 0o700 });
  const described = await keys.describe();
  const sealing = { key: await keys.make(described), purpose, name: proofName };
  return { version: 1, key: described, proof: seal(sealing, proof, options.random), entries: {} };
}

function openEntry(key: Buffer, name: string, sealed: string): string {
  const value = unseal({ key, purpose, name }, sealed);
  if (value !== undefined) return value;
  throw new CordonError(
    'secret_unavailable',
    `The secret "${name}" in secrets.json was changed or damaged; enter it again.`,
  );
}

function wrongKey(described: VaultKey): CordonError {
  const message =
    described.kind === 'passphrase'
      ? 'The passphrase does not open the secrets of this profile.'
      : 'The key file secrets.key does not belong to secrets.json.';
  return new CordonError('secret_unavailable', message);
}

/** One process at a time changes the file; readers need no lock, because it is replaced as a whole. */
async function withLock<T>(path: string, work: () => Promise<T>): Promise<T> {
  const deadline = performance.now() + lockPatienceMs;
  for (;;) {
    const attempt = tryLockFile(path);
    if (isHeld(attempt)) {
      try {
        return await work();
      } finally {
        attempt.release();
      }
    }
    if (performance.now() > deadline) {
      throw new CordonError(
        'secret_unavailable',
        `The secrets are being changed by process ${attempt.holder.pid}; try again.`,
      );
    }
    await delay(10);
  }
}
