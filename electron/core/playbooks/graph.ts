/** The third layer of checks: what the schema cannot express. Steps exist, branches come back, names are known. */
import {CordonError} from '#contract/errors.ts'
import {nearest} from '#shared/commands/nearest.ts'
import {ownAddress, type IssueLevel} from '#model/playbook.ts'

import {comparisonsOf, parseCondition} from './condition.ts'
import {approvalOf, pointersOf, stepOf, urlOf, type PlaybookDocument, type WorkflowStep} from './document.ts'
import {allowedOrigin, namesSecret, outsideOrderOf} from './outside.ts'
import {readStartLine, specOfOrder} from './routes.ts'
import {misfit, referencesIn, resultVariable} from './variables.ts'

/** `step` is an id; `field` is within it, or within the document without one. */
type Report = (level: IssueLevel, step: string | null, field: string, message: string, fix: string) => void

/** `origins`: those listed by the connection. */
export function checkGraph(document: PlaybookDocument, report: Report, origins: readonly string[] = []) {
	checkEnds(document, report)
	const near = fewHints()
	for (const [id, step] of Object.entries(document.workflow)) {
		checkPointers(document, id, step, {report, near})
		checkStep(document, id, step, {report, near, origins})
	}
	for (const [name, variable] of Object.entries(document.playbook_variables ?? {})) {
		const reason = typeof variable.value === 'string' ? misfit(variable, variable.value) : undefined
		if (reason !== undefined) report('error', null, `playbook_variables.${name}.value`, `The value ${reason}.`, 'Correct the value or its type.')
	}
	const reached = reachable(document, [document.workflow_start, document.workflow_exception], () => true)
	for (const id of Object.keys(document.workflow))
		if (!reached.has(id)) report('error', id, 'on_completion', 'No step leads here.', 'Lead a step to it, or remove it.')
	if (!hasCycle(document, report)) checkBranches(document, report)
	checkApprovals(document, report)
}

/** What a name may have meant, for the first problems: each looks through all names. */
function fewHints() {
	let left = 20
	return (name: string, known: object) => (left-- > 0 ? nearest(name, Object.keys(known)) : undefined)
}

interface StepCheck {
	report: Report
	near: ReturnType<typeof fewHints>
}

function checkEnds(document: PlaybookDocument, report: Report) {
	const {workflow, workflow_start: start, workflow_exception: handler} = document
	const starts = Object.entries(workflow).filter(([, {type}]) => type === 'start')
	if (stepOf(document, start)?.type !== 'start')
		report('error', null, 'workflow_start', `${start} is not a start step of the workflow.`, 'Name the start step.')
	for (const [id] of starts.filter(([one]) => one !== start))
		report('error', id, 'type', 'A workflow has one start step.', 'Remove this one, or name it in workflow_start.')
	if (handler === undefined) return
	const first = stepOf(document, handler)?.type
	if (first === undefined) report('error', null, 'workflow_exception', `There is no step ${handler}.`, 'Name a step of the workflow.')
	if (first === 'end') return
	report('portability', null, 'workflow_exception', 'SOARCA ends at the first failure.', 'Do not rely on this step there.')
}

function checkPointers(document: PlaybookDocument, id: string, step: WorkflowStep, {report, near}: StepCheck) {
	if (!id.startsWith(`${step.type}--`))
		report('error', id, 'type', `The ID does not begin with ${step.type}--.`, 'Give the step an ID of its type.')
	for (const {field, to} of pointersOf(step)) {
		const target = stepOf(document, to)
		const meant = target === undefined ? near(to, document.workflow) : undefined
		const hint = meant === undefined ? 'Name a step of the workflow.' : `Did you mean ${meant}?`
		if (target === undefined) report('error', id, field, `There is no step ${to}.`, hint)
		if (target?.type === 'start') report('error', id, field, 'The start step cannot follow.', 'Name another step.')
	}
	const goesOn = step.on_completion !== undefined || step.on_success !== undefined
	if (step.type !== 'end' && !goesOn) report('error', id, 'on_completion', 'The step leads nowhere.', 'Name the next step, or an end step.')
	if (step.on_failure !== undefined)
		report('portability', id, 'on_failure', 'SOARCA ends at the first failure.', 'Do not rely on this step there.')
}

function reachable(document: PlaybookDocument, from: readonly (string | undefined)[], through: (step: WorkflowStep) => boolean) {
	const seen = new Set<string>()
	const open = [...from]
	while (open.length > 0) {
		const id = open.pop()
		const step = stepOf(document, id)
		if (id === undefined || step === undefined || seen.has(id)) continue
		seen.add(id)
		if (through(step)) open.push(...pointersOf(step).map(({to}) => to))
	}
	return seen
}

/** Allowed only in a loop whose branch ends on its own. */
function hasCycle(document: PlaybookDocument, report: Report) {
	const indegree = new Map<string, number>()
	const ids = Object.keys(document.workflow)
	const targets = (id: string) =>
		pointersOf(stepOf(document, id) ?? {type: 'end'}).flatMap(({to}) => (stepOf(document, to) === undefined ? [] : [to]))
	for (const id of ids) for (const to of targets(id)) indegree.set(to, (indegree.get(to) ?? 0) + 1)
	const free = ids.filter(id => !indegree.has(id))
	const left = new Set(ids)
	for (let id = free.pop(); id !== undefined; id = free.pop()) {
		left.delete(id)
		for (const to of targets(id)) {
			const count = (indegree.get(to) ?? 0) - 1
			indegree.set(to, count)
			if (count === 0) free.push(to)
		}
	}
	const [first] = left
	if (first === undefined) return false
	report('error', first, 'on_completion', 'The steps run in a circle.', 'Repeat with a while-condition whose branch has its own end.')
	return true
}

/** A branch must not lead to the steps after it, nor to another branch. */
function checkBranches(document: PlaybookDocument, report: Report) {
	for (const [id, step] of Object.entries(document.workflow)) {
		const pointers = pointersOf(step)
		const branches = pointers.filter(({branch}) => branch)
		if (branches.length === 0) continue
		const after = pointers.filter(({branch}) => !branch).map(({to}) => to)
		const taken = new Map([...reachable(document, after, () => true)].map(one => [one, 'what comes after it']))
		for (const {field, to} of branches) {
			const own = [...reachable(document, [to], () => true)]
			const shared = own.find(one => taken.has(one))
			if (shared !== undefined)
				report('error', id, field, `The branch shares ${shared} with ${taken.get(shared)}.`, 'End each branch with an end step of its own.')
			for (const one of own) taken.set(one, `the branch ${field}`)
		}
	}
}

interface StepCheckWithin extends StepCheck {
	origins: readonly string[]
}

function checkStep(document: PlaybookDocument, id: string, step: WorkflowStep, {report, near, origins}: StepCheckWithin) {
	const declared = {...document.playbook_variables, ...step.step_variables}
	const known = (name: string, field: string) => {
		if (Object.hasOwn(declared, name)) return
		const meant = near(name, declared)
		const hint = meant === undefined ? 'Declare it in playbook_variables.' : `Did you mean ${meant}? Else declare it.`
		report('error', id, field, `The variable ${name} is not declared.`, hint)
	}
	for (const name of step.in_args ?? []) known(name, 'in_args')
	for (const name of step.out_args ?? []) {
		known(name, 'out_args')
		if (Object.hasOwn(declared, name) && declared[name]?.constant === true)
			report('error', id, 'out_args', `${name} is constant.`, 'Put the result into another variable.')
	}
	if (step.condition !== undefined) checkCondition(id, step.condition, known, report)
	for (const name of referencesIn(step.switch ?? '')) known(name, 'switch')
	if (step.type === 'switch-condition' && !/^__[\w-]+__:value$/.test(step.switch?.trim() ?? ''))
		report('error', id, 'switch', 'A switch looks at one variable.', 'Write it as __name__:value.')
	if (step.type === 'parallel' || step.type === 'switch-condition')
		report('portability', id, 'type', `SOARCA skips ${step.type} without a word.`, 'Use if-condition steps.')
	if (step.type === 'playbook-action' && step.playbook_id === document.id)
		report('error', id, 'playbook_id', 'A playbook cannot run itself.', 'Repeat with a while-condition.')
	if (step.type === 'action') checkAction(document, {id, step, origins}, known, report)
}

type Known = (name: string, field: string) => void

function checkCondition(id: string, text: string, known: Known, report: Report) {
	try {
		const comparisons = comparisonsOf(parseCondition(text))
		for (const {variable} of comparisons) known(variable, 'condition')
		for (const name of referencesIn(text)) known(name, 'condition')
		const [{operator, negated, literals} = {operator: '=', negated: false, literals: []}] = comparisons
		const plain = comparisons.length === 1 && !negated && literals.every(({quoted}) => !quoted) && !text.includes('(')
		if (plain && !/[LM]/.test(operator) && !operator.startsWith('IS')) return
		report('portability', id, 'condition', 'SOARCA reads three parts: variable, operator, value without quotes.', 'Split the condition.')
	} catch (error) {
		report('error', id, 'condition', sentenceOf(error), 'Write __variable__:value = value.')
	}
}

function sentenceOf(error: unknown) {
	return error instanceof CordonError ? error.message : 'It cannot be read.'
}

function checkAction(document: PlaybookDocument, {id, step, origins}: Omit<At, 'index'>, known: Known, report: Report) {
	const agents = document.agent_definitions ?? {}
	if (!Object.hasOwn(agents, step.agent ?? ''))
		report('error', id, 'agent', `There is no agent ${step.agent ?? ''}.`, 'Define it in agent_definitions.')
	for (const target of step.targets ?? [])
		if (!Object.hasOwn(document.target_definitions ?? {}, target))
			report('error', id, 'targets', `There is no target ${target}.`, 'Define it in target_definitions.')
	for (const [index, command] of (step.commands ?? []).entries()) {
		const field = `commands.${index}`
		const texts = [command.command, command.content, ...Object.values(command.headers ?? {}).flat()]
		for (const name of texts.flatMap(text => referencesIn(text ?? ''))) known(name, field)
		if (command.type === 'manual') checkManual(id, step, report)
		else if (command.type === 'http-api') checkRequest(document, {id, step, index, origins}, report)
		else
			report(
				'refused',
				id,
				`${field}.type`,
				`Cordon does not run ${command.type} commands.`,
				'Use http-api or manual, or run the playbook elsewhere.'
			)
	}
}

function checkManual(id: string, step: WorkflowStep, report: Report) {
	const {timeout, out_args: out = []} = step
	const approval = approvalOf(step)
	if (timeout === undefined || timeout === 0)
		report('portability', id, 'timeout', 'SOARCA waits for one minute without a timeout.', 'Set a timeout in milliseconds.')
	if (approval === null)
		report(
			'error',
			id,
			'step_extensions',
			'The terms of the approval cannot be read.',
			'Give needed (1 to 5), groups, requester_may and on_timeout.'
		)
	if (approval !== undefined && out.length > 0) report('error', id, 'out_args', 'An approval puts nothing into a variable.', 'Remove out_args.')
	if (approval?.on_timeout !== undefined && (timeout === undefined || timeout === 0))
		report('error', id, 'timeout', 'Without a timeout on_timeout is never taken.', 'Set a timeout in milliseconds.')
	if (approval !== undefined) report('portability', id, 'step_extensions', 'SOARCA asks anyone there.', 'Do not rely on the approval there.')
	if (out.length > 1) report('error', id, 'out_args', 'A question has one answer.', 'Name one variable for it.')
}

interface At {
	id: string
	step: WorkflowStep
	index: number
	origins: readonly string[]
}

function checkRequest(document: PlaybookDocument, {id, step, index, origins}: At, report: Report) {
	const field = `commands.${index}.command`
	const command = step.commands?.[index] ?? {type: ''}
	const [target = '', ...others] = step.targets ?? []
	if (target === '' || others.length > 0)
		report('refused', id, 'targets', 'A request goes to one target.', 'Name one target of the type http-api.')
	try {
		readStartLine(command.command ?? '')
	} catch (error) {
		report('refused', id, field, sentenceOf(error), 'Write it as GET /path HTTP/1.1.')
		return
	}
	const url = urlOf(document, target)
	if (url !== ownAddress) return checkOutside(document, {id, step, index, origins}, {url, target}, report)
	if (!(step.out_args ?? []).every(name => name === resultVariable))
		report('portability', id, 'out_args', `SOARCA puts each answer into ${resultVariable}.`, 'Use that name.')
	if (
		Object.values(command.headers ?? {})
			.flat()
			.some(value => referencesIn(value).length > 0)
	)
		report('portability', id, `commands.${index}.headers`, 'SOARCA fills headers once, not at each visit.', 'Keep variables out of them.')
	try {
		specOfOrder(command)
	} catch (error) {
		report('error', id, field, sentenceOf(error), 'Correct the request.')
	}
}

function checkOutside(
	document: PlaybookDocument,
	{id, step, index, origins}: At,
	{url = '', target}: {url: string | undefined; target: string},
	report: Report
) {
	const refuse = (field: string, message: string, fix: string) => report('refused', id, field, message, fix)
	if (allowedOrigin(origins, url) === undefined) {
		const what = url === '' ? 'This target' : url.slice(0, 200)
		const list = `List its origin in the guard rules of the connection, or use ${ownAddress}.`
		return refuse('targets', `${what} is not Cordon's own address, and no origin that the connection lists.`, list)
	}
	if (document.target_definitions?.[target]?.authentication_info !== undefined)
		refuse('targets', 'Cordon reads no authentication_info.', 'Name a stored secret in a header, such as Bearer $secret:NAME.')
	if (namesSecret(step.commands?.[index] ?? {}))
		report('portability', id, `commands.${index}.headers`, 'SOARCA knows no $secret.', 'Use authentication_info there.')
	try {
		outsideOrderOf(url, step.commands?.[index] ?? {type: ''}, () => '1')
	} catch (error) {
		report('error', id, `commands.${index}`, sentenceOf(error), 'Correct the request.')
	}
}

/** It changes something, or runs another playbook. */
function mayChange({type, commands = []}: WorkflowStep): boolean {
	return type === 'playbook-action' || commands.some(command => changes(command))
}

/** Steps without approval that change something or run another playbook. */
function unaskedSteps(document: PlaybookDocument) {
	const asks = ({commands = []}: WorkflowStep) => commands.some(({type}) => type === 'manual')
	const unasked = reachable(document, [document.workflow_start], step => !asks(step))
	return [...unasked].filter(id => mayChange(stepOf(document, id) ?? {type: 'end'}))
}

function checkApprovals(document: PlaybookDocument, report: Report) {
	for (const id of unaskedSteps(document))
		if (stepOf(document, id)?.type !== 'playbook-action')
			report('warning', id, 'commands', 'The step changes something, and nobody is asked before.', 'Put a manual step before it.')
}

export function changes(command: {type: string; command?: string; content?: string}) {
	if (command.type !== 'http-api') return false
	try {
		return (specOfOrder(command)?.risk ?? 'read') !== 'read'
	} catch {
		// To another address.
		return !/^\s*(?:GET|HEAD)\s/i.test(command.command ?? '')
	}
}
