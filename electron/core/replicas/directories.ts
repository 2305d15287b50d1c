/** The local copies of groups' details, policies and file lists of this process, one for each connection, opened on first use. */
import { join } from 'node:path';

import type { Connection } from '#shared/model/connection.ts';

import type { Connections } from '#core/service/connections/types.ts';
import { openDirectory } from './directory/directory.ts';
import { directorySource } from './directory/source.ts';
import type { ComputerSource, Directory, SeenSource } from './directory/types.ts';
import type { EventStore } from './events/types.ts';
import { currentClient, type Inventories } from './inventories.ts';
import { perConnection, type PerConnection } from './per-connection.ts';
import type { Clock } from '#core/base/ports.ts';

export type Directories = PerConnection<Directory>;

export interface DirectoriesOptions {
  readonly profile: string;
  readonly clock: Clock;
  readonly connections: Pick<Connections, 'find' | 'client'>;
  readonly inventories: Pick<Inventories, 'open'>;
  /** What stored events tell of hashes, where they are stored. */
  readonly seen: (connection: string) => Pick<EventStore, 'seen'> | undefined;
  /** Whether what an earlier process kept of this connection is to be thrown away. */
  readonly worthless: (connection: Connection) => boolean;
  readonly onChange: (connection: string) => void;
  readonly onTrouble: (message: string, error: unknown) => void;
}

export function createDirectories(options: DirectoriesOptions): Directories {
  return perConnection({
    ...options,
    pathOf: (id) => directoryPath(options.profile, id),
    make: (id) => openCopy(options, id),
    onOpen: ({ id }, made) => made.onChange(() => options.onChange(id)),
  });
}

function openCopy(options: DirectoriesOptions, connection: string): Directory {
  const { profile, clock, connections, inventories, onTrouble } = options;
  const seen: SeenSource = {
    seen: (hashes) => {
      const store = options.seen(connection);
      return new Map(store === undefined ? [] : hashes.map((hash) => [hash, store.seen(hash)] as const));
    },
  };
  return openDirectory({
    path: directoryPath(profile, connection),
    clock,
    source: directorySource(currentClient(connections, connection)),
    computers: computerSource(inventories, connection),
    seen,
    onTrouble,
  });
}

/** The local copy of computers as the directory sees it. */
function computerSource(inventories: Pick<Inventories, 'open'>, connection: string): ComputerSource {
  const copy = () => inventories.open(connection);
  return {
    cells: () => {
      const names = new Map(
        copy()
          .groups()
          .map(({ guid, name }) => [guid.toLowerCase(), name]),
      );
      return copy()
        .spread()
        .map((cell) => ({ ...cell, groupName: names.get(cell.groupGuid) ?? '' }));
    },
    complete: () => copy().state().phase === 'complete',
  };
}

function directoryPath(profile: string, connection: string): string {
  return join(profile, 'directory', `${connection}.db`);
}
