/**
 * An undo as a run of the engine: one process at most carries it out, and each thing that it starts is written down before.
 * A process that ends in the middle has nothing more sent by the next one, for nobody looks at it then: what it did is read,
 * and the undo history offers the rest again.
 */
import {CordonError, hasCode, reportError} from '#contract/errors.ts'
import type {RawArgs} from '#shared/commands/arguments.ts'
import type {Surface} from '#model/incident.ts'
import type {UndoResult} from '#model/undo-list.ts'

import {errorOfStep, StepFailed} from '#core/engine/ends.ts'
import type {StepRow} from '#core/engine/port.ts'
import type {Amendment, Ending, Program, RunContext} from '#core/engine/types.ts'
import {entriesOf} from './changes.ts'
import {changeOf, refuseUndone} from './compensate.ts'
import type {UndoActors} from './types.ts'

/** What is sent, as it was agreed to: one command, or jobs. */
export interface UndoOrder {
	change: string
	title: string
	connection: {id: string; name: string; url: string}
	surface: Surface
	incident: string | null
	sends:
		| {kind: 'command'; name: string; args: RawArgs; confirm: string | null; facts: Readonly<Record<string, unknown>>}
		| {
				kind: 'jobs'
				jobs: readonly {plan: string; part: string; confirm: string | null}[]
				/** The guard rules keep some targets. */
				partial?: boolean
		  }
}

export const undoKind = 'undo'
const commandStep = 'send'
const jobStep = (plan: string) => `job:${plan}`

/** Of the steps that change something. */
export function stepsOf({sends}: UndoOrder): readonly string[] {
	return sends.kind === 'command' ? [commandStep] : sends.jobs.map(({plan}) => jobStep(plan))
}

export function undoProgram(actors: UndoActors): Program {
	return {
		kind: undoKind,
		version: 1,
		reconcile: context => settleLeft(actors, context),
		run: async context => {
			const order = orderOf(context)
			try {
				return await (order.sends.kind === 'command'
					? sendCommand(actors, context, order, order.sends)
					: startJobs(actors, context, order, order.sends))
			} catch (error) {
				if (error instanceof StepFailed) return failed(errorOfStep(error.step))
				throw error
			}
		}
	}
}

function orderOf({definition}: RunContext) {
	// Written by `claim`.
	return definition as UndoOrder
}

function failed(error: CordonError): Ending {
	return {state: 'failed', because: error.message, output: reportError(error)}
}

type Command = Extract<UndoOrder['sends'], {kind: 'command'}>

async function sendCommand(
	actors: UndoActors,
	context: RunContext,
	{change, connection, surface, incident}: UndoOrder,
	{name, args, confirm, facts}: Command
): Promise<Ending> {
	const {message, entry} = await context.step<Sent>({
		id: commandStep,
		act: async ({signal}) => {
			// The reading took a while: another process may have been faster.
			refuseUndone(await changeOf(actors, connection.id, change))
			return await actors.runner.run({
				...{name, args, connection: connection.id, surface, incident, signal},
				agreement: {reason: 'Undo', confirm: confirm ?? undefined},
				facts: {undoes: change, ...facts, run: context.run.id}
			})
		},
		// One that was left is settled before the program runs. It is never sent again.
		reconcile: () => Promise.reject(new CordonError('outcome_unknown'))
	})
	return {output: {message, entries: entry === null ? [] : [entry], jobs: []} satisfies UndoResult}
}

interface Sent {
	message: string
	entry: string | null
}

type Sends = Extract<UndoOrder['sends'], {kind: 'jobs'}>
type Job = Sends['jobs'][number]

/** Each job says in the log what it undoes, with its start: what follows may fail, or never come. */
async function startJobs(actors: UndoActors, context: RunContext, order: UndoOrder, {jobs, partial}: Sends): Promise<Ending> {
	const started: string[] = []
	for (const job of jobs) {
		try {
			started.push(await startJob(actors, context, order, job))
		} catch (error) {
			context.over.throwIfAborted()
			if (started.length === 0) throw error
			return failed(inPart(error, started.length, jobs.length))
		}
	}
	const message = `Undo started: ${order.title}`
	const told = await tell(actors, context, order, message, {jobs: started, partial})
	return {output: {message: `${message}${told}`, entries: [], jobs: started} satisfies UndoResult}
}

async function startJob({jobs}: UndoActors, context: RunContext, {change, surface, incident}: UndoOrder, {plan, part, confirm}: Job) {
	const undoes = {change, part}
	return await context.step({
		id: jobStep(plan),
		act: async ({signal}) => (await jobs.apply({plan, confirm: confirm ?? undefined, surface, incident, undoes, signal})).id,
		reconcile: async () => ((await isJob(jobs, plan)) ? {output: plan} : undefined)
	})
}

function inPart(error: unknown, started: number, of: number) {
	const reason = error instanceof StepFailed ? errorOfStep(error.step) : error
	if (!(reason instanceof CordonError)) throw error
	const message = `Undo started in part: ${started} of ${of} jobs run. The next job did not start: ${reason.message} The undo history offers the rest again.`
	return new CordonError(reason.code, message, reason.details)
}

/** The jobs run, and each logged what it undoes: a missing entry for the whole changes nothing. */
async function tell(
	{log, clock}: UndoActors,
	context: RunContext,
	{change, connection, surface, incident}: UndoOrder,
	message: string,
	facts: object
): Promise<string> {
	const {id: run} = context.run
	try {
		await context.step({
			id: 'note',
			always: true,
			act: async () => {
				const data = {undoes: change, run, ...facts}
				return (await log.append({kind: 'note', surface, incident, connection, message, data})).id
			},
			reconcile: async () => {
				const notes = await entriesOf({log, clock}, connection.id, {kinds: ['note']})
				const found = notes.find(({data}) => data?.['run'] === run)
				return found === undefined ? undefined : {output: found.id}
			}
		})
		return ''
	} catch (error) {
		if (!(error instanceof StepFailed)) throw error
		return ' The incident log has the start of each job, but no note about the whole.'
	}
}

/** What another process left in the middle: what was started is known from where it is kept, and the rest is not started. */
async function settleLeft(actors: UndoActors, context: RunContext) {
	const {sends} = orderOf(context)
	const open = context.steps.all.filter(({id, phase}) => id !== 'note' && (phase === 'planned' || phase === 'intent'))
	const changes: Amendment[] = []
	for (const step of open) changes.push(sends.kind === 'command' ? await commandLeft(actors, context, step) : await jobLeft(actors, step))
	await context.amend(changes, true)
}

const neverSent = {code: 'cancelled', message: 'Cordon ended before this was sent.'} as const

async function jobLeft({jobs, clock}: UndoActors, {id}: StepRow): Promise<Amendment> {
	const plan = id.slice(jobStep('').length)
	const endedAt = clock.now()
	return (await isJob(jobs, plan)) ? {id, phase: 'done', output: plan, endedAt} : {id, phase: 'failed', error: neverSent, endedAt}
}

async function commandLeft({log, clock}: UndoActors, context: RunContext, {id}: StepRow): Promise<Amendment> {
	const endedAt = clock.now()
	const entries = await entriesOf({log, clock}, orderOf(context).connection.id, {writesOnly: true})
	const intent = entries.find(({kind: of, data}) => of === 'command.requested' && data?.['run'] === context.run.id)
	if (intent === undefined) return {id, phase: 'failed', error: neverSent, endedAt}
	const outcome = entries.find(({about}) => about === intent.id)
	if (outcome?.kind === 'command.succeeded')
		return {id, phase: 'done', output: {message: outcome.message, entry: intent.id} satisfies Sent, endedAt}
	if (outcome?.kind === 'command.failed') return {id, phase: 'failed', error: {code: 'service_error', message: outcome.message}, endedAt}
	const message = 'Cordon ended before the answer arrived. Outcome unknown. Check the current state.'
	return {id, phase: 'unknown', error: {code: 'outcome_unknown', message}, endedAt}
}

/** A plan that was never applied is none. */
async function isJob(jobs: UndoActors['jobs'], id: string) {
	try {
		await jobs.get(id)
		return true
	} catch (error) {
		if (hasCode(error, 'unknown_job')) return false
		throw error
	}
}
