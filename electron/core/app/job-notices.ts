/** Whoever does not look is told of the end of a job, and of one that cannot go on. */
import { countsSentence } from '#core/work/jobs/words.ts';
import type { Jobs } from '#core/work/jobs/types.ts';
import type { RaisedNotice } from '#core/service/settings/notices.ts';

/** Jobs that run in this process. Returns the way to stop listening. */
export function tellEnds(jobs: Pick<Jobs, 'onChange' | 'get'>, raise: (notice: RaisedNotice) => void): () => void {
  const told = new Set<string>();
  return jobs.onChange((_connection, id) => {
    const { endedAt, phase, title, counts, because } = jobs.get(id).summary;
    const isOver = endedAt !== null || phase === 'interrupted';
    if (!isOver) return void told.delete(id);
    if (told.has(id)) return;
    told.add(id);
    const what = endedAt === null ? 'could not go on' : 'ended';
    const body = [`${countsSentence(counts)}.`, because ?? ''].join(' ').trim();
    raise({ kind: 'job_finished', title: `Job ${what}: ${title}`, body, open: `/jobs/${id}` });
  });
}
