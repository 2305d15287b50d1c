/** The undo list: what can be undone is shown with the calls that do it, and the old value is checked first. */
import { CordonError } from '#shared/contract/errors.ts';
import type { Drift, JobPlan } from '#shared/model/job.ts';
import type { UndoCall, UndoPreview, UndoResult } from '#shared/model/undo-list.ts';

import { actionOf } from '../jobs/actions/action-of.ts';
import type { Action, ReadServices } from '../jobs/actions/types.ts';
import { itemOf, readChanges, whyNot, type Change } from './changes.ts';
import { compensationsOf, effectOf, lineOf, type Compensation } from './compensate.ts';
import type { UndoApply, UndoList, UndoServices } from './types.ts';

/** What is known once the states were read. */
interface Looked {
  readonly change: Change;
  readonly preview: UndoPreview;
  readonly compensations: readonly Compensation[];
  readonly read: ReadServices;
}

export function openUndo(services: UndoServices): UndoList {
  return {
    list: (connection) => {
      const { id } = services.connections.find(connection);
      return readChanges(services, id).map((change) => itemOf(change, isRunning(services, change)));
    },
    preview: async (connection, id, signal) => (await look(services, connection, id, signal)).preview,
    apply: async (request) => {
      const looked = await look(services, request.connection, request.id, request.signal);
      refuse(looked.preview);
      return looked.preview.plans.length > 0
        ? await applyPlans(services, request, looked.preview)
        : await applyOne(services, request, looked);
    },
  };
}

/** What a job still changes and watches cannot be told from what somebody else changes. */
function isRunning({ jobs }: UndoServices, { id }: Change): boolean {
  if (!id.startsWith('job:')) return false;
  try {
    return jobs.get(id.slice('job:'.length)).summary.endedAt === null;
  } catch {
    // Of another profile, or forgotten: nothing of it runs here.
    return false;
  }
}

async function look(services: UndoServices, name: string, id: string, signal?: AbortSignal): Promise<Looked> {
  const { id: connection } = services.connections.find(name);
  const change = readChanges(services, connection).find((one) => one.id === id);
  if (change === undefined) throw new CordonError('unknown_job', 'This change is not on the undo list.');
  const { clock } = services;
  const read = { client: services.connections.client(connection), inventory: services.inventory(connection), clock };
  const action = actionOf(read, change.action, id);
  const running = isRunning(services, change);
  const open = running ? [] : change.targets.filter(({ before }) => whyNot(change, before) === null);
  const { drift, cost } = await driftOf(action, open, signal ?? new AbortController().signal);
  const drifted = new Set(drift.map((one) => one.id));
  const ids = new Set(open.flatMap((target) => (drifted.has(target.id) ? [] : [target.id])));
  const compensations = change.undoneAt === null ? compensationsOf(change, ids) : [];
  const plans = change.id.startsWith('job:') ? await plansFor(services, connection, compensations, signal) : [];
  const calls = compensations.flatMap((one) => callsOf(read, one));
  const preview: UndoPreview = {
    item: itemOf(change, running),
    calls,
    drift,
    plans,
    confirm: confirmOf(plans),
    cost: cost + (plans.length > 0 ? plans.reduce((sum, plan) => sum + plan.cost.calls, 0) : calls.length),
  };
  return { change, preview, compensations, read };
}

/** What is not as the change left it belongs to somebody else by now. */
async function driftOf(
  action: Action,
  targets: Change['targets'],
  signal: AbortSignal,
): Promise<{ readonly drift: readonly Drift[]; readonly cost: number }> {
  const ids = targets.map(({ id }) => id);
  if (ids.length === 0) return { drift: [], cost: 0 };
  const cost = action.cost(ids, true);
  const sight = await action.read(ids, { whole: true, signal });
  const drift = targets.flatMap(({ id, label, before }): readonly Drift[] => {
    const found = sight.get(id)?.observed ?? null;
    return found !== null && action.progress(found, id) === 'reached'
      ? []
      : [{ id, label, planned: before ?? {}, found }];
  });
  return { drift, cost };
}

async function plansFor(
  { jobs }: UndoServices,
  connection: string,
  compensations: readonly Compensation[],
  signal: AbortSignal | undefined,
): Promise<readonly JobPlan[]> {
  const plans: JobPlan[] = [];
  for (const { action, targets } of compensations)
    plans.push(await jobs.plan({ connection, action, targets, reviewed: true, signal }));
  return plans.filter((plan) => plan.targets.length > 0);
}

function confirmOf(plans: readonly JobPlan[]): string | null {
  const typed = plans.some(({ confirmation: { kind } }) => kind === 'name' || kind === 'count');
  return typed ? String(plans.reduce((sum, plan) => sum + plan.targets.length, 0)) : null;
}

function callsOf(read: ReadServices, { action, targets }: Compensation): readonly UndoCall[] {
  const command = actionOf(read, action, '').command;
  const groupName = (guid: string): string =>
    read.inventory.groups().find((group) => group.guid === guid)?.name ?? guid;
  return targets.map(({ id, label, note }) => {
    const { name, args } = command({ id, note });
    return { id, label, command: lineOf(name, args), effect: effectOf(action, label, groupName) };
  });
}

function refuse({ item, calls, drift }: UndoPreview): void {
  if (item.undoneAt !== null) throw new CordonError('usage', 'This was undone already.');
  if (item.impossible !== null) throw new CordonError('usage', item.impossible);
  if (calls.length > 0) return;
  const message = 'Somebody changed it since: nothing is as this change left it, and nothing was sent.';
  throw new CordonError('plan_drifted', message, { drift: drift.slice(0, 200) });
}

async function applyOne(services: UndoServices, request: UndoApply, looked: Looked): Promise<UndoResult> {
  const [compensation] = looked.compensations;
  const [target] = compensation?.targets ?? [];
  if (compensation === undefined || target === undefined) throw new CordonError('internal');
  const { name, args } = actionOf(looked.read, compensation.action, '').command(target);
  const [before] = looked.change.targets;
  const result = await services.runner.run({
    name,
    args,
    connection: request.connection,
    surface: request.surface,
    incident: request.incident,
    agreement: { reason: 'Undo', confirm: request.confirm },
    facts: { undoes: looked.change.id, ...(before !== undefined && { before: after(looked.change, before.id) }) },
    signal: request.signal,
  });
  return { message: result.message, entries: result.entry === null ? [] : [result.entry], jobs: [] };
}

/** What the change left: an undo can be undone. */
function after({ action }: Change, _id: string): Readonly<Record<string, string | boolean>> {
  if (action.kind === 'move') return { group: action.group };
  if (action.kind === 'policies') return { ...action.policies };
  return { 'on list': action.kind === 'add_hashes' };
}

async function applyPlans(services: UndoServices, request: UndoApply, preview: UndoPreview): Promise<UndoResult> {
  const { confirm, plans, item } = preview;
  if (confirm !== null && request.confirm?.trim() !== confirm)
    throw new CordonError(
      'confirmation_needed',
      `Type the number of targets, ${confirm}, to undo all of it: nothing was sent.`,
      {
        field: 'confirm',
      },
    );
  const { id, name, url } = services.connections.find(request.connection);
  const { surface, incident = null, signal } = request;
  const started: string[] = [];
  for (const plan of plans) {
    const { confirmation } = plan;
    const typed = 'expected' in confirmation ? String(confirmation.expected) : undefined;
    started.push((await services.jobs.apply({ plan: plan.id, confirm: typed, surface, incident, signal })).id);
  }
  const message = `Undo started: ${item.title}`;
  const data = { undoes: item.id, jobs: started };
  services.log.append({ kind: 'note', surface, incident, connection: { id, name, url }, message, data });
  return { message, entries: [], jobs: started };
}
