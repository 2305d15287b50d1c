/** One local copy for each connection: opened when it is first asked for, deleted with what it is a copy of. */
import type { Connection } from '#shared/model/connection.ts';

import type { Connections } from '#core/service/connections/types.ts';
import { removeDatabase } from '#core/store/database-files.ts';

export interface PerConnection<Copy> {
  /** Opens it where needed. Throws `unknown_connection`, or what keeps the file from being opened. */
  open(connection: string): Copy;
  /** Only if it is open. */
  opened(connection: string): Copy | undefined;
  /** Stops the copy of a connection that was removed or leads elsewhere now, and deletes its file. */
  forget(connection: string): Promise<void>;
  stop(): Promise<void>;
}

interface PerConnectionOptions<Copy> {
  readonly connections: Pick<Connections, 'find'>;
  /** Whether what an earlier process kept of this connection is to be thrown away. */
  readonly worthless: (connection: Connection) => boolean;
  /** Of its database. */
  readonly pathOf: (connection: string) => string;
  readonly make: (connection: string) => Copy;
  readonly onOpen: (connection: Connection, copy: Copy) => void;
}

export function perConnection<Copy extends { stop(): Promise<void> }>(
  options: PerConnectionOptions<Copy>,
): PerConnection<Copy> {
  const open = new Map<string, Copy>();
  const stopOne = async (id: string, copy: Copy): Promise<void> => {
    open.delete(id);
    await copy.stop();
  };
  const remove = (id: string): void => removeDatabase(options.pathOf(id));
  return {
    open(connection) {
      const found = options.connections.find(connection);
      const { id } = found;
      const known = open.get(id);
      if (known !== undefined) return known;
      if (options.worthless(found)) remove(id);
      const made = options.make(id);
      open.set(id, made);
      options.onOpen(found, made);
      return made;
    },
    opened: (connection) => open.get(connection),
    async forget(connection) {
      // Whoever asked meanwhile opened it anew. Nothing comes between the last look and the deletion.
      for (let copy = open.get(connection); copy !== undefined; copy = open.get(connection))
        await stopOne(connection, copy);
      remove(connection);
    },
    async stop() {
      await Promise.all([...open].map(([id, copy]) => stopOne(id, copy)));
    },
  };
}
