/** A bulk change in one or two parts: servers that are split off have a plan and a confirmation of their own. Pure. */
import type { JobAction, JobPlan } from '#shared/model/job.ts';

export type BulkKind = 'isolate' | 'release' | 'move';

export const bulkVerbs: Readonly<Record<BulkKind, string>> = { isolate: 'Isolate', release: 'Release', move: 'Move' };

/** Ids of those that a plan has split off for a look of their own. */
export function splitOff({ leftOut }: Pick<JobPlan, 'leftOut'>): readonly string[] {
  return leftOut.flatMap(({ kind, id }) => (kind === 'review' ? [id] : []));
}

export interface BulkForm {
  readonly reason: string;
  readonly ticket: string;
  readonly code: 'generated' | 'service';
  readonly lease: { readonly hours: number | null; readonly auto: boolean };
  /** GUID of the group, for a move. */
  readonly group: string | null;
}

/** `null` while something is missing; then `problemsOf` tells what. */
export function actionOf(kind: BulkKind, form: BulkForm): JobAction | null {
  const { code, lease, group } = form;
  const reason = form.reason.trim();
  const ticket = form.ticket.trim() === '' ? null : form.ticket.trim();
  if (reason === '') return null;
  if (kind === 'isolate') return { kind, reason, ticket, code, lease };
  if (kind === 'release') return { kind, reason, ticket };
  return group === null ? null : { kind, group, reason };
}

export interface BulkProblems {
  readonly targets: string | null;
  readonly reason: string | null;
  readonly group: string | null;
}

export function problemsOf(kind: BulkKind, form: BulkForm, targets: number): BulkProblems {
  return {
    targets: targets === 0 ? 'There are no targets: nothing is done without a list, and there is no “all”.' : null,
    reason: form.reason.trim() === '' ? 'Say why: it goes into the log and into the service’s own record.' : null,
    group: kind === 'move' && form.group === null ? 'Choose the group.' : null,
  };
}
