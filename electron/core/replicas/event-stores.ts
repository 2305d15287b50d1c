/** The stores of events of this process, one for each connection, opened on first use. */
import { join } from 'node:path';

import type { Connection } from '#shared/model/connection.ts';

import type { Connections } from '#core/service/connections/types.ts';
import { eventSource } from './events/source.ts';
import { openEventStore } from './events/store.ts';
import type { EventStore } from './events/types.ts';
import { currentClient, type Inventories } from './inventories.ts';
import { perConnection, type PerConnection } from './per-connection.ts';
import type { Clock } from '#core/base/ports.ts';

export type EventStores = PerConnection<EventStore>;

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
  return perConnection({
    ...options,
    pathOf: (id) => eventsPath(options.profile, id),
    make: (id) => openStore(options, id),
    onOpen: ({ id }, made) => made.onChange(() => options.onChange(id, made)),
  });
}

function openStore(options: EventStoresOptions, connection: string): EventStore {
  const { profile, clock, connections, inventories, keptEvents } = options;
  return openEventStore({
    path: eventsPath(profile, connection),
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

function eventsPath(profile: string, connection: string): string {
  return join(profile, 'events', `${connection}.db`);
}
