import { CordonError } from '#shared/contract/errors.ts';

import type { SecretStore } from '../ports.ts';

/** API keys of connections in the host's secret store. */
export interface Keys {
  /** Throws `secret_unavailable`. */
  read(id: string, name: string): Promise<string>;
  /** Puts the key in (`undefined` takes it out) for as long as `work` succeeds; what was there before comes back when it throws. */
  during<T>(id: string, key: string | undefined, work: () => T): Promise<T>;
}

export function openKeys(secrets: SecretStore): Keys {
  return {
    read: async (id, name) => {
      const key = await secrets.read(secretName(id));
      if (key !== undefined) return key;
      throw new CordonError(
        'secret_unavailable',
        `The API key of ${name} is not in the secret store; enter it again.`,
        { field: 'apiKey' },
      );
    },
    during: async (id, key, work) => {
      const problem = await secrets.unavailable();
      if (problem !== null) throw new CordonError('secret_unavailable', problem);
      // A damaged key can be replaced and removed like any other; it only cannot come back.
      const before = await secrets.read(secretName(id)).catch(() => undefined);
      await put(secrets, id, key);
      try {
        return work();
      } catch (error) {
        await put(secrets, id, before);
        throw error;
      }
    },
  };
}

function put(secrets: SecretStore, id: string, key: string | undefined): Promise<void> {
  return key === undefined ? secrets.remove(secretName(id)) : secrets.write(secretName(id), key);
}

function secretName(id: string): string {
  return `connection/${id}/api-key`;
}
