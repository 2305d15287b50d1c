import type { SecretStore } from '#core/ports.ts';

export interface FileSecretOptions {
  /** The profile's folder. */
  readonly folder: string;
  /** Asked once, when the first secret is needed. Without one the key lies in `secrets.key`, mode 0600. */
  readonly passphrase?: () => Promise<string | undefined>;
  random(bytes: number): Uint8Array;
}

export function openFileSecretStore(_options: FileSecretOptions): SecretStore {
  throw new Error('not yet');
}
