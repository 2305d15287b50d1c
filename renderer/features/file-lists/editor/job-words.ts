/** What came of a commit, in words. Pure. */
import type { JobSummary, TargetOutcome } from '#shared/model/job.ts';
import { formatCount } from '#shared/text/numbers.ts';

interface OutcomeWords {
  readonly word: string;
  readonly shape: string;
  readonly tone: 'ok' | 'bad' | 'warn' | 'plain' | 'hold';
}

export const outcomes: Readonly<Record<TargetOutcome, OutcomeWords>> = {
  done: { word: 'done', shape: '●', tone: 'ok' },
  nothing_to_do: { word: 'nothing to do', shape: '○', tone: 'plain' },
  accepted: { word: 'awaiting confirmation', shape: '◔', tone: 'hold' },
  sending: { word: 'being sent', shape: '◔', tone: 'hold' },
  waiting: { word: 'waiting', shape: '◌', tone: 'plain' },
  failed: { word: 'failed', shape: '✕', tone: 'bad' },
  unknown: { word: 'outcome unknown', shape: '?', tone: 'warn' },
  not_confirmed: { word: 'not confirmed', shape: '◕', tone: 'warn' },
  not_tried: { word: 'not sent', shape: '–', tone: 'plain' },
};

/** `41 done · 9 not sent` */
export function countsWords(counts: JobSummary['counts']): string {
  // The keys of the table above, which has every outcome.
  const names = Object.keys(outcomes) as TargetOutcome[];
  return names
    .filter((name) => counts[name] > 0)
    .map((name) => `${formatCount(counts[name])} ${outcomes[name].word}`)
    .join(' · ');
}

export function hasEnded({ endedAt }: Pick<JobSummary, 'endedAt'>): boolean {
  return endedAt !== null;
}

export function leftBehind({ counts }: Pick<JobSummary, 'counts'>): number {
  return counts.failed + counts.unknown + counts.not_confirmed + counts.not_tried;
}

export function phaseWords(job: JobSummary): string {
  if (job.endedAt === null && job.waitingUntil !== null)
    return `waits for the API limit until ${job.waitingUntil.slice(11, 19)} UTC`;
  const words = {
    applying: 'running',
    observing: 'confirming',
    stopping: 'stopping',
    done: leftBehind(job) === 0 ? 'completed' : 'completed with issues',
    stopped: 'stopped',
    interrupted: 'interrupted',
  } as const;
  return words[job.phase];
}
