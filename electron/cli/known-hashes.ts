/** What stored events say of hashes, so that a harmless file needs a typed confirmation here as in the window. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';

import { eventSource } from '#core/events/source.ts';
import { openEventStore } from '#core/events/store.ts';
import type { EventStore } from '#core/events/types.ts';
import type { KnownHashes } from '#core/guards/targets.ts';

import type { Session } from './session.ts';

export interface KnownByEvents {
  readonly known: KnownHashes;
  stop(): Promise<void>;
}

/** Stores are opened when they are first asked, and only where the console has made one. */
export function knownByEvents({ ports, profile }: Session): KnownByEvents {
  const open = new Map<string, EventStore>();
  const storeOf = (connection: string): EventStore | undefined => {
    const path = join(ports.profile, 'events', `${connection}.db`);
    if (!open.has(connection) && !existsSync(path)) return undefined;
    const source = eventSource(profile.connections.client(connection));
    const store =
      open.get(connection) ?? openEventStore({ path, clock: ports.clock, source, groupNames: () => new Map() });
    open.set(connection, store);
    return store;
  };
  return {
    known: (connection, hashes) => {
      const store = storeOf(connection);
      if (store === undefined) return new Map();
      return new Map(
        hashes.map((hash) => {
          const { computers, dispositions } = store.seen(hash);
          const clean = dispositions.some((word) => word.toLowerCase() === 'clean');
          return [hash, { prevalence: computers, clean }];
        }),
      );
    },
    stop: async () => {
      for (const store of open.values()) await store.stop();
    },
  };
}
