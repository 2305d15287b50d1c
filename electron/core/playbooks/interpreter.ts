/**
 * Interprets a document over the operations of the engine. The journal restores a run, so its path depends on the document, its
 * variables and the results of steps and answers: never on time or chance.
 */
import {CordonError, hasCode, invalidArgument} from '#contract/errors.ts'

import type {ApprovalState} from '#model/approval.ts'
import {ownAddress} from '#model/playbook.ts'

import {approvalSignal} from '#core/approvals/approvals.ts'
import {isFailure, RunFailed, stepErrorOf, StepFailed} from '#core/engine/ends.ts'
import type {ChildRequest, Outcome, RunContext} from '#core/engine/types.ts'
import {isMet, parseCondition} from './condition.ts'
import {
	approvalOf,
	stepOf,
	urlOf,
	type PlaybookCommand,
	type PlaybookDocument,
	type StepApproval,
	type Variables,
	type WorkflowStep
} from './document.ts'
import {changes} from './graph.ts'
import {isReading, outsideOrderOf, type OutsideOrder} from './outside.ts'
import {orderOf, singleOrders, type CommandOrder, type NoteOrder, type Order as OwnOrder} from './routes.ts'
import {fillText, misfit, referencesIn, resultVariable, valuesOf} from './variables.ts'

/** Pinned with the run: later versions of the playbook do not affect it. */
export interface PinnedPlaybook {
	readonly document: PlaybookDocument
	readonly digest: string
	readonly variables: Variables
	readonly connection: string
	/** Its service at the start; a run of an older version has none. */
	readonly url?: string
	readonly incident: string | null
	/** Playbooks that its steps run, by ID. */
	readonly others: Readonly<Record<string, PlaybookDocument>>
	/** See `StartPlaybook`. */
	readonly appliedBy?: string | undefined
	/** Whether each change waits for an approval. */
	readonly proposes?: boolean
}

export type Order = OwnOrder | OutsideOrder

export interface Where {
	/** Step id in the journal. */
	readonly step: string
	readonly attempt: number
	readonly signal: AbortSignal
}

/** Effects of a run: each order once, with a way to find out whether it was done. */
export interface Hands {
	/** Returns the text of the result. */
	perform(order: Order, where: Where, timeoutMs: number | undefined): Promise<string>
	/** Finds out what happened to an interrupted attempt; sends no change. */
	settle(order: CommandOrder | NoteOrder, where: Where): Promise<Outcome>
	/** Writes an entry to the incident log unless it is there; returns whether it is. */
	tell(step: string, message: string): Promise<void>
	isTold(step: string): Promise<boolean>
	/** Requests the approval of a step; the same step again is the same approval. Returns its ID. */
	propose(asked: AskedApproval): string
	/** Its state; a given approval is used up by this. */
	verdict(asked: AskedApproval): ApprovalState
	timeOut(asked: AskedApproval): void
	/** Begins a run for a playbook-action. */
	pin(document: PlaybookDocument, variables: Readonly<Record<string, string>>): Pick<ChildRequest, 'definition' | 'facts'>
}

export interface AskedApproval {
	readonly step: string
	readonly name: string
	readonly question: string
	readonly terms: StepApproval
	readonly variables: Readonly<Record<string, string>>
	readonly timeoutMs: number | undefined
}

export type Operations = Pick<RunContext, 'perform' | 'sleep' | 'decision' | 'child' | 'all' | 'halted' | 'over'>

/** Denied or timed out. */
export class NotApproved extends RunFailed {
	readonly code: 'approval_denied' | 'approval_timed_out'
	constructor(code: NotApproved['code'], message: string) {
		super(message)
		this.code = code
	}
}

export const playbookKind = 'playbook'
/** Name of the signal that answers a question. */
export const answerTo = (step: string) => `answer:${step}`

const mostVisits = 5000
const mostRounds = 1000
/** Maximum nesting of branches. */
const mostDeep = 100
const longestQuestion = 4000

/** Resolves with the final variables. Rejects with `StepFailed`, `RunFailed`, or what ended the run. */
export async function interpret(operations: Operations, pinned: PinnedPlaybook, hands: Hands): Promise<Variables> {
	const {document} = pinned
	const run = new Interpretation(operations, pinned, hands, '')
	const scope = new Map(Object.entries(pinned.variables))
	try {
		await run.walk(document.workflow_start, scope)
	} catch (error) {
		if (!isFailure(error) || document.workflow_exception === undefined) throw error
		await handle(new Interpretation(operations, pinned, hands, 'exception/'), document.workflow_exception, scope)
		throw error
	}
	return Object.fromEntries(scope)
}

/** The run ends with its first failure. */
async function handle(run: Interpretation, step: string, scope: Scope) {
	try {
		await run.walk(step, scope)
	} catch (error) {
		if (!isFailure(error)) throw error
	}
}

type Scope = Map<string, Variables[string]>

class Interpretation {
	readonly #operations: Operations
	readonly #pinned: PinnedPlaybook
	readonly #hands: Hands
	readonly #prefix: string
	readonly #visits = new Map<string, number>()
	#count = 0

	constructor(operations: Operations, pinned: PinnedPlaybook, hands: Hands, prefix: string) {
		this.#operations = operations
		this.#pinned = pinned
		this.#hands = hands
		this.#prefix = prefix
	}

	async walk(from: string, scope: Scope, depth = 0): Promise<void> {
		if (depth > mostDeep) throw new RunFailed(`Branches lead ${mostDeep} deep, and the run ends here.`)
		for (let id: string | undefined = from; id !== undefined;) {
			const step = stepOf(this.#pinned.document, id)
			if (step === undefined) throw new RunFailed(`The playbook has no step ${id}.`)
			if (step.type === 'end') return
			this.#count += 1
			if (this.#count > mostVisits) throw new RunFailed(`The run has come to ${mostVisits} steps, and ends here.`)
			id = await this.#visit(id, step, scope, depth)
		}
	}

	async #visit(id: string, step: WorkflowStep, scope: Scope, depth: number) {
		const number = (this.#visits.get(id) ?? 0) + 1
		this.#visits.set(id, number)
		const frame: Frame = {key: `${this.#prefix}${id}#${number}`, name: step.name ?? id, step, depth, scope: new Scoped(step, scope)}
		try {
			if (step.delay !== undefined) await this.#operations.sleep(`${frame.key}/delay`, step.delay)
			await this.#carryOut(frame, scope)
			return step.on_success ?? step.on_completion
		} catch (error) {
			const late = error instanceof NotApproved && error.code === 'approval_timed_out'
			const onTimeout = late ? approvalOf(step)?.on_timeout : undefined
			if (onTimeout !== undefined) return onTimeout
			if (step.on_failure !== undefined && isFailure(error)) return step.on_failure
			throw error
		}
	}

	async #carryOut(frame: Frame, scope: Scope) {
		const {step} = frame
		const deeper = frame.depth + 1
		switch (step.type) {
			case 'action':
				for (const [index, command] of (step.commands ?? []).entries())
					await this.#command({...frame, key: index === 0 ? frame.key : `${frame.key}.${index}`}, command)
				return
			case 'if-condition': {
				const next = met(frame) ? step.on_true : step.on_false
				if (next !== undefined) await this.walk(next, scope, deeper)
				return
			}
			case 'while-condition':
				for (let round = 0; met(frame); round += 1) {
					if (round === mostRounds) throw new RunFailed(`${frame.name} was repeated ${mostRounds} times, and ends here.`)
					await this.walk(step.on_true ?? '', scope, deeper)
				}
				return
			case 'switch-condition': {
				const value = fillText(step.switch ?? '', frame.scope.value)
				const cases = new Map(Object.entries(step.cases ?? {}))
				const next = cases.get(value) ?? cases.get('default')
				if (next !== undefined) await this.walk(next, scope, deeper)
				return
			}
			case 'parallel':
				return await this.#parallel(step, scope, deeper)
			case 'playbook-action':
				return await this.#other(frame)
			case 'start':
			case 'end':
		}
	}

	/** Each branch has its own variables; their changes merge in document order. */
	async #parallel({next_steps: next = []}: WorkflowStep, scope: Scope, depth: number) {
		const branches = next.map(id => ({id, own: new Map(scope)}))
		await this.#operations.all(
			branches.map(
				({id, own}) =>
					() =>
						this.walk(id, own, depth)
			)
		)
		const before = new Map(scope)
		for (const {own} of branches) for (const [name, variable] of own) if (variable !== before.get(name)) scope.set(name, variable)
	}

	async #command(frame: Frame, command: PlaybookCommand) {
		const {step, scope, name} = frame
		if (command.type === 'manual') return await this.#ask(frame, command)
		const url = urlOf(this.#pinned.document, step.targets?.[0] ?? '')
		const order = attempt(name, () =>
			url === undefined || url === ownAddress ? orderOf(command, scope.value) : outsideOrderOf(url, command, scope.value)
		)
		const singles = order.kind !== 'command' ? [order] : attempt(name, () => singleOrders(order))
		const results: string[] = []
		for (const [index, single] of singles.entries()) {
			const key = singles.length === 1 ? frame.key : `${frame.key}/${index + 1}`
			results.push(await this.#perform({...frame, key}, command, single))
		}
		const counts = order.kind === 'command' && order.wanted.count
		const result = counts ? String(results.reduce((sum, one) => sum + Number(one), 0)) : results.filter(Boolean).join(',')
		for (const out of step.out_args ?? []) scope.set(out, result, name)
		if (step.out_args === undefined && scope.has(resultVariable)) scope.set(resultVariable, result, name)
	}

	async #perform({key, name, step}: Frame, command: PlaybookCommand, order: Order) {
		for (let round = 0; ; round += 1) {
			const row = await this.#performOnce({key, name, step}, command, order)
			if (row.phase === 'failed' || row.phase === 'unknown') throw new StepFailed(row)
			if (row.phase !== 'planned') return typeof row.output === 'string' ? row.output : ''
			// Of a step that was not started: it waits for that.
			const {approval} = (row.output ?? {}) as {approval?: string}
			if (approval === undefined) throw this.#operations.halted.reason
			if (round === mostRounds) throw new RunFailed(`${name}: the approval was asked for too often.`)
			await this.#operations.decision({
				...{id: `${key}/approval.${round + 1}${row.attempt > 0 ? `.${row.attempt}` : ''}`, name: approvalSignal(approval), label: name},
				input: {question: `${name}: approve the change?`, free: false, approval}
			})
		}
	}

	async #performOnce({key, name, step}: Pick<Frame, 'key' | 'name' | 'step'>, command: PlaybookCommand, order: Order) {
		const {over} = this.#operations
		return await this.#operations.perform({
			...{id: key, label: name, input: order},
			act: async ({number, signal}) => {
				try {
					const output = await this.#hands.perform(order, {step: key, attempt: number, signal}, step.timeout)
					return {phase: 'done', output}
				} catch (error) {
					over.throwIfAborted()
					const waiting = hasCode(error, 'approval_needed') && error.details.approval
					if (typeof waiting === 'string') return {phase: 'not_done', output: {approval: waiting}}
					return failure(error, signal.aborted)
				}
			},
			...((order.kind === 'note' || (order.kind === 'command' && changes(command))) && {
				reconcile: ({number, signal}) => this.#hands.settle(order, {step: key, attempt: number, signal})
			}),
			...(order.kind === 'outside' && !isReading(order) && {reconcile: () => Promise.resolve(cutOff)})
		})
	}

	/** The engine's signal only wakes it: the state of the approval decides. */
	async #approve({key, name, step, scope}: Frame, question: string, terms: StepApproval) {
		const timeoutMs = step.timeout !== undefined && step.timeout > 0 ? step.timeout : undefined
		const asked = {step: key, name, question, terms, variables: scope.values(), timeoutMs}
		const approval = await this.#done(`${key}/request`, name, () => this.#hands.propose(asked))
		for (let round = 1; ; round += 1) {
			const verdict = await this.#done(`${key}/verdict.${round}`, name, () => this.#hands.verdict(asked))
			if (verdict === 'approved') return
			if (verdict === 'timed_out' || round === mostRounds) throw new NotApproved('approval_timed_out', `${name}: nobody approved in time.`)
			if (verdict !== 'pending') throw new NotApproved('approval_denied', `${name}: the approval was ${verdict}.`)
			const answer = await this.#operations.decision({
				...{id: round === 1 ? key : `${key}.${round}`, name: approvalSignal(approval), label: name},
				input: {question, free: false, approval},
				...(timeoutMs !== undefined && {timeoutMs})
			})
			if (answer === null) this.#hands.timeOut(asked)
		}
	}

	/** A recorded step repeats with the same result. */
	async #done(id: string, label: string, work: () => string) {
		const row = await this.#operations.perform({...{id, label, durable: true}, act: () => Promise.resolve({phase: 'done', output: work()})})
		if (row.phase === 'planned') throw this.#operations.halted.reason
		return String(row.output)
	}

	async #ask(frame: Frame, command: PlaybookCommand) {
		const {key, name, step, scope} = frame
		const question = attempt(name, () => fillText(command.command ?? '', scope.value)).slice(0, longestQuestion)
		const terms = approvalOf(step)
		if (terms === null) throw new RunFailed(`${name}: the terms of the approval cannot be read.`)
		if (terms !== undefined) return await this.#approve(frame, question, terms)
		const answers = step.out_args ?? []
		const answer = await this.#operations.decision({
			...{id: key, name: answerTo(key), label: name, input: {question, free: answers.length > 0}},
			...(step.timeout !== undefined && step.timeout > 0 && {timeoutMs: step.timeout})
		})
		if (answer === null) throw new NotApproved('approval_timed_out', `${name}: nobody answered in time.`)
		// Written by `Playbooks.answer` alone.
		const {answer: text, by, reason} = answer.payload as Answer
		await this.#tell(key, name, `${name}: ${by} answered: ${text}.${reason === null ? '' : ` Reason: ${reason}`}`)
		for (const out of answers) scope.set(out, text, name)
		if (answers.length === 0 && text.trim().toLowerCase() !== 'yes') throw new NotApproved('approval_denied', `${name}: the answer was no.`)
	}

	/** The log names the approver before the approved change is sent. */
	async #tell(key: string, name: string, message: string) {
		const row = await this.#operations.perform({
			...{id: `${key}/note`, label: name},
			act: async () => {
				await this.#hands.tell(key, message)
				return {phase: 'done'}
			},
			reconcile: async () => ({phase: (await this.#hands.isTold(key)) ? 'done' : 'not_done'})
		})
		if (row.phase === 'planned') throw this.#operations.halted.reason
	}

	async #other({key, name, step, scope}: Frame) {
		const document = this.#pinned.others[step.playbook_id ?? '']
		if (document === undefined) throw new RunFailed(`${name}: the playbook ${step.playbook_id} is not here.`)
		const given = Object.fromEntries((step.in_args ?? []).map(one => [one, scope.value(one)]))
		const pinned = attempt(name, () => this.#hands.pin(document, given))
		const output = await this.#operations.child({id: key, label: name, kind: playbookKind, title: document.name, ...pinned})
		// Written by `playbookProgram`.
		const {variables} = output as {variables: Readonly<Record<string, string>>}
		for (const out of step.out_args ?? []) scope.set(out, variables[out] ?? '', name)
	}
}

export interface Answer {
	readonly answer: string
	readonly by: string
	readonly reason: string | null
}

interface Frame {
	/** Of the visit, in the journal. */
	key: string
	name: string
	step: WorkflowStep
	depth: number
	scope: Scoped
}

/** Variables as seen by one visit of a step: its own, then those of the playbook. */
class Scoped {
	readonly #own: Map<string, Variables[string]>
	readonly #all: Scope

	constructor(step: WorkflowStep, all: Scope) {
		this.#own = new Map(Object.entries(step.step_variables ?? {}))
		this.#all = all
	}

	readonly find = (name: string) => this.#own.get(name) ?? this.#all.get(name)
	readonly has = (name: string) => this.find(name) !== undefined

	readonly value = (name: string) => {
		const value = this.find(name)?.value ?? null
		if (value === null) throw invalidArgument(`The variable ${name} has no value yet.`, name)
		return value
	}

	readonly values = (): Readonly<Record<string, string>> => valuesOf(Object.fromEntries([...this.#all, ...this.#own]))

	set(name: string, value: string, step: string): void {
		const variable = this.find(name)
		if (variable === undefined || variable.constant === true) throw new RunFailed(`${step}: ${name} cannot be set.`)
		const reason = misfit(variable, value)
		if (reason !== undefined) throw new RunFailed(`${step}: the result for ${name} ${reason}.`)
		;(this.#own.has(name) ? this.#own : this.#all).set(name, {...variable, value})
	}
}

function met({step, scope, name}: Frame) {
	const {condition = ''} = step
	return attempt(name, () => {
		for (const one of referencesIn(condition)) scope.value(one)
		return isMet(parseCondition(condition), scope.find)
	})
}

/** An error of a document or a value ends the run; a failure of Cordon holds it. */
function attempt<T>(name: string, work: () => T) {
	try {
		return work()
	} catch (error) {
		if (error instanceof CordonError) throw new RunFailed(`${name}: ${error.message}`)
		throw error
	}
}

/** A request to another address: its outcome cannot be queried there. */
const cutOff: Outcome = {
	phase: 'unknown',
	error: stepErrorOf(new CordonError('outcome_unknown', 'Cordon ended before the answer arrived. Nothing was sent again.'))
}

function failure(error: unknown, halted: boolean): Outcome {
	const code = error instanceof CordonError ? error.code : 'internal'
	if (halted && code === 'cancelled') return {phase: 'not_done'}
	return {phase: code === 'outcome_unknown' ? 'unknown' : 'failed', error: stepErrorOf(error)}
}
