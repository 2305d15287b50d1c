/** Rows of `jobs.db` as everybody else sees them. */
import type { AgreedPlan, JobReceipt, JobSummary, JobTotals } from '#shared/model/job.ts';

import type { JobRow, JobStore, TargetRow } from './store.ts';

export function headOf(row: JobRow): AgreedPlan {
  // Written by `create` alone, from a plan.
  return JSON.parse(row.plan) as AgreedPlan;
}

export function summaryOf(store: JobStore, row: JobRow): JobSummary {
  const { action, waves } = headOf(row);
  const counts = store.counts(row.id);
  const targets = Object.values(counts).reduce((sum, count) => sum + count, 0);
  const left = counts.waiting + counts.not_tried;
  return {
    id: row.id,
    connection: row.connection,
    kind: action.kind,
    title: row.title,
    startedAt: row.started_at,
    endedAt: row.ended_at,
    startedBy: row.started_by,
    phase: phaseOf(store, row),
    because: row.because,
    counts,
    targets,
    wave: { number: waveAt(waves, targets - left), of: waves.length },
    waitingUntil: row.waiting_until,
  };
}

/** A process that was killed could not write that it ended. */
function phaseOf(store: JobStore, row: JobRow): JobSummary['phase'] {
  if (row.ended_at !== null) return row.phase;
  if (store.ownerOf(row) === 'nowhere') return 'interrupted';
  return row.stop_asked > 0 && row.phase === 'applying' ? 'stopping' : row.phase;
}

/** The wave that the target at this position belongs to, from 1. */
function waveAt(waves: readonly number[], position: number): number {
  let end = 0;
  for (const [index, size] of waves.entries()) {
    end += size;
    if (position <= end) return index + 1;
  }
  return waves.length;
}

export function receiptOf(row: TargetRow): JobReceipt {
  return {
    id: row.id,
    label: row.label,
    outcome: row.outcome,
    requestedAt: row.sent > 0 ? row.requested_at : null,
    acceptedAt: row.accepted_at,
    observedAt: row.observed_at,
    observed: row.observed,
    message: row.message,
    error: row.error,
    requestId: row.request_id,
    entry: row.entry,
  };
}

export function totalsOf(store: JobStore, connection: string): JobTotals {
  const rows = store.open().filter((row) => row.connection === connection);
  const running = rows.filter((row) => store.ownerOf(row) !== 'nowhere');
  const sums = { targets: 0, done: 0, failed: 0 };
  for (const { id } of running) {
    const counts = store.counts(id);
    sums.targets += Object.values(counts).reduce((sum, count) => sum + count, 0);
    sums.done += counts.done + counts.nothing_to_do;
    sums.failed += counts.failed + counts.unknown + counts.not_confirmed;
  }
  const waits = running.flatMap(({ waiting_until: until }) => until ?? []).toSorted();
  return {
    running: running.length,
    interrupted: rows.length - running.length,
    ...sums,
    waitingUntil: waits[0] ?? null,
  };
}
