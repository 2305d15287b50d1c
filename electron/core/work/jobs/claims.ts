/**
 * Who has a job. Taken in one synchronous step: in memory, and as compare-and-set on its row, whose epoch counts how often it
 * was taken. A process that was taken for dead finds another epoch, and writes and sends nothing more.
 */
import type { Database } from '#core/store/database.ts';
import type { ProcessIdentity } from '#core/store/process-identity.ts';

/** Of a row of `job`: who has it. */
export interface Owned {
  readonly id: string;
  readonly ended_at: string | null;
  readonly owner_pid: number | null;
  readonly owner_started: string | null;
  /** Counts how often it was taken: what was begun under an older number is over. */
  readonly epoch: number;
}

export interface Claims {
  /** Takes a job that has not come to its end and that nobody has: neither this process nor another that still runs. */
  claim(job: string, now: number): boolean;
  /** Whether this process still has it: one that takes it for dead may have taken the job over. */
  holds(job: string): boolean;
  /** Lets go of it, so that the next one can go on. */
  letGo(job: string): void;
  /** In one transaction, if nobody has the job and it has not come to its end; else `false`, and nothing is done. */
  ifLeft(job: string, work: () => void): boolean;
  ownerOf(row: Owned): 'here' | 'elsewhere' | 'nowhere';
  /** Writes a job as this process's own; `work` returns what is in its place already. */
  create<T>(job: string, work: () => T | undefined): T | undefined;
  /** `null` for a job that this process has not. */
  epochOf(job: string): number | null;
}

export interface ClaimParts {
  readonly self: ProcessIdentity;
  readonly isAlive: (process: ProcessIdentity) => boolean;
  readonly rowOf: (job: string) => Owned | undefined;
}

export const firstEpoch = 1;

export function openClaims(database: Database, { self, isAlive, rowOf }: ClaimParts): Claims {
  /** Under which epoch. */
  const held = new Map<string, number>();
  /** The disk could not be told that this process has not got these: its own name on them means nothing. */
  const leftBehind = new Set<string>();
  const ownerOf: Claims['ownerOf'] = ({ id, owner_pid: pid, owner_started: started }) => {
    if (held.has(id)) return 'here';
    const isOwn = pid === self.pid && started === self.started;
    if (pid === null || (isOwn && leftBehind.has(id))) return 'nowhere';
    return isOwn || isAlive({ pid, started: started ?? '' }) ? 'elsewhere' : 'nowhere';
  };
  const isLeft = (row: Owned | undefined): row is Owned =>
    row !== undefined && row.ended_at === null && ownerOf(row) === 'nowhere';
  const take = (job: string, now: number): number | undefined => {
    const row = rowOf(job);
    if (!isLeft(row)) return undefined;
    database.run(
      'UPDATE job SET owner_pid = ?, owner_started = ?, alive_at = ?, epoch = epoch + 1 WHERE id = ? AND epoch = ?',
      ...[self.pid, self.started, Math.round(now), job, row.epoch],
    );
    return row.epoch + 1;
  };
  const surely = <T>(job: string, work: () => T): T => {
    try {
      const done = work();
      leftBehind.delete(job);
      return done;
    } catch (error) {
      leftBehind.add(job);
      throw error;
    }
  };
  return {
    claim: (job, now) => {
      const epoch = surely(job, () => database.transaction(() => take(job, now)));
      if (epoch !== undefined) held.set(job, epoch);
      return epoch !== undefined;
    },
    holds: (job) => {
      const row = database.get<Pick<Owned, 'epoch'>>('SELECT epoch FROM job WHERE id = ?', job);
      return row !== undefined && row.epoch === held.get(job);
    },
    letGo: (job) => {
      const epoch = held.get(job);
      if (epoch === undefined) return;
      held.delete(job);
      surely(job, () =>
        database.run('UPDATE job SET owner_pid = NULL, owner_started = NULL WHERE id = ? AND epoch = ?', job, epoch),
      );
    },
    ifLeft: (job, work) =>
      database.transaction(
        () => {
          if (!isLeft(rowOf(job))) return false;
          work();
          return true;
        },
        { durable: true },
      ),
    ownerOf,
    create: (job, work) => {
      const there = surely(job, work);
      if (there === undefined) held.set(job, firstEpoch);
      return there;
    },
    epochOf: (job) => held.get(job) ?? null,
  };
}
