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
export async function tellStart(log: Log, job: JobRow, connection: Connection, counts: Counts): Promise<void> {
  const { action, digest, tier } = headOf(job);
  const targets = Object.values(counts).reduce((sum, count) => sum + count, 0);
  await log.append({
    ...noteOf(job, connection, `Job started: ${job.title}: ${action.reason}`),
    data: { job: job.id, digest, targets, tier, ...(job.undoes !== null && { undoes: job.undoes, part: job.part }) },
  });
}

/** For a job whose process was killed before that. */
export async function tellStartOnce(log: Log, job: JobRow, connection: Connection, counts: Counts): Promise<void> {
  if (!(await isStartTold(log, job))) await tellStart(log, job, connection, counts);
}

export async function tellEnd(log: Log, job: JobRow, connection: Connection, counts: Counts): Promise<void> {
  const message = `Job ended: ${job.title}: ${countsSentence(counts)}.`;
  await log.append({ ...noteOf(job, connection, message), data: { job: job.id, counts } });
}

function noteOf({ surface, incident }: JobRow, { id, name, url }: Connection, message: string): NewEntry {
  return { kind: 'note', surface, incident, connection: { id, name, url }, message };
}

async function isStartTold(log: Log, { id, connection, log_seq: from }: JobRow): Promise<boolean> {
  // Earlier versions kept the number of the note itself.
  for (let after = Math.max(0, from - 1); ;) {
    const { entries } = await log.query({ after, limit: batch, kinds: ['note'], connection });
    if (entries.some(({ data }) => data?.['job'] === id && data['digest'] !== undefined)) return true;
    if (entries.length < batch) return false;
    after = entries.at(-1)?.seq ?? after;
  }
}
