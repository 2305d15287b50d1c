/** What the incident log says of a job as a whole: that it started, and how it ended. */
import type { Connection } from '#shared/model/connection.ts';

import type { NewEntry } from '#core/record/incidents/types.ts';
import type { JobRow, JobStore } from './store.ts';
import { headOf } from './summary.ts';
import type { JobServices } from './types.ts';
import { countsSentence } from './words.ts';

type Log = Pick<JobServices['log'], 'append' | 'query'>;
type Counts = ReturnType<JobStore['counts']>;

const batch = 100;

/** Throws `log_unavailable`: then nothing may be sent. */
export function tellStart(log: Log, job: JobRow, connection: Connection, counts: Counts): void {
  const { action, digest, tier } = headOf(job);
  const targets = Object.values(counts).reduce((sum, count) => sum + count, 0);
  log.append({
    ...noteOf(job, connection, `Job started: ${job.title}: ${action.reason}`),
    data: { job: job.id, digest, targets, tier, ...(job.undoes !== null && { undoes: job.undoes, part: job.part }) },
  });
}

/** For a job whose process was killed before that. */
export function tellStartOnce(log: Log, job: JobRow, connection: Connection, counts: Counts): void {
  if (!isStartTold(log, job)) tellStart(log, job, connection, counts);
}

export function tellEnd(log: Log, job: JobRow, connection: Connection, counts: Counts): void {
  const message = `Job ended: ${job.title}: ${countsSentence(counts)}.`;
  log.append({ ...noteOf(job, connection, message), data: { job: job.id, counts } });
}

function noteOf({ surface, incident }: JobRow, { id, name, url }: Connection, message: string): NewEntry {
  return { kind: 'note', surface, incident, connection: { id, name, url }, message };
}

function isStartTold(log: Log, { id, connection, log_seq: from }: JobRow): boolean {
  // Earlier versions kept the number of the note itself.
  for (let after = Math.max(0, from - 1); ;) {
    const { entries } = log.query({ after, limit: batch, kinds: ['note'], connection });
    if (entries.some(({ data }) => data?.['job'] === id && data['digest'] !== undefined)) return true;
    if (entries.length < batch) return false;
    after = entries.at(-1)?.seq ?? after;
  }
}
