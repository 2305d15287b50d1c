/** The local copies of this process, one for each connection, opened on first use. */
import { rmSync } from 'node:fs';
import { join } from 'node:path';

import type { Connection } from '#shared/model/connection.ts';

import type { ApiClient } from './api/types.ts';
import type { Connections } from './connections/types.ts';
import { openInventory } from './inventory/inventory.ts';
import { inventorySource } from './inventory/source.ts';
import type { Inventory } from './inventory/types.ts';
import type { LabelReader } from './labels/labels.ts';
import type { Clock } from './ports.ts';

export interface Inventories {
  /** Opens it where needed. Throws `unknown_connection`, or what keeps the file from being opened. */
  open(connection: string): Inventory;
  /** Only if it is open. */
  opened(connection: string): Inventory | undefined;
  /** Stops the copy of a connection that was removed or leads elsewhere now, and deletes its file. */
  forget(connection: string): Promise<void>;
  stop(): Promise<void>;
}

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
  const open = new Map<string, Inventory>();
  const stopOne = async (id: string, copy: Inventory): Promise<void> => {
    open.delete(id);
    await copy.stop();
  };
  return {
    open(connection) {
      const found = options.connections.find(connection);
      const { id } = found;
      const known = open.get(id);
      if (known !== undefined) return known;
      if (options.worthless(found)) filesOf(options.profile, id).forEach((file) => rmSync(file, { force: true }));
      const made = openCopy(options, id);
      open.set(id, made);
      made.onChange((change) => options.onChange(id, change));
      options.onOpen(found, made);
      return made;
    },
    opened: (connection) => open.get(connection),
    async forget(connection) {
      // Whoever asked meanwhile opened it anew. Nothing comes between the last look and the deletion.
      for (let copy = open.get(connection); copy !== undefined; copy = open.get(connection))
        await stopOne(connection, copy);
      for (const file of filesOf(options.profile, connection)) rmSync(file, { force: true });
    },
    async stop() {
      await Promise.all([...open].map(([id, copy]) => stopOne(id, copy)));
    },
  };
}

/** Where the local copy of a connection lies; the command line opens the same file. */
export function inventoryPath(profile: string, connection: string): string {
  return join(profile, 'inventory', `${connection}.db`);
}

function filesOf(profile: string, connection: string): readonly string[] {
  return ['', '-wal', '-shm'].map((end) => `${inventoryPath(profile, connection)}${end}`);
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
