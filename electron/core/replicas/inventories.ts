/** The local copies of this process, one for each connection, opened on first use. */
import { join } from 'node:path';

import type { Connection } from '#shared/model/connection.ts';

import type { ApiClient } from '#core/service/api/types.ts';
import type { Connections } from '#core/service/connections/types.ts';
import { openInventory } from './computers/inventory.ts';
import { inventorySource } from './computers/source.ts';
import type { Inventory } from './computers/types.ts';
import type { LabelReader } from '#core/service/labels/labels.ts';
import { perConnection, type PerConnection } from './per-connection.ts';
import type { Clock } from '#core/base/ports.ts';

export type Inventories = PerConnection<Inventory>;

export interface InventoriesOptions {
  readonly profile: string;
  readonly clock: Clock;
  readonly connections: Pick<Connections, 'find' | 'client'>;
  /** Whether what an earlier process kept of this connection is to be thrown away. */
  readonly worthless: (connection: Connection) => boolean;
  /** Whether a window waits for this process: what takes long is written behind the scenes then. */
  readonly console: boolean;
  readonly labels: (connection: string) => LabelReader;
  readonly onOpen: (connection: Connection, copy: Inventory) => void;
  readonly onChange: (connection: string, change: { readonly guid: string | null }) => void;
}

export function createInventories(options: InventoriesOptions): Inventories {
  return perConnection({
    ...options,
    pathOf: (id) => inventoryPath(options.profile, id),
    make: (id) => openCopy(options, id),
    onOpen: (connection, made) => {
      made.onChange((change) => options.onChange(connection.id, change));
      options.onOpen(connection, made);
    },
  });
}

/** Where the local copy of a connection lies; the command line opens the same file. */
export function inventoryPath(profile: string, connection: string): string {
  return join(profile, 'inventory', `${connection}.db`);
}

/** Opens the local copy of one connection by itself, without the rest of the application. */
export function openConnectionInventory(options: {
  readonly profile: string;
  readonly clock: Clock;
  readonly connection: string;
  readonly client: ApiClient;
  readonly background?: boolean;
  readonly labels?: LabelReader;
}): Inventory {
  const { profile, clock, connection, client, background, labels } = options;
  return openInventory({
    path: inventoryPath(profile, connection),
    clock,
    source: inventorySource(client),
    background,
    labels,
  });
}

function openCopy(options: InventoriesOptions, connection: string): Inventory {
  const { profile, clock, connections } = options;
  const client = currentClient(connections, connection);
  const labels = options.labels(connection);
  return openConnectionInventory({ profile, clock, connection, client, background: options.console, labels });
}

/** Always the client that the connection has now: a changed key or address makes a new one. */
export function currentClient(connections: Pick<Connections, 'client'>, connection: string): ApiClient {
  const now = (): ApiClient => connections.client(connection);
  return {
    call: async (request, options) => now().call(request, options),
    budget: () => now().budget(),
    link: () => now().link(),
    clockSkewMs: () => now().clockSkewMs(),
    onChange: (listener) => now().onChange(listener),
    // It belongs to the connections, which stop it.
    stop: () => Promise.resolve(),
  };
}
