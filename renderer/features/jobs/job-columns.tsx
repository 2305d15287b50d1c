import type { JobSummary } from '#shared/model/job.ts';
import { formatCount } from '#shared/text/numbers.ts';

import { countsWords, endedOf, needSomebody, phaseView } from '../../commands/jobs/job-words.ts';
import type { TableColumn } from '../../ui/table/types.ts';
import { Tag } from '../../ui/Tag.tsx';
import { Countdown, Time } from '../../ui/Time.tsx';
import styles from './jobs.module.css';

export const jobColumns: readonly TableColumn<JobSummary>[] = [
  { id: 'title', title: 'Job', width: 210, look: 'name', cell: ({ title }) => <span title={title}>{title}</span> },
  { id: 'phase', title: 'State', width: 160, cell: (job) => <Phase job={job} /> },
  {
    id: 'ended',
    title: 'Ended',
    width: 96,
    align: 'end',
    cell: ({ counts, targets }) => `${formatCount(endedOf(counts))} of ${formatCount(targets)}`,
  },
  {
    id: 'wave',
    title: 'Wave',
    width: 70,
    yields: 3,
    cell: ({ wave }) => `${wave.number} of ${wave.of}`,
  },
  { id: 'counts', title: 'Outcomes', width: 260, yields: 1, cell: (job) => <Counts job={job} /> },
  { id: 'started', title: 'Started', width: 100, cell: ({ startedAt }) => <Time at={startedAt} /> },
  { id: 'by', title: 'By', width: 100, yields: 2, look: 'dim', cell: ({ startedBy }) => startedBy },
];

function Phase({ job }: { readonly job: JobSummary }) {
  const { word, look } = phaseView(job);
  return (
    <span title={job.because ?? ''}>
      <Tag tone={look}>{word}</Tag>
      {job.waitingUntil === null ? null : (
        <>
          {' '}
          <Countdown to={job.waitingUntil} />
        </>
      )}
    </span>
  );
}

function Counts({ job: { counts } }: { readonly job: JobSummary }) {
  const words = countsWords(counts);
  return (
    <span className={needSomebody(counts) > 0 ? styles['warn'] : undefined} title={words}>
      {words}
    </span>
  );
}
