import type { ApiClient } from '../api/types.ts';
import type { Stored } from './rows.ts';

/** One client per connection, made on first use and made anew when the connection changed, whoever changed it. */
export interface Clients {
  of(stored: Stored): ApiClient;
  drop(id: string): void;
  stop(): Promise<void>;
}

export function createClients(make: (stored: Stored) => ApiClient): Clients {
  const made = new Map<string, { readonly revision: number; readonly client: ApiClient }>();
  const ending = new Set<Promise<void>>();

  const drop = (id: string): void => {
    const old = made.get(id)?.client.stop();
    made.delete(id);
    if (old === undefined) return;
    const settled = old.finally(() => ending.delete(settled));
    ending.add(settled);
  };

  return {
    of: (stored) => {
      const { id } = stored.connection;
      const known = made.get(id);
      if (known?.revision === stored.revision) return known.client;
      drop(id);
      const client = make(stored);
      made.set(id, { revision: stored.revision, client });
      return client;
    },
    drop,
    stop: async () => {
      for (const id of made.keys()) drop(id);
      await Promise.allSettled(ending);
    },
  };
}
