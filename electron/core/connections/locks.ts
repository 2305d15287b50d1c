import { CordonError } from '#shared/contract/errors.ts';

import type { Database } from '../store/database.ts';
import { isAlive, ownIdentity } from '../store/process-identity.ts';
import type { WriteLocks } from './types.ts';

interface LockRow {
  readonly command: string;
  readonly pid: number;
  readonly started: string;
}

/** Locks in `profile.db`. One that a dead process left is taken over; `stop` releases those of this process. */
export function openWriteLocks(database: Database): WriteLocks & { stop(): void } {
  const own = ownIdentity();
  const releases = new Set<() => void>();

  return {
    acquire: ({ connection, target, command, intent }) => {
      database.transaction(() => {
        refuseTaken(database, connection, target);
        database.run(
          'INSERT OR REPLACE INTO write_lock (connection, target, command, intent, pid, started) VALUES (?, ?, ?, ?, ?, ?)',
          connection,
          target,
          command,
          intent,
          own.pid,
          own.started,
        );
      });
      const release = (): void => {
        if (!releases.delete(release)) return;
        database.run(
          'DELETE FROM write_lock WHERE connection = ? AND target = ? AND intent = ?',
          connection,
          target,
          intent,
        );
      };
      releases.add(release);
      return release;
    },
    stop: () => {
      for (const release of releases) release();
    },
  };
}

function refuseTaken(database: Database, connection: string, target: string): void {
  const held = database.get<LockRow>(
    'SELECT command, pid, started FROM write_lock WHERE connection = ? AND target = ?',
    connection,
    target,
  );
  if (held === undefined || !isAlive(held)) return;
  const where = held.pid === process.pid ? '' : ` in another process (${held.pid})`;
  throw new CordonError('busy', `${held.command} is still under way${where} for ${target}: nothing was sent.`);
}
