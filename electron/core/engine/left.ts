/** Runs left behind by ended processes: they continue, wait or end. */
import {hasCode} from '#contract/errors.ts'
import {allRows} from '#base/all-rows.ts'
import type {ProcessIdentity} from '#core/store/process-identity.ts'

import {Over} from './ends.ts'
import {openOwned, type Frame, type Owned} from './owned.ts'
import {amend} from './perform.ts'
import type {RunHead} from './port.ts'
import type {Program, RunsWhere} from './types.ts'

export type Left = ReturnType<typeof leftRuns>

interface LeftDependencies {
	frame: Frame
	self: ProcessIdentity
	programs: ReadonlyMap<string, Program>
	whereIs: (run: RunHead) => RunsWhere
	/** Takes the run over. It stays paused if it was. */
	goOn: (run: string) => Promise<void>
	onTrouble: (message: string, error: unknown) => void
}

export function leftRuns(deps: LeftDependencies) {
	const {programs, goOn, whereIs} = deps
	return {
		recover: async () => {
			for (const run of await openRuns(deps)) await recoverSafely(deps, run)
		},
		/** Ends an unowned run. When its program cannot do so, the program is run and finds the cancel. */
		end: async (run: RunHead, because: string) => {
			const program = programs.get(run.kind)
			if (program === undefined || run.endedAt !== null || whereIs(run) !== 'nowhere') return
			if (program.abandon === undefined) await goOn(run.id).catch(ignoreBusy)
			else await abandon(deps, run, because)
		}
	}
}

/** Reads all first: runs that end during the loop would shift the windows. */
async function openRuns({frame}: LeftDependencies) {
	return (await allRows(window => frame.store.runs({states: ['open', 'held'], ...window}))).toReversed()
}

/** One run that cannot continue must not block the others. */
async function recoverSafely(deps: LeftDependencies, run: RunHead) {
	try {
		await recoverOne(deps, run)
	} catch (error) {
		// Another process was faster, or this one is closing: the run has an owner or will get one.
		if (!(error instanceof Over || hasCode(error, 'busy'))) deps.onTrouble('A run that another process left could not go on.', error)
	}
}

async function recoverOne(deps: LeftDependencies, run: RunHead) {
	const {programs, frame, goOn, whereIs} = deps
	const program = programs.get(run.kind)
	if (program === undefined || whereIs(run) !== 'nowhere') return
	const recovery = program.recover?.(run, frame.clock.now()) ?? {kind: 'go_on'}
	if (recovery.kind === 'end') return await abandon(deps, run, recovery.because)
	if (recovery.kind === 'hold') return await asOwner(deps, run, owned => owned.change({state: 'held', because: recovery.because}, true))
	if (recovery.kind === 'leave' || run.state === 'held') return
	await goOn(run.id)
}

async function abandon(deps: LeftDependencies, run: RunHead, because: string) {
	await asOwner(deps, run, async owned => {
		const ended = deps.programs.get(run.kind)?.abandon?.(owned.book.all, because)
		await amend(owned, ended?.steps ?? [], false)
		const endedAt = deps.frame.clock.now()
		const tally = owned.book.tally()
		await deps.programs.get(run.kind)?.ending?.({...owned.row, state: 'cancelled', because, tally}, owned.book.all)
		await owned.change({state: 'cancelled', because, phase: ended?.phase, endedAt, tally}, true)
	})
}

/** Does nothing when another process has claimed the run or claims it meanwhile. */
async function asOwner({frame, self}: LeftDependencies, run: RunHead, work: (owned: Owned) => Promise<void>) {
	const held = {run: run.id, epoch: run.epoch, at: frame.clock.now()}
	const epoch = await frame.submit({kind: 'claim', ...held, owner: self})
	const row = epoch === null ? undefined : await frame.store.run(run.id)
	if (row === undefined || row.epoch !== epoch) return
	try {
		await work(await openOwned(frame, row))
	} catch (error) {
		if (!(error instanceof Over && error.kind === 'lost')) throw error
	} finally {
		// Also where it failed: nobody here works on it.
		await frame.submit({kind: 'release', ...held, epoch: row.epoch})
	}
}

export function ignoreBusy(error: unknown) {
	if (!hasCode(error, 'busy')) throw error
}
