import type { SecretStore } from '../../ports.ts';

/** Secrets in memory; `fail` makes the store unusable. */
export function memorySecrets(): SecretStore & { fail: boolean; readonly names: () => string[] } {
  const kept = new Map<string, string>();
  const store = {
    kind: 'memory',
    fail: false,
    names: () => [...kept.keys()],
    unavailable: async () => (store.fail ? 'The secret store is switched off.' : null),
    read: async (name: string) => kept.get(name),
    write: async (name: string, value: string) => void kept.set(name, value),
    remove: async (name: string) => void kept.delete(name),
  };
  return store;
}
