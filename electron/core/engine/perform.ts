/**
 * One step: its intent is written to the journal, then it acts, then its outcome is written. After a crash a reading reconciles
 * it.
 */
import {digestOfJson} from '#base/canonical.ts'

import {misuse, type Owned} from './owned.ts'
import type {PastAttempt, Plain, SignalRow, StepPhase, StepRow} from './port.ts'
import type {Act, Amendment, Attempt, Outcome} from './types.ts'

const mostPast = 100

export type Steps = ReturnType<typeof stepsOf>

export function stepsOf(owned: Owned) {
	/** Steps under way in this life of the run. */
	const performing = new Set<string>()
	return {
		async perform(act: Act) {
			if (performing.has(act.id)) throw misuse(`The step ${act.id} was begun twice at the same time.`)
			performing.add(act.id)
			try {
				return await performOne(owned, act)
			} finally {
				performing.delete(act.id)
			}
		},
		amend: (changes: readonly Amendment[], durable: boolean) => amend(owned, changes, durable)
	}
}

/** Names of the signals that answer a failed step. */
export const wishes = {retry: (step: string) => `$retry:${step}`, skip: (step: string) => `$skip:${step}`} as const

export interface Skip {
	readonly reason: string
	readonly output: Plain
}

/** The operator's answer to a failed step. */
export function wishFor({control}: Owned, step: string) {
	return control.signals.find(({name}) => name === wishes.retry(step) || name === wishes.skip(step))
}

async function performOne(owned: Owned, act: Act) {
	const known = owned.book.get(act.id)
	if (known === undefined) return await attempt(owned, act, newRow(owned, act))
	checkSame(act, known)
	const wish = isFailed(known.phase) ? wishFor(owned, act.id) : undefined
	if (wish?.name === wishes.skip(act.id)) return await skip(owned, known, wish)
	if (isEnded(known.phase) && wish === undefined) return known
	if (known.phase === 'intent' || known.phase === 'unknown') {
		const settled = await settle(owned, act, known, wish)
		if (settled !== undefined) return settled
	}
	const before = owned.book.get(act.id) ?? known
	// A reading has used it up.
	return await attempt(owned, act, before, isFailed(before.phase) ? wish : undefined)
}

function newRow({book}: Owned, {id, label, input}: Pick<Act, 'id' | 'label' | 'input'>): StepRow {
	return {
		...{id, position: book.nextPosition(), kind: 'step', label: label ?? id, phase: 'planned', tag: 'planned'},
		...{attempt: 0, input: input ?? null, digest: digestOf(input), output: null, error: null, past: []},
		...{begunAt: null, endedAt: null, due: null}
	}
}

/** The row of a step that begins at once and needs no reconciling. */
export function begunRow(owned: Owned, frame: Pick<Act, 'id' | 'label' | 'input'>, kind: StepRow['kind']): StepRow {
	const row = newRow(owned, frame)
	return {...row, kind, phase: 'intent', tag: 'intent', attempt: 1, begunAt: now(owned)}
}

function digestOf(input: Plain) {
	return input === undefined || input === null ? null : digestOfJson(input)
}

/** A program that takes another path than before is not continued by guessing. */
export function checkSame({id, input}: Pick<Act, 'id' | 'input'>, known: StepRow) {
	const digest = digestOf(input)
	if (digest !== null && known.digest !== null && digest !== known.digest)
		throw misuse(`The step ${id} has another input than when it was begun.`)
}

export function isFailed(phase: StepPhase) {
	return phase === 'failed' || phase === 'unknown'
}

function isEnded(phase: StepPhase) {
	return phase === 'done' || phase === 'skipped' || isFailed(phase)
}

/** `kept`: what is stored for this output. */
export async function skip(owned: Owned, known: StepRow, wish: SignalRow, kept = (output: Plain): Plain => output) {
	// Written by `Engine.skip` alone.
	const {reason, output} = wish.payload as Skip
	const error = {code: 'skipped', message: reason}
	const row: StepRow = {...withPast(known), phase: 'skipped', tag: 'skipped', output: kept(output), error, endedAt: now(owned)}
	await owned.put([row], {durable: true, takes: wish})
	return row
}

/** The outcome of an attempt that was not recorded. `undefined`: it did nothing, or only reads. */
async function settle(owned: Owned, act: Act, known: StepRow, wish?: SignalRow) {
	if (act.reconcile === undefined) return undefined
	throwIfOver(owned)
	const outcome = await act.reconcile(attemptOf(owned, act, known.attempt))
	// Still unknown: one more attempt, which takes an answer of its own.
	const read = wish !== undefined && 'error' in outcome ? {...withPast(known), attempt: known.attempt + 1} : known
	const row = ended(owned, read, outcome, {...known, phase: 'planned', tag: 'planned'})
	const isSettled = outcome.phase !== 'not_done'
	await owned.put([row], {durable: isSettled, takes: wish})
	return isSettled ? row : undefined
}

async function attempt(owned: Owned, act: Act, before: StepRow, wish?: SignalRow) {
	const intent = await begun(owned, act, before, wish)
	const outcome = await act.act(attemptOf(owned, act, intent.row.attempt))
	await intent.written
	const row = ended(owned, intent.row, outcome, wish === undefined ? before : {...before, phase: 'planned'})
	await owned.put([row], {durable: intent.durable && outcome.phase !== 'not_done'})
	return row
}

interface Intent {
	row: StepRow
	durable: boolean
	/** A step that only reads may start before its intent is stored. */
	written: Promise<void>
}

/** A request that arrives before the intent is written counts: the intent is removed again. */
async function begun(owned: Owned, act: Act, before: StepRow, wish: SignalRow | undefined): Promise<Intent> {
	const durable = act.durable ?? act.reconcile !== undefined
	for (;;) {
		await passGate(owned, act)
		const row = intentOf(owned, act, before)
		const written = owned.put([row], {durable, takes: wish})
		if (act.reconcile === undefined && !durable) {
			// The outcome awaits its rejection too.
			written.catch(() => {})
			return {row, durable, written}
		}
		await written
		if (mayBegin(owned, act)) return {row, durable, written}
		await owned.put([before], {durable: false})
	}
}

function mayBegin({control}: Owned, {always = false}: Pick<Act, 'always'>) {
	if (control.over.aborted) return false
	return always || !(control.paused || control.cancels > 0)
}

export async function passGate(owned: Owned, act: Pick<Act, 'always'>) {
	const {control} = owned
	for (;;) {
		const changed = control.changed()
		throwIfOver(owned)
		if (act.always !== true) control.halted.throwIfAborted()
		if (mayBegin(owned, act)) return
		await changed
	}
}

export function throwIfOver({control}: Owned) {
	control.over.throwIfAborted()
}

function intentOf(owned: Owned, act: Act, before: StepRow): StepRow {
	return {
		...(before.attempt > 0 && isEnded(before.phase) ? withPast(before) : before),
		...{phase: 'intent', tag: act.tag ?? 'intent', attempt: before.attempt + 1, error: null},
		...{begunAt: now(owned), endedAt: null, digest: before.digest ?? digestOf(act.input)}
	}
}

export function withPast(row: StepRow): StepRow {
	const {attempt: number, phase, error, begunAt, endedAt} = row
	const past: PastAttempt = {attempt: number, phase, error, begunAt, endedAt}
	return {...row, past: [...row.past, past].slice(-mostPast)}
}

function ended(owned: Owned, row: StepRow, outcome: Outcome, before: StepRow): StepRow {
	const output = outcome.output === undefined ? row.output : outcome.output
	if (outcome.phase === 'not_done') return {...before, output, tag: outcome.tag ?? before.tag}
	const error = 'error' in outcome ? outcome.error : null
	return {...row, phase: outcome.phase, tag: outcome.tag ?? outcome.phase, output, error, endedAt: now(owned)}
}

function attemptOf({control}: Owned, {always}: Act, number: number): Attempt {
	return {number, signal: always === true ? control.over : control.halted}
}

export async function amend(owned: Owned, changes: readonly Amendment[], durable: boolean) {
	if (changes.length === 0) return
	const rows = changes.map((change): StepRow => {
		const known = owned.book.get(change.id)
		if (known === undefined) throw misuse(`There is no step ${change.id} in this run.`)
		const tag = change.tag ?? change.phase ?? known.tag
		return {...known, ...change, phase: change.phase ?? known.phase, tag}
	})
	await owned.put(rows, {durable})
}

function now({frame}: Owned) {
	return frame.clock.now()
}
