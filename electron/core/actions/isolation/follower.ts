/** The isolation watches of this process: one for each open local copy. */
import type { Connection } from '#shared/model/connection.ts';

import type { Connections } from '#core/service/connections/types.ts';
import type { IncidentLog } from '#core/record/incidents/types.ts';
import { currentClient } from '#core/replicas/inventories.ts';
import type { Inventory } from '#core/replicas/computers/types.ts';
import { isolateCommand, releaseCommand } from './receipt.ts';
import { startWatch, type Watch } from './watch.ts';
import type { Ports } from '#core/base/ports.ts';
import type { RaisedNotice } from '#core/service/settings/notices.ts';

export interface Follower {
  watch(connection: Connection, inventory: Inventory): void;
  /** A command about one computer ended, however it did. */
  commandEnded(connection: string, name: string, guid: string): void;
  leave(connection: string): Promise<void>;
  stop(): Promise<void>;
}

export interface FollowerOptions {
  readonly ports: Pick<Ports, 'clock'>;
  readonly raise: (notice: RaisedNotice) => void;
  readonly connections: Connections;
  readonly log: IncidentLog;
  readonly onTrouble: (message: string, error: unknown) => void;
  /** Only the process that owns the console follows. */
  readonly enabled: boolean;
}

export function createFollower(options: FollowerOptions): Follower {
  const { ports, raise, log, onTrouble } = options;
  const watches = new Map<string, Watch>();
  const leave = async (connection: string): Promise<void> => {
    const watch = watches.get(connection);
    watches.delete(connection);
    await watch?.stop();
  };
  return {
    watch(connection, inventory) {
      if (!options.enabled) return;
      const client = currentClient(options.connections, connection.id);
      const onTooLong = (guid: string): void => raise(tooLongNotice(connection, inventory, guid));
      const { clock } = ports;
      watches.set(connection.id, startWatch({ connection, client, inventory, log, clock, onTooLong, onTrouble }));
    },
    commandEnded(connection, name, guid) {
      if (name === isolateCommand || name === releaseCommand) watches.get(connection)?.follow(guid);
    },
    leave,
    stop: async () => void (await Promise.all([...watches.keys()].map(leave))),
  };
}

function tooLongNotice(connection: Connection, inventory: Inventory, guid: string): RaisedNotice {
  const row = inventory.row(guid);
  const name = row?.hostname ?? guid;
  const what = row?.isolation === 'pending_stop' ? 'release' : 'isolation';
  return {
    kind: 'pending_too_long',
    title: `${name} waits too long`,
    body: `The ${what} of ${name} on ${connection.name} was accepted more than ten minutes ago, and its agent has not answered.`,
    open: `/computers/${guid}`,
  };
}
