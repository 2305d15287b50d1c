/** The context of a program: steps, pauses, questions and other runs, each answered from the journal once it has ended. */
import {hasCode} from '#contract/errors.ts'

import {childOf, type Family} from './child.ts'
import {failedSteps, isFailure, stepErrorOf, StepFailed} from './ends.ts'
import {misuse, type Owned} from './owned.ts'
import {begunRow, checkSame, isFailed, passGate, stepsOf, throwIfOver, type Steps} from './perform.ts'
import type {Plain, StepRow} from './port.ts'
import {waitUntilDue} from '#base/due.ts'
import type {Act, Answer, Outcome, Question, RunContext, Step} from './types.ts'

export function contextOf(owned: Owned, family: Family, resumed: boolean): RunContext {
	const {control, book, frame} = owned
	const steps = stepsOf(owned)
	return {
		get run() {
			return owned.row
		},
		definition: owned.definition,
		resumed,
		steps: book,
		halted: control.halted,
		over: control.over,
		get cancels() {
			return control.cancels
		},
		get paused() {
			return control.paused
		},
		perform: act => steps.perform(act),
		step: step => simpleStep(owned, steps, step),
		sleep: (id, ms) => sleep(owned, id, ms),
		decision: question => decision(owned, question),
		child: request => childOf(owned, family, request),
		all,
		amend: (changes, durable = false) => steps.amend(changes, durable),
		note: ({phase, because, facts}) => owned.change({phase, because, ...(facts !== undefined && {facts: {...owned.row.facts, ...facts}})}, true),
		rest: async ms => {
			const ended = new AbortController()
			void control.changed().then(() => ended.abort())
			if (control.over.aborted) return
			await frame.clock.sleep(ms, ended.signal).catch(() => {})
		},
		wake: control.wake
	}
}

async function simpleStep<Output>(owned: Owned, steps: Steps, step: Step<Output>) {
	const row = await steps.perform(actOf(owned, step))
	if (isFailed(row.phase)) throw new StepFailed(row)
	if (row.phase === 'planned') throw owned.control.halted.reason ?? misuse(`The step ${step.id} was not done.`)
	// The result of `act`, or its replacement by an operator.
	return row.output as Output
}

function actOf<Output>(owned: Owned, {id, label, input, always, act, reconcile}: Step<Output>): Act {
	return {
		...{id, label, input, always},
		act: async attempt => {
			try {
				return {phase: 'done', output: await act(attempt)}
			} catch (error) {
				// Interrupted: the next owner finds out what happened.
				throwIfOver(owned)
				return failure(error, attempt.signal.aborted)
			}
		},
		...(reconcile !== undefined && {
			reconcile: async attempt => {
				const found = await reconcile(attempt)
				return found === undefined ? {phase: 'not_done'} : {phase: 'done', output: found.output}
			}
		})
	}
}

function failure(error: unknown, halted: boolean): Outcome {
	if (halted && hasCode(error, 'cancelled')) return {phase: 'not_done'}
	return {phase: hasCode(error, 'outcome_unknown') ? 'unknown' : 'failed', error: stepErrorOf(error)}
}

async function sleep(owned: Owned, id: string, ms: number) {
	const {clock} = owned.frame
	const known = owned.book.get(id)
	if (known?.phase === 'done') return
	await passGate(owned, {})
	const since = known?.begunAt ?? clock.now()
	const due = known?.due ?? since + ms
	const row = known ?? {...begunRow(owned, {id}, 'sleep'), due}
	if (known === undefined) await owned.put([row], {durable: true})
	await waitUntilDue(clock, {since, due}, owned.control.halted)
	await owned.put([{...row, phase: 'done', tag: 'done', endedAt: clock.now()}], {durable: false})
}

async function decision(owned: Owned, question: Question) {
	const {id, name = id, timeoutMs, always = false} = question
	const {control, book, frame} = owned
	const known = book.get(id)
	if (known !== undefined) checkSame(question, known)
	// Written by `decide` alone.
	if (known?.phase === 'done') return known.output as Answer
	throwIfOver(owned)
	const row = known ?? begunRow(owned, question, 'decision')
	const since = row.begunAt ?? frame.clock.now()
	const due = row.due ?? (timeoutMs === undefined ? null : since + timeoutMs)
	const asked: StepRow = {...row, tag: 'waiting', due}
	book.put(asked)
	const signal = always ? control.over : control.halted
	const ended = new AbortController()
	const stop = AbortSignal.any([signal, ended.signal])
	let late = false
	const timer =
		due === null
			? never
			: waitUntilDue(frame.clock, {since, due}, stop).then(
					() => void (late = true),
					() => never
				)
	try {
		for (;;) {
			const changed = control.changed()
			signal.throwIfAborted()
			const result = await owned.decide(asked, name, late)
			frame.changed(owned.row)
			if (result.taken !== null || result.late) return await decided(owned, asked, result.taken)
			await Promise.race([changed, timer])
		}
	} finally {
		ended.abort()
	}
}

const never = new Promise<never>(() => {})

async function decided(owned: Owned, asked: StepRow, taken: {payload: Plain; at: number} | null) {
	const output = taken === null ? null : {payload: taken.payload, at: taken.at}
	owned.book.put({...asked, phase: 'done', tag: output === null ? 'timed_out' : 'answered', output})
	return output
}

/** Waits for all branches: what one began is known when another fails. */
async function all<Result>(branches: readonly (() => Promise<Result>)[]): Promise<readonly Result[]> {
	const ends = await Promise.allSettled(branches.map(branch => branch()))
	const errors: readonly unknown[] = ends.flatMap(end => (end.status === 'rejected' ? [end.reason] : []))
	const other = errors.find(error => !isFailure(error))
	if (other !== undefined) throw other
	// One branch ends the run, but a step that failed in another can still be retried.
	if (errors.length > 1 && failedSteps(new AggregateError(errors)).length > 0) throw new AggregateError(errors, errors.map(String).join(' '))
	if (errors.length > 0) throw errors[0]
	return ends.flatMap(end => (end.status === 'fulfilled' ? [end.value] : []))
}
