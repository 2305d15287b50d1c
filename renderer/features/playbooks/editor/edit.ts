/** Changes of a document in the editor. Each returns a new document; the earlier one stays for undo. */
import {
	approvalExtension,
	approvalOf,
	pointersOf,
	type PlaybookCommand,
	type PlaybookDocument,
	type StepApproval,
	type Variable,
	type WorkflowStep
} from '#model/playbook-document.ts'
import {ownAddress, type StepType} from '#model/playbook.ts'

export type Draft = PlaybookDocument & Readonly<Record<string, unknown>>
export type NewStep = 'request' | 'question' | Exclude<StepType, 'start' | 'end' | 'action'>

export const newId = (type: string): string => `${type}--${crypto.randomUUID()}`
export const resultName = '__soarca_http_api_result__'

export function emptyDraft(name: string, now: string): Draft {
	const [start, end] = [newId('start'), newId('end')]
	return {
		...{type: 'playbook', spec_version: 'cacao-2.0', id: newId('playbook'), name, description: ''},
		...{created_by: newId('identity'), created: now, modified: now, workflow_start: start},
		workflow: {[start]: {type: 'start', on_completion: end}, [end]: {type: 'end'}},
		playbook_variables: {[resultName]: {type: 'string'}}
	}
}

/** The version to store: a signature is valid only for the signed content. */
export function versionOf({signatures: _gone, ...draft}: Draft, now: string): Draft {
	// Unchanged except for the signatures.
	return {...(draft as unknown as Draft), modified: now}
}

function withSteps(draft: Draft, changes: Readonly<Record<string, WorkflowStep>>) {
	return {...draft, workflow: {...draft.workflow, ...changes}}
}

type StepChange = {readonly [Key in keyof WorkflowStep]?: WorkflowStep[Key] | undefined}

/** Removes undefined and empty fields. */
export function changeStep(draft: Draft, id: string, change: StepChange): Draft {
	const step = draft.workflow[id]
	if (step === undefined) return draft
	const isKept = (value: unknown) => value !== undefined && value !== '' && !(Array.isArray(value) && value.length === 0)
	const kept = Object.entries({...step, ...change}).filter(([, value]) => isKept(value))
	// A step with other values in the same fields.
	return withSteps(draft, {[id]: arranged(Object.fromEntries(kept) as unknown as WorkflowStep)})
}

/** With a failure path the other one is the success path. */
function arranged(step: WorkflowStep) {
	const {on_completion: next, ...rest} = step
	return step.on_failure === undefined || next === undefined ? step : {...rest, on_success: next}
}

export function changeCommand(draft: Draft, id: string, change: Partial<PlaybookCommand>): Draft {
	const [first, ...rest] = draft.workflow[id]?.commands ?? []
	if (first === undefined) return draft
	const {content, ...others} = {...first, ...change}
	const command = content === undefined || content === '' ? others : {...others, content}
	return changeStep(draft, id, {commands: [command, ...rest]})
}

/** `null`: a plain question again. */
export function changeApproval(draft: Draft, id: string, terms: StepApproval | null): Draft {
	const {[approvalExtension]: _old, ...others} = draft.workflow[id]?.step_extensions ?? {}
	const all = terms === null ? others : {...others, [approvalExtension]: terms}
	const extensions = Object.keys(all).length === 0 ? undefined : all
	return changeStep(draft, id, {step_extensions: extensions, ...(terms !== null && {out_args: undefined})})
}

/** The field of a step's normal continuation. */
export function nextField({on_success: success}: WorkflowStep): 'on_success' | 'on_completion' {
	return success === undefined ? 'on_completion' : 'on_success'
}

/** Redirects one path of a step; undefined removes the path. */
export function lead(draft: Draft, id: string, field: string, to: string | undefined): Draft {
	const step = draft.workflow[id]
	if (step === undefined) return draft
	const [map = '', key = ''] = field.split(/\.(.*)/)
	if (map === 'cases') {
		const {[key]: _old, ...others} = step.cases ?? {}
		return pruned(changeStep(draft, id, {cases: to === undefined ? others : {...step.cases, [key]: to}}))
	}
	if (map === 'next_steps') {
		const all = step.next_steps ?? []
		const at = Number(key)
		const changed = to === undefined ? all.filter((_one, index) => index !== at) : all.with(at, to)
		return pruned(changeStep(draft, id, {next_steps: changed}))
	}
	const terms = approvalOf(step)
	if (map === 'on_timeout' && terms !== undefined && terms !== null) {
		const {on_timeout: _old, ...others} = terms
		return pruned(changeApproval(draft, id, to === undefined ? others : {...terms, on_timeout: to}))
	}
	return pruned(changeStep(draft, id, {[map]: to}))
}

/** Inserts a step into another's path, before its target; in a new path, before an end. */
export function addStep(draft: Draft, before: string, field: string, kind: NewStep, name: string): {draft: Draft; id: string} {
	const from = draft.workflow[before]
	if (from === undefined) return {draft, id: before}
	const id = newId(kind === 'request' || kind === 'question' ? 'action' : kind)
	const [defined, step, ends] = stepFor(draft, kind)
	const known = pointersOf(from).find(one => one.field === field)?.to
	const next = known ?? newId('end')
	const own = [...ends, ...(known === undefined ? [next] : [])]
	const added = withSteps(defined, {
		...Object.fromEntries(own.map(end => [end, {type: 'end'} as const])),
		[id]: {...step, name, on_completion: next}
	})
	return {draft: lead(added, before, field, id), id}
}

/** A further path of a step that has several; it ends at once. */
export function addBranch(draft: Draft, id: string, name: string): Draft {
	const step = draft.workflow[id]
	if (step === undefined) return draft
	const end = newId('end')
	const added = withSteps(draft, {[end]: {type: 'end'}})
	if (step.type === 'parallel') return changeStep(added, id, {next_steps: [...(step.next_steps ?? []), end]})
	return lead(added, id, step.type === 'switch-condition' ? `cases.${name}` : 'on_false', end)
}

function stepFor(draft: Draft, kind: NewStep): readonly [Draft, WorkflowStep, ends: readonly string[]] {
	const [one, other] = [newId('end'), newId('end')]
	switch (kind) {
		case 'parallel':
			return [draft, {type: kind, next_steps: [one, other]}, [one, other]]
		case 'switch-condition':
			return [withResult(draft), {type: kind, switch: `${resultName}:value`, cases: {default: one}}, [one]]
		case 'if-condition':
		case 'while-condition':
			return [withResult(draft), {type: kind, condition: `${resultName}:value = yes`, on_true: one}, [one]]
		case 'playbook-action':
			return [draft, {type: kind, playbook_id: ''}, []]
		default:
			return [...actionFor(draft, kind === 'request'), []]
	}
}

function actionFor(draft: Draft, isRequest: boolean): readonly [Draft, WorkflowStep] {
	const [withAgent, agent] = defined(draft, 'agent_definitions', isRequest ? 'soarca' : 'soarca-manual', {
		name: isRequest ? 'soarca-http-api' : 'soarca-manual'
	})
	const [whole, target] = defined(withAgent, 'target_definitions', isRequest ? 'http-api' : 'individual', {
		...(isRequest ? {name: 'Cordon', address: {url: [ownAddress]}} : {name: 'Operator on duty'})
	})
	const command = isRequest ? {type: 'http-api', command: 'GET /version HTTP/1.1'} : {type: 'manual', command: 'Go on?'}
	const step: WorkflowStep = {type: 'action', commands: [command], agent, targets: [target]}
	return isRequest ? [withResult(whole), {...step, out_args: [resultName]}] : [whole, step]
}

function withResult(draft: Draft) {
	if (draft.playbook_variables?.[resultName] !== undefined) return draft
	return changeVariable(draft, resultName, {type: 'string'})
}

/** The agent or target of that type and name, added if missing. */
function defined(draft: Draft, field: 'agent_definitions' | 'target_definitions', type: string, rest: {name: string}): readonly [Draft, string] {
	const all = draft[field] ?? {}
	const known = Object.entries(all).find(([, one]) => one.type === type && one.name === rest.name)?.[0]
	if (known !== undefined) return [draft, known]
	const id = newId(type)
	return [{...draft, [field]: {...all, [id]: {type, ...rest}}}, id]
}

/** Reconnects the paths around it; removes branches that become unreachable. */
export function removeStep(draft: Draft, id: string): Draft {
	const step = draft.workflow[id]
	const next = step?.on_completion ?? step?.on_success
	if (step === undefined || next === undefined || step.type === 'start') return draft
	const ways = Object.entries(draft.workflow).flatMap(([from, each]) =>
		pointersOf(each).flatMap(({field, to}) => (to === id && from !== id ? [{from, field}] : []))
	)
	const exception = draft.workflow_exception === id ? {workflow_exception: next} : {}
	return pruned(ways.reduce((changed, {from, field}) => lead(changed, from, field, next), {...draft, ...exception}))
}

function pruned(draft: Draft) {
	const reached = new Set<string>()
	const open = [draft.workflow_start, draft.workflow_exception ?? '']
	for (let one = open.pop(); one !== undefined; one = open.pop()) {
		const found = draft.workflow[one]
		if (found === undefined || reached.has(one)) continue
		reached.add(one)
		open.push(...pointersOf(found).map(({to}) => to))
	}
	const all = Object.entries(draft.workflow)
	if (all.length === reached.size) return draft
	return {...draft, workflow: Object.fromEntries(all.filter(([one]) => reached.has(one)))}
}

export function changeVariable(draft: Draft, name: string, variable: Variable | null): Draft {
	const {[name]: _old, ...others} = draft.playbook_variables ?? {}
	if (variable === null) return {...draft, playbook_variables: others}
	return {...draft, playbook_variables: {...draft.playbook_variables, [name]: variable}}
}

export const requestTemplates = [
	['GET /computers/__computer__:value/guid', ''],
	['GET /computers/__guid__:value/isolation/status', ''],
	['PUT /computers/__guid__:value/isolation', '{"comment":"__reason__:value"}'],
	['GET /computers/__guid__:value/isolation/wait?until=isolated&timeout=3600', ''],
	['DELETE /computers/__guid__:value/isolation', '{"comment":"__reason__:value"}'],
	['PUT /computers/__guid__:value/group/__group__:value', ''],
	['GET /computers/__guid__:value/trajectory?limit=50&select=file.identity.sha256', ''],
	['POST /commands/svc_get_computer_activity?each=q&all=true&select=hostname', '{"q":"__indicators__:value"}'],
	['PUT /file-lists/__list__:value/files/__sha256__:value', '{"reason":"__reason__:value"}'],
	['GET /events?count=true', ''],
	['POST /incidents/-/entries', '{"text":""}']
] as const
