/** From a draft to a job, and back: what a job has done leaves the draft, what failed stays with the reason. */
import {allRows} from '#base/all-rows.ts'
import {CordonError, usageError} from '#contract/errors.ts'
import type {TargetOutcome} from '#model/job.ts'
import type {Clock} from '#base/ports.ts'
import type {Jobs} from '../jobs/jobs.ts'
import type {DraftId, Drafts} from './drafts.ts'
import type {CommitWish, ReadyChange} from './types.ts'

export type CommitJobs = Pick<Jobs, 'plan' | 'get' | 'receipts' | 'onChange'>

export interface CommitDependencies {
	clock: Clock
	drafts: Drafts
	jobs: CommitJobs
	onTrouble: (message: string, error: unknown) => void
}

interface Commit {
	list: string
	/** The list was read to its end. */
	read: boolean
	ready: readonly ReadyChange[]
	wish: CommitWish
	signal: AbortSignal | undefined
}

const longestReason = 1000

export async function planOf({drafts, jobs}: CommitDependencies, draft: DraftId, commit: Commit) {
	const {ready, wish, list, read, signal} = commit
	if (!read)
		throw new CordonError('usage', `The list ${list} was not read to its end: nothing was planned.`, {field: 'list', fix: 'Read it whole first.'})
	const left = wish.retryOf === undefined ? undefined : drafts.keysOf(wish.retryOf)
	const rows = left === undefined ? ready : ready.filter(({sha256}) => left.has(sha256))
	if (rows.length === 0) throw usageError('No staged row is ready: there is nothing to commit.')
	const removes = rows.filter(({operation}) => operation === 'remove').map(({sha256}) => sha256)
	const plan = await jobs.plan({
		connection: draft.connection,
		action: {kind: 'change_hashes', list: draft.list, removes, reason: reasonOf(wish.reason, rows)},
		targets: rows.map(({sha256, note}) => ({id: sha256, note})),
		// One that the service refuses must not keep the others from being sent.
		stopShare: 1,
		signal
	})
	const planned = rows.map(({sha256, operation, note}) => ({key: sha256, operation, note}))
	if (!(await drafts.planned(draft, planned, plan.id)))
		throw new CordonError('busy', `The draft of the list ${list} changed while it was planned. Nothing was sent. Plan again.`)
	return plan
}

/** Why red rows are wanted goes into the log with the reason of the whole. */
function reasonOf(reason: string, rows: readonly ReadyChange[]) {
	const given = Map.groupBy(
		rows.filter(row => row.reason !== null),
		row => row.reason
	)
	const all = [...given].map(([why, of]) => `${of.map(({sha256}) => sha256.slice(0, 8)).join(', ')}: ${why}`)
	const whole = all.length === 0 ? reason : `${reason} (marked red, wanted all the same: ${all.join('; ')})`
	return whole.length <= longestReason ? whole : `${whole.slice(0, longestReason - 1)}…`
}

/** While a job runs its rows leave no more often than this, and reading takes a tenth of it. */
const takeEveryMs = 2000
const done: readonly TargetOutcome[] = ['done', 'nothing_to_do']
const left: readonly TargetOutcome[] = ['failed', 'unknown', 'not_tried', 'not_confirmed']

/** Also applies what jobs did before. Returns a function that stops it. */
export function watchCommits(deps: CommitDependencies) {
	const {drafts, jobs, onTrouble} = deps
	const watch: Watch = {nextAt: new Map(), over: new AbortController()}
	/** Of one job one after the other: an older reading must not come after a newer one. Whether it changed meanwhile. */
	const looking = new Map<string, boolean>()
	const look = async (job: string) => {
		if (looking.has(job)) return void looking.set(job, true)
		do {
			looking.set(job, false)
			await lookAt(deps, watch, job).catch((error: unknown) => {
				if (!watch.over.signal.aborted) onTrouble('What a job did could not be taken out of its draft.', error)
			})
		} while (looking.get(job) === true)
		looking.delete(job)
	}
	const unlisten = jobs.onChange((_connection, job) => void look(job))
	for (const plan of drafts.plans()) void look(plan)
	return () => {
		unlisten()
		watch.over.abort()
	}
}

interface Watch {
	nextAt: Map<string, number>
	/** Nothing is taken any more: the drafts may be closed. */
	over: AbortController
}

async function lookAt({clock, drafts, jobs}: CommitDependencies, {nextAt, over}: Watch, job: string) {
	if (over.signal.aborted || drafts.draftOf(job) === undefined) return
	// A plan that was never applied is no job.
	const hasEnded = await jobs.get(job).then(
		({summary}) => summary.endedAt !== null,
		() => undefined
	)
	const begun = clock.now()
	if (hasEnded === undefined || (begun < (nextAt.get(job) ?? 0) && !hasEnded)) return
	const rest = () => void nextAt.set(job, clock.now() + Math.max(takeEveryMs, Math.min(20_000, 9 * (clock.now() - begun))))
	rest()
	const results = await resultsOf(jobs, job, hasEnded ? [...done, ...left] : done)
	const draft = over.signal.aborted ? undefined : drafts.draftOf(job)
	if (draft === undefined) return
	if (drafts.lastJob(draft) !== job) await drafts.setJob(draft, job)
	await drafts.settle(job, results)
	if (hasEnded) nextAt.delete(job)
	else rest()
}

async function resultsOf(jobs: CommitJobs, job: string, outcomes: readonly TargetOutcome[]) {
	const rows = await allRows(window => jobs.receipts({job, outcomes, ...window}))
	return new Map(rows.map(({id, outcome, message}) => [id, done.includes(outcome) ? null : (message ?? outcome.replaceAll('_', ' '))]))
}
