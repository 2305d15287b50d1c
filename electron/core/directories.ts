/** The local copies of groups' details, policies and file lists of this process, one for each connection, opened on first use. */
import { rmSync } from 'node:fs';
import { join } from 'node:path';

import type { Connection } from '#shared/model/connection.ts';

import type { Connections } from './connections/types.ts';
import { openDirectory } from './directory/directory.ts';
import { directorySource } from './directory/source.ts';
import type { ComputerSource, Directory, SeenSource } from './directory/types.ts';
import type { EventStore } from './events/types.ts';
import { currentClient, type Inventories } from './inventories.ts';
import type { Clock } from './ports.ts';

export interface Directories {
  /** Opens it where needed. Throws `unknown_connection`, or what keeps the file from being opened. */
  open(connection: string): Directory;
  /** Only if it is open. */
  opened(connection: string): Directory | undefined;
  /** Stops the copy of a connection that was removed or leads elsewhere now, and deletes its file. */
  forget(connection: string): Promise<void>;
  stop(): Promise<void>;
}

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
  const open = new Map<string, Directory>();
  const stopOne = async (id: string, copy: Directory): Promise<void> => {
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
      made.onChange(() => options.onChange(id));
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

function filesOf(profile: string, connection: string): readonly string[] {
  return ['', '-wal', '-shm'].map((end) => `${directoryPath(profile, connection)}${end}`);
}
