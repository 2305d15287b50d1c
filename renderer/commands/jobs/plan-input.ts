import type { JobAction, JobPlan } from '#shared/model/job.ts';

export type PlanTargets = readonly (string | { readonly id: string; readonly note: string })[];

/** The action as the wire takes it: lists are copies. */
export function actionInput(action: JobAction) {
  if (action.kind === 'change_hashes') return { ...action, removes: [...action.removes] };
  if (action.kind === 'policies') return { ...action, policies: { ...action.policies } };
  return action.kind === 'isolate' ? { ...action, lease: { ...action.lease } } : { ...action };
}

/** What a plan was made of, to make it again. */
export function targetsOf({ targets }: Pick<JobPlan, 'targets'>): PlanTargets {
  return targets.map(({ id, note }) => (note === null ? id : { id, note }));
}

/** What is wrong with the typed confirmation, in a sentence; `null` when nothing is asked for, or it is right. */
export function typedProblem({ confirmation }: Pick<JobPlan, 'confirmation'>, typed: string): string | null {
  if (confirmation.kind !== 'name' && confirmation.kind !== 'count') return null;
  const expected = String(confirmation.expected);
  const given = typed.trim().toLowerCase();
  if (given === expected.toLowerCase()) return null;
  if (confirmation.kind === 'count' && given.replaceAll(/[,. ]/g, '') === expected) return null;
  return given === '' ? `Type ${expected}.` : `This is not ${expected}.`;
}
