import { CordonError } from '#shared/contract/errors.ts';

import { openDatabase, type Database } from '#core/store/database.ts';
import { describeFault, storeFaultOf, type StoreFault } from '#core/store/faults.ts';
import { migrate } from '#core/store/migrations.ts';
import { incidentMigrations } from './schema.ts';

/** The file under the log: opened at first use, given up after an error of the disk and opened anew. */
export interface LogFile {
  read<T>(work: (database: Database) => T): T;
  /** One transaction on the disk. Throws `log_unavailable` when it cannot be committed. */
  write<T>(work: (database: Database) => T): T;
  close(): void;
}

/** After these the handle is as good as before. */
const harmless: ReadonlySet<StoreFault> = new Set(['locked', 'constraint']);
/** After these it is worth opening the file anew, but nothing was written that could be broken. */
const nothingWritten: ReadonlySet<StoreFault> = new Set(['read_only', 'cannot_open']);

export function openLogFile(path: string, busyTimeoutMs: number): LogFile {
  let current: Database | undefined;
  let distrusted = false;

  const open = (): Database => (current ??= openChecked(path, busyTimeoutMs, distrusted));
  // SQLite goes on after a failed fsync as if nothing had happened, and the next commit "succeeds" although the
  // system may have dropped the pages (PostgreSQL, "fsync errors"). So this handle never commits again.
  const giveUp = (error: unknown): void => {
    const fault = storeFaultOf(error);
    if (fault === undefined || harmless.has(fault)) return;
    current?.close();
    current = undefined;
    distrusted ||= !nothingWritten.has(fault);
  };
  const attempt = <T>(work: (database: Database) => T): T => {
    try {
      return work(open());
    } catch (error) {
      giveUp(error);
      throw error;
    }
  };
  const commit = <T>(work: (database: Database) => T): T =>
    attempt((database) => {
      if (distrusted) flush(database);
      distrusted = false;
      return database.transaction(() => work(database));
    });

  return {
    read: attempt,
    write: (work) => {
      const reused = current !== undefined;
      try {
        return commit(work);
      } catch (error) {
        // A handle that was opened while the disk was read-only stays so; the disk may be writable by now.
        if (reused && storeFaultOf(error) === 'read_only') return retry(() => commit(work));
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

function retry<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw unavailable(error);
  }
}

/** After an error of the disk, what was committed goes into the file itself before anything is added. */
function flush(database: Database): void {
  database.exec('PRAGMA wal_checkpoint(TRUNCATE)');
}

function verify(database: Database): void {
  const verdict = database.get<{ readonly quick_check: string }>('PRAGMA quick_check(1)')?.quick_check;
  if (verdict !== 'ok')
    throw new CordonError('storage', `incidents.db is damaged: ${verdict ?? 'nothing can be read'}.`);
}

function unavailable(error: unknown): unknown {
  const ours = error instanceof CordonError && error.code !== 'storage' && error.code !== 'disk_full';
  if (ours) return error;
  return new CordonError(
    'log_unavailable',
    `The incident log cannot be written because ${describeFault(error)}.`,
    error instanceof CordonError ? error.details : {},
    { cause: error },
  );
}
