/** The stores of events of this process, one for each connection, opened on first use. */
import { rmSync } from 'node:fs';
import { join } from 'node:path';

import type { Connection } from '#shared/model/connection.ts';

import type { Connections } from './connections/types.ts';
import { eventSource } from './events/source.ts';
import { openEventStore } from './events/store.ts';
import type { EventStore } from './events/types.ts';
import { currentClient, type Inventories } from './inventories.ts';
import type { Clock } from './ports.ts';

export interface EventStores {
  /** Opens it where needed. Throws `unknown_connection`, or what keeps the file from being opened. */
  open(connection: string): EventStore;
  /** Only if it is open. */
  opened(connection: string): EventStore | undefined;
  /** Stops the store of a connection that was removed or leads elsewhere now, and deletes its file. */
  forget(connection: string): Promise<void>;
  stop(): Promise<void>;
}

export interface EventStoresOptions {
  readonly profile: string;
  readonly clock: Clock;
  readonly connections: Pick<Connections, 'find' | 'client'>;
  readonly inventories: Pick<Inventories, 'open'>;
  /** Whether what an earlier process kept of this connection is to be thrown away. */
  readonly worthless: (connection: Connection) => boolean;
  /** How many events each store keeps. */
  readonly keptEvents: () => number;
  readonly onChange: (connection: string, store: EventStore) => void;
}

export function createEventStores(options: EventStoresOptions): EventStores {
  const open = new Map<string, EventStore>();
  const stopOne = async (id: string, store: EventStore): Promise<void> => {
    open.delete(id);
    await store.stop();
  };
  return {
    open(connection) {
      const found = options.connections.find(connection);
      const { id } = found;
      const known = open.get(id);
      if (known !== undefined) return known;
      if (options.worthless(found)) filesOf(options.profile, id).forEach((file) => rmSync(file, { force: true }));
      const made = openStore(options, id);
      open.set(id, made);
      made.onChange(() => options.onChange(id, made));
      return made;
    },
    opened: (connection) => open.get(connection),
    async forget(connection) {
      // Whoever asked meanwhile opened it anew. Nothing comes between the last look and the deletion.
      for (let store = open.get(connection); store !== undefined; store = open.get(connection))
        await stopOne(connection, store);
      for (const file of filesOf(options.profile, connection)) rmSync(file, { force: true });
    },
    async stop() {
      await Promise.all([...open].map(([id, store]) => stopOne(id, store)));
    },
  };
}

function openStore(options: EventStoresOptions, connection: string): EventStore {
  const { profile, clock, connections, inventories, keptEvents } = options;
  return openEventStore({
    path: join(profile, 'events', `${connection}.db`),
    clock,
    source: eventSource(currentClient(connections, connection)),
    keptEvents,
    groupNames: () =>
      new Map(
        inventories
          .open(connection)
          .groups()
          .map(({ guid, name }) => [guid.toLowerCase(), name]),
      ),
  });
}

function filesOf(profile: string, connection: string): readonly string[] {
  return ['', '-wal', '-shm'].map((end) => join(profile, 'events', `${connection}.db${end}`));
}
