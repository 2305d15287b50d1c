/** The undo list: what can be undone is shown with the calls that do it, and the old value is checked first. */
import { CordonError } from '#shared/contract/errors.ts';
import type { Drift, JobPlan } from '#shared/model/job.ts';
import type { UndoCall, UndoItem, UndoPreview, UndoResult } from '#shared/model/undo-list.ts';

import type { NewEntry } from '#core/record/incidents/types.ts';
import { actionOf } from '../jobs/actions/action-of.ts';
import type { Action, ReadServices } from '../jobs/actions/types.ts';
import { itemOf, readChanges, type Change } from './changes.ts';
import { compensationsOf, effectOf, lineOf, openTargets, partOf, undoneAtOf, type Compensation } from './compensate.ts';
import type { UndoApply, UndoList, UndoServices } from './types.ts';

/** What is known once the states were read. */
interface Looked {
  readonly change: Change;
  readonly preview: UndoPreview;
  readonly compensations: readonly Compensation[];
  readonly read: ReadServices;
}

export function openUndo(services: UndoServices): UndoList {
  /** Changes that somebody undoes at this moment. */
  const undoing = new Set<string>();
  return {
    list: async (connection) => {
      const { id } = services.connections.find(connection);
      return (await changesOf(services, id)).map((change) => itemOf(change, isRunning(services, change)));
    },
    preview: async (connection, id, signal) => (await look(services, connection, id, signal)).preview,
    apply: async (request) => {
      const key = `${services.connections.find(request.connection).id} ${request.id}`;
      if (undoing.has(key))
        throw new CordonError('busy', 'This change is already being undone. Nothing was sent twice.');
      undoing.add(key);
      try {
        return await applyNow(services, request);
      } finally {
        undoing.delete(key);
      }
    },
  };
}

async function applyNow(services: UndoServices, request: UndoApply): Promise<UndoResult> {
  const looked = await look(services, request.connection, request.id, request.signal);
  refuse(looked.preview);
  return looked.preview.plans.length > 0
    ? await applyPlans(services, request, looked.preview)
    : await applyOne(services, request, looked);
}

async function changesOf(services: UndoServices, connection: string): Promise<readonly Change[]> {
  return (await readChanges(services, connection)).map((change) => ({ ...change, undoneAt: undoneAtOf(change) }));
}

async function changeOf(services: UndoServices, connection: string, id: string): Promise<Change> {
  const change = (await changesOf(services, connection)).find((one) => one.id === id);
  if (change === undefined) throw new CordonError('unknown_job', 'This change is not on the undo list.');
  return change;
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
  const change = await changeOf(services, connection, id);
  const { clock } = services;
  const read = { client: services.connections.client(connection), inventory: services.inventory(connection), clock };
  const action = actionOf(read, change.action, id);
  const running = isRunning(services, change);
  const open = running ? [] : openTargets(change);
  const { drift, cost } = await driftOf(action, open, signal ?? new AbortController().signal);
  const drifted = new Set(drift.map((one) => one.id));
  const ids = new Set(open.flatMap((target) => (drifted.has(target.id) ? [] : [target.id])));
  const compensations = compensationsOf(change, ids);
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
  refuseUndone(item);
  if (item.impossible !== null) throw new CordonError('usage', item.impossible);
  if (calls.length > 0) return;
  const message = 'Somebody changed it since: nothing is as this change left it, and nothing was sent.';
  throw new CordonError('plan_drifted', message, { drift: drift.slice(0, 200) });
}

function refuseUndone({ undoneAt }: Pick<UndoItem, 'undoneAt'>): void {
  if (undoneAt !== null) throw new CordonError('usage', 'This was undone already.');
}

async function applyOne(services: UndoServices, request: UndoApply, looked: Looked): Promise<UndoResult> {
  const [compensation] = looked.compensations;
  const [target] = compensation?.targets ?? [];
  if (compensation === undefined || target === undefined) throw new CordonError('internal');
  const { name, args } = actionOf(looked.read, compensation.action, '').command(target);
  const [before] = looked.change.targets;
  // The reading took a while: another process may have been faster.
  refuseUndone(await changeOf(services, services.connections.find(request.connection).id, request.id));
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
  const { confirm, item } = preview;
  if (confirm !== null && request.confirm?.trim() !== confirm)
    throw new CordonError(
      'confirmation_needed',
      `Type the number of targets, ${confirm}, to undo all of it: nothing was sent.`,
      {
        field: 'confirm',
      },
    );
  const { id, name, url } = services.connections.find(request.connection);
  const { surface, incident = null } = request;
  const jobs = await startAll(services, request, preview);
  const message = `Undo started: ${item.title}`;
  const data = { undoes: item.id, jobs };
  const note = { kind: 'note', surface, incident, connection: { id, name, url }, message, data } as const;
  return { message: `${message}${await noted(services, note)}`, entries: [], jobs };
}

/** The jobs run, and each has said what it undoes: that the whole is not told does not take that back. */
async function noted({ log }: UndoServices, note: NewEntry): Promise<string> {
  try {
    await log.append(note);
    return '';
  } catch {
    return ' The incident log has the start of each job, but no note about the whole.';
  }
}

/** Each job says in the log what it undoes, with its start: what follows may fail, or never come. */
async function startAll(
  services: UndoServices,
  { surface, incident, signal }: UndoApply,
  { plans, item }: UndoPreview,
): Promise<readonly string[]> {
  const started: string[] = [];
  for (const { id, action, confirmation } of plans) {
    const confirm = 'expected' in confirmation ? String(confirmation.expected) : undefined;
    const undoes = { change: item.id, part: partOf(action) };
    try {
      started.push((await services.jobs.apply({ plan: id, confirm, surface, incident, undoes, signal })).id);
    } catch (error) {
      throw started.length === 0 ? error : inPart(error, started.length, plans.length);
    }
  }
  return started;
}

function inPart(error: unknown, started: number, of: number): unknown {
  if (!(error instanceof CordonError)) return error;
  const message = `Undo started in part: ${started} of ${of} jobs run. The next job did not start: ${error.message} The undo history offers the rest again.`;
  return new CordonError(error.code, message, error.details, { cause: error });
}
