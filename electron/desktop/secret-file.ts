import { chmodSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';

import { z } from 'zod';

import type { SecretStore } from '#core/base/ports.ts';
import { CordonError } from '#shared/contract/errors.ts';

/** The operating system's encryption, as far as we use it. */
export interface Encryption {
  isAvailable(): Promise<boolean>;
  /** Linux only: which password manager holds the key; `undefined` elsewhere. */
  backend(): string | undefined;
  encrypt(text: string): Promise<Buffer>;
  decrypt(encrypted: Buffer): Promise<{ readonly text: string; readonly shouldEncryptAgain: boolean }>;
}

const schema = z.record(z.string(), z.string());
type Stored = Readonly<Record<string, string>>;

/** Secrets in a file of the profile, each encrypted with the operating system's key. */
export function openEncryptedSecrets(profile: string, encryption: Encryption): SecretStore {
  const file = join(profile, 'desktop-secrets.json');
  const usable = async (): Promise<void> => {
    const reason = await whyUnavailable(encryption);
    if (reason !== null) throw new CordonError('secret_unavailable', reason);
  };
  const put = async (name: string, value: string): Promise<void> => {
    const encrypted = await encryption.encrypt(value);
    save(file, { ...load(file), [name]: encrypted.toString('base64') });
  };
  return {
    kind: kindOf(encryption.backend()),
    unavailable: () => whyUnavailable(encryption),
    async read(name) {
      const encrypted = load(file)[name];
      if (encrypted === undefined) return undefined;
      await usable();
      const { text, shouldEncryptAgain } = await decrypted(encryption, Buffer.from(encrypted, 'base64'));
      // The system's key was changed; the old one may be gone next time.
      if (shouldEncryptAgain) await put(name, text);
      return text;
    },
    async write(name, value) {
      await usable();
      await put(name, value);
    },
    async remove(name) {
      const { [name]: _removed, ...rest } = load(file);
      save(file, rest);
    },
  };
}

/** As the store calls itself; every other name is shown as the system gives it. */
function kindOf(backend: string | undefined): string {
  if (backend === undefined) return 'key store of the operating system';
  if (backend === 'basic_text') return 'none';
  if (backend === 'gnome_libsecret') return 'GNOME Keyring';
  return backend.startsWith('kwallet') ? 'KWallet' : backend;
}

async function decrypted(encryption: Encryption, encrypted: Buffer): ReturnType<Encryption['decrypt']> {
  try {
    return await encryption.decrypt(encrypted);
  } catch (error) {
    throw new CordonError(
      'secret_unavailable',
      'The operating system does not decrypt this key any more.',
      { fix: 'Open Connections and enter the API key again.' },
      { cause: error },
    );
  }
}

async function whyUnavailable(encryption: Encryption): Promise<string | null> {
  // With this one, anybody who can read the file can read the keys.
  if (encryption.backend() === 'basic_text') {
    return 'This desktop has no password manager, so keys would lie here in the clear. Set up GNOME Keyring or KWallet, or use the headless console.';
  }
  if (!(await encryption.isAvailable())) return "The operating system's key store cannot be used.";
  return null;
}

function load(file: string): Stored {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return {};
    throw error;
  }
  return parsed(text, file);
}

/** Nothing is written over a file that cannot be read. */
function parsed(text: string, file: string): Stored {
  try {
    return schema.parse(JSON.parse(text));
  } catch (error) {
    throw new CordonError(
      'secret_unavailable',
      `${basename(file)} is damaged; it was left as it is.`,
      { fix: `Restore ${file} from a backup, or remove it and enter the API keys again.` },
      { cause: error },
    );
  }
}

function save(file: string, secrets: Stored): void {
  const next = `${file}.new`;
  writeFileSync(next, JSON.stringify(secrets), { mode: 0o600 });
  chmodSync(next, 0o600);
  renameSync(next, file);
}
