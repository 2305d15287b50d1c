import { CordonError } from '#shared/contract/errors.ts';

import { openDatabase, type Database } from '../store/database.ts';
import { describeFault, storeFaultOf, type StoreFault } from '../store/faults.ts';
import { migrate } from '../store/migrations.ts';
import { incidentMigrations } from './schema.ts';

/** The file under the log: opened at first use, given up after an error of the disk and opened anew. */
export interface LogFile {
  read<T>(work: (database: Database) => T): T;
  /** One transaction on the disk. Throws `log_unavailable` when it cannot be committed. */
  write<T>(work: (database: Database) => T): T;
  close(): void;
}

/** After these the handle is as good as before; after anything else it is not to be trusted. */
const harmless: ReadonlySet<StoreFault> = new Set(['locked', 'constraint']);

export function openLogFile(path: string, busyTimeoutMs: number): LogFile {
  let current: Database | undefined;
  let distrusted = false;

  const open = (): Database => {
    current ??= openChecked(path, busyTimeoutMs, distrusted);
    distrusted = false;
    return current;
  };
  // SQLite goes on after a failed fsync as if nothing had happened, and the next commit "succeeds" although the
  // system may have dropped the pages (PostgreSQL, "fsync errors"). So this handle never commits again.
  const giveUp = (error: unknown): void => {
    const fault = storeFaultOf(error);
    if (fault === undefined || harmless.has(fault)) return;
    current?.close();
    current = undefined;
    distrusted = true;
  };
  const attempt = <T>(work: () => T): T => {
    try {
      return work();
    } catch (error) {
      giveUp(error);
      throw error;
    }
  };

  return {
    read: (work) => attempt(() => work(open())),
    write: (work) => {
      try {
        return attempt(() => {
          const database = open();
          return database.transaction(() => work(database));
        });
      } catch (error) {
        throw unavailable(error);
      }
    },
    close: () => {
      current?.close();
      current = undefined;
    },
  };
}

function openChecked(path: string, busyTimeoutMs: number, afterFault: boolean): Database {
  const database = openDatabase(path, { synchronous: 'FULL', busyTimeoutMs });
  try {
    if (afterFault) verify(database);
    migrate(database, incidentMigrations);
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

/** What was committed must still be readable, and is moved into the file itself, flushed, before anything is added. */
function verify(database: Database): void {
  const verdict = database.get<{ readonly quick_check: string }>('PRAGMA quick_check(1)')?.quick_check;
  if (verdict !== 'ok') throw new CordonError('storage', `The incident log is damaged: ${verdict ?? 'no verdict'}.`);
  database.exec('PRAGMA wal_checkpoint(TRUNCATE)');
}

function unavailable(error: unknown): unknown {
  const ours = error instanceof CordonError && error.code !== 'storage' && error.code !== 'disk_full';
  if (ours) return error;
  return new CordonError(
    'log_unavailable',
    `The incident log cannot be written because ${describeFault(error)}.`,
    {},
    { cause: error },
  );
}
