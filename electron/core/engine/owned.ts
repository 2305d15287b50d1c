/** A run owned by this process: its journal in memory, and its writes, each under the epoch of the claim. */
import {allRows} from '#base/all-rows.ts'
import type {Clock} from '#base/ports.ts'
import {CordonError} from '#contract/errors.ts'
import {omitUndefined} from '#shared/omit-undefined.ts'
import type {Submit} from './batch.ts'
import {Cancelled, Over} from './ends.ts'
import type {Plain, RunChange, RunHead, RunRow, RunStore, SignalRow, StepRow, Tally, Written} from './port.ts'
import type {StepBook} from './types.ts'

/** What the engine gives to owners. */
export interface Frame {
	readonly store: RunStore
	readonly submit: Submit
	readonly clock: Clock
	random(bytes: number): Uint8Array
	/** This run changed. */
	readonly changed: (run: RunRow) => void
}

export async function openOwned(frame: Frame, claimed: RunRow): Promise<Owned> {
	const {store} = frame
	const {id: run, epoch} = claimed
	const pending = await store.pending(run)
	if (pending?.epoch !== epoch) throw new Over('lost')
	const book = openBook(await allSteps(store, run))
	const definition = claimed.definition === null ? null : await store.definition(claimed.definition)
	return ownedOf(frame, claimed, {book, definition, control: openControl(pending, pending.signals)})
}

async function allSteps(store: RunStore, run: string): Promise<readonly StepRow[]> {
	return (await allRows(window => store.steps({run, ...window}))).map(({run: _run, ...step}) => step)
}

export type Owned = ReturnType<typeof ownedOf>

function ownedOf(frame: Frame, claimed: RunRow, parts: {definition: Plain; book: OwnBook; control: Control}) {
	const {store, submit, clock} = frame
	const {book, control} = parts
	const {id: run, epoch} = claimed
	let row = claimed
	const held = () => ({run, epoch, at: clock.now()})
	/** A refused write ends the run here: the state in memory is no longer true. */
	const safely = async <T>(write: () => Promise<T>) => {
		control.mayWrite()
		try {
			return await write()
		} catch (error) {
			control.end(new Over('fault', error))
			throw error
		}
	}
	return {
		frame,
		epoch,
		...parts,
		/** The row as claimed, with later changes. */
		get row() {
			return row
		},
		/** Rejects when the rows are not in the store. Then stop all work on the run. */
		put: async (steps: readonly StepRow[], {durable, takes}: {durable: boolean; takes?: SignalRow | undefined}) => {
			const op = {kind: 'steps', ...held(), steps, takes: takes?.seq ?? null, durable} as const
			control.seen(await safely(() => submit(op)))
			steps.forEach(book.put)
			if (takes !== undefined) control.took(takes)
			frame.changed(row)
		},
		decide: async (step: StepRow, name: string, late: boolean) => {
			const result = await safely(() => submit({kind: 'decide', ...held(), step, name, late}))
			if (result === null) control.seen(null)
			else if (result.taken !== null) control.took(result.taken)
			return result ?? {taken: null, late: false}
		},
		change: async (change: RunChange, durable: boolean) => {
			control.seen(await safely(() => submit({kind: 'change', ...held(), change, durable})))
			row = {...row, ...omitUndefined(change)}
			frame.changed(row)
		},
		/** Gives up ownership. */
		release: async () => void (await submit({kind: 'release', ...held()})),
		/** Reads what other processes wrote to the run. */
		look: async () => {
			const pending = await store.pending(run)
			if (pending?.epoch === epoch) control.look(pending)
			else control.end(new Over('lost'))
		}
	}
}

/** A mistake of a program: the run is held with this reason. */
export function misuse(what: string) {
	return new CordonError('internal', what)
}

/** The journal of a run in its owner's memory. A row is added once it is in the store. */
interface OwnBook extends StepBook {
	put(row: StepRow): void
	nextPosition(): number
}

function openBook(rows: readonly StepRow[]): OwnBook {
	const all: StepRow[] = []
	const places = new Map<string, number>()
	const counts = new Map<string, number>()
	let positions = rows.reduce((next, {position}) => Math.max(next, position + 1), 0)
	const counted = (tag: string, by: 1 | -1) => void counts.set(tag, (counts.get(tag) ?? 0) + by)
	const put = (row: StepRow) => {
		const place = places.get(row.id) ?? all.length
		const before = all[place]
		if (before !== undefined) counted(before.tag, -1)
		counted(row.tag, 1)
		places.set(row.id, place)
		all[place] = row
	}
	rows.forEach(put)
	return {
		all,
		put,
		get: id => all[places.get(id) ?? -1],
		with: (...tags) => all.filter(({tag}) => tags.includes(tag)),
		count: (...tags) => tags.reduce((sum, tag) => sum + (counts.get(tag) ?? 0), 0),
		tally: (): Tally => Object.fromEntries([...counts].filter(([, count]) => count > 0)),
		nextPosition: () => positions++
	}
}

/** What the owner knows of outside requests: pauses, cancels, signals, and its own end. */
type Pending = NonNullable<Awaited<ReturnType<RunStore['pending']>>>

interface Control {
	paused: boolean
	cancels: RunHead['cancels']
	/** Signals that no step has taken, oldest first. */
	signals: readonly SignalRow[]
	halted: AbortSignal
	over: AbortSignal
	/** Takes the result of a write. Throws when another process has the run. */
	seen(written: Written): void
	look(pending: Pending): void
	took(signal: SignalRow): void
	/** Ends the life for good; the first reason stays. */
	end(reason: Over): void
	/** Throws when another process has the run or the store failed: then nothing may be written. */
	mayWrite(): void
	/** Resolves on any change, also by `wake`; never rejects. */
	changed(): Promise<void>
	wake(): void
}

function openControl(first: Pick<RunHead, 'paused' | 'cancels'>, signals: readonly SignalRow[]): Control {
	const halted = new AbortController()
	const over = new AbortController()
	let {paused, cancels} = first
	let waiting = signals
	let next = Promise.withResolvers<void>()
	const wake = () => {
		next.resolve()
		next = Promise.withResolvers<void>()
	}
	const set = (now: Pick<RunHead, 'paused' | 'cancels'>) => {
		if (now.paused === paused && now.cancels === cancels) return
		;({paused, cancels} = now)
		if (cancels > 0 && !halted.signal.aborted) halted.abort(new Cancelled())
		wake()
	}
	const end = (reason: Over) => {
		if (!over.signal.aborted) over.abort(reason)
		if (!halted.signal.aborted) halted.abort(reason)
		wake()
	}
	if (cancels > 0) halted.abort(new Cancelled())
	return {
		get paused() {
			return paused
		},
		get cancels() {
			return cancels
		},
		get signals() {
			return waiting
		},
		halted: halted.signal,
		over: over.signal,
		end,
		wake,
		changed: () => next.promise,
		seen(written) {
			if (written === null) {
				end(new Over('lost'))
				throw over.signal.reason
			}
			set(written)
		},
		look(pending) {
			const known = waiting.at(-1)?.seq ?? 0
			waiting = pending.signals
			set(pending)
			if ((waiting.at(-1)?.seq ?? 0) > known) wake()
		},
		took: ({seq}) => void (waiting = waiting.filter(one => one.seq !== seq)),
		mayWrite() {
			const {reason} = over.signal
			if (reason instanceof Over && reason.kind !== 'closing') throw reason
		}
	}
}
