/** Changes of a document in the editor. Each gives a new document; the one before stays for undo. */
import {
  pointersOf,
  type PlaybookCommand,
  type PlaybookDocument,
  type Variable,
  type WorkflowStep,
} from '#shared/model/playbook-document.ts';
import { ownAddress, type StepType } from '#shared/model/playbook.ts';

export type Draft = PlaybookDocument & Readonly<Record<string, unknown>>;
export type NewStep = 'request' | 'question' | 'if-condition' | 'while-condition' | 'parallel';

const made = { agent: 'http-api', asker: 'manual', target: 'http-api', person: 'individual' } as const;
const idOf = (type: string): string => `${type}--${crypto.randomUUID()}`;
export const resultName = '__soarca_http_api_result__';

/** A start that leads to an end. */
export function emptyDraft(name: string, now: string): Draft {
  const [start, end] = [idOf('start'), idOf('end')];
  return {
    ...{ type: 'playbook', spec_version: 'cacao-2.0', id: idOf('playbook'), name, description: '' },
    ...{ created_by: idOf('identity'), created: now, modified: now, workflow_start: start },
    workflow: { [start]: { type: 'start', on_completion: end }, [end]: { type: 'end' } },
    playbook_variables: { [resultName]: { type: 'string' } },
    agent_definitions: {},
    target_definitions: {},
  };
}

/** Of its own: a library playbook stays as it is. */
export function copyOf(document: Draft, name: string, now: string): Draft {
  return { ...document, id: idOf('playbook'), name, created: now, modified: now };
}

function withSteps(draft: Draft, changes: Readonly<Record<string, WorkflowStep>>): Draft {
  return { ...draft, workflow: { ...draft.workflow, ...changes } };
}

export function changeStep(draft: Draft, id: string, change: Partial<WorkflowStep>): Draft {
  const step = draft.workflow[id];
  if (step === undefined) return draft;
  const kept = Object.entries({ ...step, ...change }).filter(([, value]) => value !== undefined && value !== '');
  return withSteps(draft, { [id]: Object.fromEntries(kept) as unknown as WorkflowStep });
}

export function changeCommand(draft: Draft, id: string, change: Partial<PlaybookCommand>): Draft {
  const [first, ...rest] = draft.workflow[id]?.commands ?? [];
  if (first === undefined) return draft;
  const { content, ...others } = { ...first, ...change };
  const command = content === undefined || content === '' ? others : { ...others, content };
  return changeStep(draft, id, { commands: [command, ...rest] });
}

/** Puts it after `before`, and leads on where that led. Branches end by themselves. */
export function addStep(
  draft: Draft,
  before: string,
  kind: NewStep,
  name: string,
): { readonly draft: Draft; readonly id: string } {
  const from = draft.workflow[before];
  const type: StepType = kind === 'request' || kind === 'question' ? 'action' : kind;
  const id = idOf(type);
  const field = from?.on_success === undefined ? 'on_completion' : 'on_success';
  const next = from?.[field];
  if (from === undefined || next === undefined) return { draft, id: before };
  const ends = kind === 'parallel' ? [idOf('end'), idOf('end')] : [idOf('end')];
  const [defined, step] = stepFor(draft, kind, ends);
  const added = withSteps(defined, {
    ...(type === 'action' ? {} : Object.fromEntries(ends.map((end) => [end, { type: 'end' } as const]))),
    [id]: { ...step, name, on_completion: next },
    [before]: { ...from, [field]: id },
  });
  return { draft: added, id };
}

function stepFor(
  draft: Draft,
  kind: NewStep,
  [end = '', other = '']: readonly string[],
): readonly [Draft, WorkflowStep] {
  if (kind === 'parallel') return [draft, { type: kind, next_steps: [end, other] }];
  if (kind === 'if-condition' || kind === 'while-condition')
    return [draft, { type: kind, condition: `${resultName}:value = yes`, on_true: end }];
  const isRequest = kind === 'request';
  const [withAgent, agent] = defined(draft, 'agent_definitions', isRequest ? 'soarca' : 'soarca-manual', {
    name: isRequest ? 'soarca-http-api' : 'soarca-manual',
  });
  const [whole, target] = defined(withAgent, 'target_definitions', isRequest ? made.target : made.person, {
    ...(isRequest ? { name: 'Cordon', address: { url: [ownAddress] } } : { name: 'Operator on duty' }),
  });
  const command = isRequest
    ? { type: 'http-api', command: 'GET /version HTTP/1.1' }
    : { type: 'manual', command: 'Go on?' };
  const out = isRequest ? { out_args: [resultName] } : {};
  return [whole, { type: 'action', commands: [command], agent, targets: [target], ...out }];
}

/** The agent or target of that type and name, which is added where there is none. */
function defined(
  draft: Draft,
  field: 'agent_definitions' | 'target_definitions',
  type: string,
  rest: { readonly name: string },
): readonly [Draft, string] {
  const all = draft[field] ?? {};
  const known = Object.entries(all).find(([, one]) => one.type === type && one.name === rest.name)?.[0];
  if (known !== undefined) return [draft, known];
  const id = idOf(type);
  return [{ ...draft, [field]: { ...all, [id]: { type, ...rest } } }, id];
}

/** What led to it leads on; branches that nothing leads to any more go with it. */
export function removeStep(draft: Draft, id: string): Draft {
  const step = draft.workflow[id];
  const next = step?.on_completion ?? step?.on_success;
  if (step === undefined || next === undefined || step.type === 'start') return draft;
  const lead = (to: string): string => (to === id ? next : to);
  const moved = Object.entries(draft.workflow)
    .filter(([one]) => one !== id)
    .map(([one, each]) => [one, redirected(each, lead)] as const);
  const workflow = Object.fromEntries(moved);
  const reached = new Set<string>();
  const open = [draft.workflow_start, draft.workflow_exception ?? ''].map(lead);
  for (let one = open.pop(); one !== undefined; one = open.pop()) {
    const found = workflow[one];
    if (found === undefined || reached.has(one)) continue;
    reached.add(one);
    open.push(...pointersOf(found).map(({ to }) => to));
  }
  return { ...draft, workflow: Object.fromEntries(moved.filter(([one]) => reached.has(one))) };
}

function redirected(step: WorkflowStep, lead: (to: string) => string): WorkflowStep {
  const fields = ['on_completion', 'on_success', 'on_failure', 'on_true', 'on_false'] as const;
  const own = fields.flatMap((field) => (step[field] === undefined ? [] : [[field, lead(step[field])]]));
  const cases = Object.entries(step.cases ?? {}).map(([name, to]) => [name, lead(to)]);
  return {
    ...step,
    ...Object.fromEntries(own),
    ...(step.cases !== undefined && { cases: Object.fromEntries(cases) }),
    ...(step.next_steps !== undefined && { next_steps: step.next_steps.map(lead) }),
  };
}

export function changeVariable(draft: Draft, name: string, variable: Variable | null, as = name): Draft {
  const all = Object.entries(draft.playbook_variables ?? {});
  const changed = all.flatMap(([key, one]) =>
    key === name ? (variable === null ? [] : [[as, variable] as const]) : [[key, one] as const],
  );
  const added = variable !== null && !all.some(([key]) => key === name) ? [[as, variable] as const] : [];
  return { ...draft, playbook_variables: Object.fromEntries([...changed, ...added]) };
}

/** Requests to begin with. */
export const requestTemplates = [
  ['GET /computers/__computer__:value/guid', ''],
  ['GET /computers/__guid__:value/isolation/status', ''],
  ['PUT /computers/__guid__:value/isolation', '{"comment":"__reason__:value"}'],
  ['GET /computers/__guid__:value/isolation/wait?until=isolated&timeout=3600', ''],
  ['DELETE /computers/__guid__:value/isolation', '{"comment":"__reason__:value"}'],
  ['PUT /computers/__guid__:value/group/__group__:value', ''],
  ['GET /computers/__guid__:value/trajectory?limit=50&select=file.identity.sha256', ''],
  ['POST /commands/svc_get_computer_activity?each=q&select=hostname', '{"q":"__indicators__:value"}'],
  ['PUT /file-lists/__list__:value/files/__sha256__:value', '{"reason":"__reason__:value"}'],
  ['GET /events?count=true', ''],
  ['POST /incidents/-/entries', '{"text":""}'],
] as const;
