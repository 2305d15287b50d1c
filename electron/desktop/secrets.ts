import { safeStorage } from 'electron';

import type { SecretStore } from '#core/base/ports.ts';

import { openEncryptedSecrets } from './secret-file.ts';

/** Keys under the operating system's protection. Call when the application is ready. */
export function openDesktopSecrets(profile: string): SecretStore {
  return openEncryptedSecrets(profile, {
    isAvailable: () => safeStorage.isAsyncEncryptionAvailable(),
    backend: () => (process.platform === 'linux' ? safeStorage.getSelectedStorageBackend() : undefined),
    encrypt: (text) => safeStorage.encryptStringAsync(text),
    decrypt: async (encrypted) => {
      const { result, shouldReEncrypt } = await safeStorage.decryptStringAsync(encrypted);
      return { text: result, shouldEncryptAgain: shouldReEncrypt };
    },
  });
}
