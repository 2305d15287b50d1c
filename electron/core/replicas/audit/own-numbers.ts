/** Numbers of our own entries that answer a question, kept: the log only grows, so that only what came since is read. */
import type { IncidentLog, LogSearch } from '#core/record/incidents/types.ts';
import { createRecent } from '#core/store/recent.ts';

type Log = Pick<IncidentLog, 'newest' | 'seqsAfter'>;

interface Known {
  /** Number of the newest entry that was looked at. */
  newest: number;
  readonly seqs: number[];
}

/** Oldest first. The list grows with later calls: use it before the next one. */
export type OwnNumbers = (log: Log, query: LogSearch) => Promise<readonly number[]>;

export function createOwnNumbers(): OwnNumbers {
  const known = createRecent<Known>();
  return async (log, query) => {
    const key = JSON.stringify(query);
    const newest = await log.newest();
    const last = known.get(key);
    // An entry stops being pinned by a later one: the only answer that changes for what is there already.
    const isStale = last === undefined || (query.pinned === true && newest > last.newest);
    const { seqs } = isStale ? known.set(key, await read(log, query, newest)) : await grown(log, query, last, newest);
    return seqs;
  };
}

async function read(log: Log, query: LogSearch, newest: number): Promise<Known> {
  return withMore({ newest, seqs: [] }, await log.seqsAfter(query, 0));
}

async function grown(log: Log, query: LogSearch, last: Known, newest: number): Promise<Known> {
  if (newest <= last.newest) return last;
  const more = await log.seqsAfter(query, last.newest);
  last.newest = Math.max(last.newest, newest);
  return withMore(last, more);
}

/** Another process may have appended since the newest was asked for, and another question may have brought the same. */
function withMore(known: Known, more: readonly number[]): Known {
  const last = known.seqs.at(-1) ?? 0;
  for (const seq of more) if (seq > last) known.seqs.push(seq);
  known.newest = Math.max(known.newest, known.seqs.at(-1) ?? 0);
  return known;
}
