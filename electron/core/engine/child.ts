/** Child runs: a run starts them and waits for their end. */
import {StepFailed} from './ends.ts'
import type {Owned} from './owned.ts'
import {begunRow, checkSame, isFailed, passGate, skip, wishes, wishFor, withPast} from './perform.ts'
import type {Plain, RunRow, SignalRow, StepRow} from './port.ts'
import type {ChildRequest} from './types.ts'

export interface NewChild {
	readonly id: string
	readonly request: ChildRequest
	readonly key: string
	readonly parent: Owned
	/** Written together with the run. */
	readonly step: StepRow
	readonly takes: SignalRow | undefined
}

/** Other runs, as seen by a run. */
export interface Family {
	newId(): string
	/** Resolves when the run exists and runs. */
	begin(child: NewChild): Promise<void>
	get(run: string): Promise<RunRow | undefined>
	/** Resolves when the run has ended; makes sure that some process runs it. */
	ended(run: string, signal: AbortSignal): Promise<RunRow>
	/** Never rejects. */
	cancel(run: string, level: 1 | 2): Promise<void>
}

interface ChildOutput {
	run: string
	output: Plain
}

export async function childOf(owned: Owned, family: Family, request: ChildRequest) {
	const known = owned.book.get(request.id)
	if (known !== undefined) checkSame(request, known)
	if (known?.phase === 'intent') return await resumed(owned, family, request, known)
	if (known?.phase === 'done' || known?.phase === 'skipped') return outputOf(known).output
	const wish = known !== undefined && isFailed(known.phase) ? wishFor(owned, request.id) : undefined
	if (known === undefined || !isFailed(known.phase)) return await begun(owned, family, request, known)
	if (wish === undefined) {
		// A cancelled run whose process ended right after this was written is cancelled anyway.
		owned.control.halted.throwIfAborted()
		throw new StepFailed(known)
	}
	if (wish.name === wishes.skip(request.id)) {
		const {run} = outputOf(known)
		return outputOf(await skip(owned, known, wish, output => ({run, output}) satisfies ChildOutput)).output
	}
	return await again(owned, family, request, known, wish)
}

function outputOf({output}: StepRow) {
	// Written by this file alone.
	return output as ChildOutput
}

/** A child that could not start does not exist: start it again. */
async function resumed(owned: Owned, family: Family, request: ChildRequest, known: StepRow) {
	if ((await family.get(outputOf(known).run)) !== undefined) return await endOf(owned, family, known)
	return await begun(owned, family, request, known)
}

/** A child that was retried on its own and has ended since is not started a second time. */
async function again(owned: Owned, family: Family, request: ChildRequest, known: StepRow, wish: SignalRow) {
	const last = await family.get(outputOf(known).run)
	if (last?.state !== 'done') return await begun(owned, family, request, known, wish)
	const row = {...withPast(known), ...outcomeOf(last), attempt: known.attempt + 1}
	await owned.put([row], {durable: true, takes: wish})
	return last.output
}

async function begun(owned: Owned, family: Family, request: ChildRequest, known: StepRow | undefined, takes?: SignalRow) {
	await passGate(owned, request)
	const id = family.newId()
	const fresh = begunRow(owned, request, 'child')
	const kept: ChildOutput = {run: id, output: null}
	const isSame = known?.phase === 'intent'
	const attempt = (known?.attempt ?? 0) + (isSame ? 0 : 1)
	const before = known === undefined || isSame ? known : withPast(known)
	const base = before === undefined ? fresh : {...before, phase: fresh.phase, tag: fresh.tag, error: null}
	const step: StepRow = {...base, kind: 'child', attempt, begunAt: fresh.begunAt, endedAt: null, output: kept}
	const key = `${owned.row.id}/${request.id}#${attempt}`
	await family.begin({id, request, key, parent: owned, step, takes})
	owned.book.put(step)
	if (takes !== undefined) owned.control.took(takes)
	return await endOf(owned, family, step)
}

/** A cancel is passed on to the child; its end is awaited anyway, because it reports what was done. */
async function endOf(owned: Owned, family: Family, step: StepRow) {
	const {control} = owned
	const {run} = outputOf(step)
	const over = new AbortController()
	const cancels = tellCancels(owned, family, run, over.signal)
	try {
		const ended = await family.ended(run, control.over)
		const row: StepRow = {...step, ...outcomeOf(ended)}
		await owned.put([row], {durable: true})
		control.halted.throwIfAborted()
		if (row.phase === 'done') return ended.output
		throw new StepFailed(row)
	} finally {
		over.abort()
		control.wake()
		await cancels
	}
}

async function tellCancels({control}: Owned, family: Family, run: string, over: AbortSignal) {
	let told = 0
	while (!over.aborted && !control.over.aborted) {
		const changed = control.changed()
		const {cancels} = control
		if (cancels > told) await family.cancel(run, cancels === 2 ? 2 : 1)
		told = cancels
		if (!over.aborted) await changed
	}
}

function outcomeOf({id, state, output, because, endedAt}: RunRow): Pick<StepRow, 'phase' | 'tag' | 'output' | 'error' | 'endedAt'> {
	const kept: ChildOutput = {run: id, output}
	if (state === 'done') return {phase: 'done', tag: 'done', output: kept, error: null, endedAt}
	const error = {code: state, message: because ?? `The run ${id} ended as ${state}.`}
	return {phase: 'failed', tag: 'failed', output: kept, error, endedAt}
}
