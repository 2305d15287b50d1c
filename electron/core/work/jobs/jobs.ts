/** Jobs of one process: plans, and the runs of the engine that carry them out. */
import {allRows} from '#base/all-rows.ts'
import {RunTaken} from '#core/engine/ends.ts'
import type {DraftRow, RunHead, StepRow} from '#core/engine/port.ts'
import {CordonError, usageError} from '#contract/errors.ts'
import type {Connection} from '#model/connection.ts'
import type {AgreedPlan, JobDetail, JobPlan, JobSummary, JobWindow, ReceiptQuery, ReceiptWindow} from '#model/job.ts'
import {type Cell, csvLine} from '#text/csv.ts'
import {actWords} from '#text/acts.ts'
import {approve} from './approve.ts'
import {takeOverFormer} from './former.ts'
import {planText, readPlan} from './plan-file.ts'
import {makePlan} from './plan.ts'
import {jobProgram} from './program.ts'
import {agreedIn, factsOf, jobKind, keyOf, stepOf} from './rows.ts'
import {partsOf} from './run-state.ts'
import {phaseOf, receiptOf, summaryOf, totalsOf} from './summary.ts'
import type {ApplyRequest, JobServices, PlanRequest} from './types.ts'

/** Results of every target, for a ticket or a spreadsheet. */
const columns = [
	'id',
	'label',
	'outcome',
	'requestedAt',
	'acceptedAt',
	'observedAt',
	'observed',
	'message',
	'error',
	'requestId',
	'entry'
] as const

function* csvOf(rows: readonly StepRow[]): Iterable<string> {
	yield csvLine([...columns])
	for (const row of rows) {
		const receipt = receiptOf(row)
		yield csvLine(columns.map((column): Cell => receipt[column]))
	}
}

/** One object: the job, what it left out, and a receipt for each target. */
function* jsonOf(summary: JobSummary, {action, leftOut, digest}: AgreedPlan, rows: readonly StepRow[]): Iterable<string> {
	const head = JSON.stringify({job: summary, action, digest, leftOut})
	yield `${head.slice(0, -1)},"receipts":[\n`
	for (const [index, row] of rows.entries()) yield `${index === 0 ? '' : ',\n'}${JSON.stringify(receiptOf(row))}`
	yield '\n]}\n'
}

const retried = ['failed', 'unknown', 'not_tried', 'not_confirmed'] as const
/** While others are watched, nothing changes these any more. */
const retriedEarly = ['failed', 'not_tried'] as const
const planKeptMs = 7 * 24 * 3_600_000

interface ListRequest {
	connection?: string | undefined
	offset?: number
	limit?: number
}

/** Registers the program of jobs with the engine of `services`. */
export function openJobs(services: JobServices) {
	return new Jobs(services)
}

/** Jobs of a profile. Every method throws `CordonError` only. */
export class Jobs {
	readonly #services: JobServices
	readonly #applying = new Set<string>()
	#former: Promise<void> | undefined

	constructor(services: JobServices) {
		this.#services = services
		services.runs.register(jobProgram(services))
	}

	/** Reads the states and writes nothing to the service. Stored for 7 days, or until it is applied. */
	async plan(request: PlanRequest): Promise<JobPlan> {
		const plan = await makePlan(this.#services, request)
		await this.#keep(plan.connection.id, plan)
		return plan
	}

	/** Throws `unknown_job`. */
	async planOf(id: string): Promise<JobPlan> {
		return planIn(await this.#draft(id))
	}

	async planFile(id: string): Promise<string> {
		return planText(await this.planOf(id))
	}

	/** Throws `invalid_argument` with the field at fault for a text that is no plan of this connection. */
	async importPlan(connection: string, text: string): Promise<JobPlan> {
		const found = this.#services.connections.find(connection)
		const plan = readPlan(text, found)
		await this.#refuseApplied(plan.id)
		await this.#keep(found.id, plan)
		return plan
	}

	/**
	 * Reads the states again and starts the job; resolves when it runs. Throws `plan_drifted` with the difference,
	 * `confirmation_needed` when `confirm` is not what the tier asks for, `read_only`: nothing was sent then.
	 */
	async apply(request: ApplyRequest): Promise<JobSummary> {
		const {plan: id} = request
		// Before anything is awaited: a double click is one job.
		if (this.#applying.has(id)) throw new CordonError('busy', 'This plan is already being applied. Nothing was sent twice.')
		this.#applying.add(id)
		try {
			await this.#applyNow(await this.#draft(id), request)
			return await this.#summary(id)
		} finally {
			this.#applying.delete(id)
		}
	}

	/** Nothing more is sent; what was sent keeps its own state and is observed to its end. */
	async stop(id: string): Promise<JobSummary> {
		const run = await this.#run(id)
		if (run.endedAt !== null) return await this.#summary(id)
		const waits = run.phase === 'observing' || run.cancels > 0
		await this.#services.runs.cancel(id, waits ? 2 : 1, 'Stopped after its program had ended.')
		return await this.#summary(id)
	}

	/** Goes on with a job whose process ended. Reads the states before anything else. */
	async resume(id: string): Promise<JobSummary> {
		const {runs, connections} = this.#services
		const run = await this.#run(id)
		refuseEnded(run)
		connections.find(run.subject ?? '')
		try {
			await runs.resume(id)
		} catch (error) {
			refuseEnded(await this.#run(id))
			throw error
		}
		return await this.#summary(id)
	}

	/** A new plan of the targets that failed, were not tried, or were never seen as wanted. */
	async retryPlan(id: string, signal?: AbortSignal): Promise<JobPlan> {
		const run = await this.#run(id)
		const {action, stopShare} = await this.#agreed(run)
		const {undoes} = factsOf(run)
		// Of each undo there is one at a time.
		if (run.endedAt === null && (run.phase !== 'observing' || undoes !== null))
			throw new CordonError('busy', 'The job still runs: stop it first, or wait for its end.')
		const rest = (await this.#steps(id, run.endedAt === null ? retriedEarly : retried)).map(stepTarget)
		if (rest.length === 0) throw usageError('Nothing of this job failed: there is nothing to try again.')
		return await this.plan({
			connection: run.subject ?? '',
			action,
			targets: rest,
			stopShare,
			undoes: undoes ?? undefined,
			// They were agreed to once; the tier asks again.
			reviewed: true,
			signal
		})
	}

	/** Those that have not ended, then the others; newest first. */
	async list({connection, offset = 0, limit = 10_000}: ListRequest = {}): Promise<JobWindow> {
		await this.#ready()
		const {runs} = this.#services
		const {rows, matching} = await runs.find({kind: jobKind, subject: connection, openFirst: true, offset, limit})
		const open = await this.#openRuns(connection)
		const running = open.filter(run => phaseOf(run, runs.whereIs(run)) !== 'interrupted').length
		return {rows: await this.#summaries(rows), offset, matching, running}
	}

	/** All that have not ended. */
	async open(connection: string): Promise<readonly JobSummary[]> {
		return await this.#summaries(await this.#openRuns(connection))
	}

	async get(id: string): Promise<JobDetail> {
		const run = await this.#run(id)
		const where = run.endedAt === null ? this.#services.runs.whereIs(run) : 'nowhere'
		return {summary: await this.#summaryOf(run), runs: where, observeUntil: factsOf(run).observeUntil}
	}

	/** The plan that the job carries out, without its targets. */
	async agreed(id: string): Promise<AgreedPlan> {
		return await this.#agreed(await this.#run(id))
	}

	async receipts({job, outcomes, search, offset, limit}: ReceiptQuery): Promise<ReceiptWindow> {
		await this.#run(job)
		const {rows, matching} = await this.#services.runs.steps({run: job, tags: outcomes, search, offset, limit})
		return {rows: rows.map(receiptOf), offset, matching}
	}

	/** Results of every target. */
	async export(id: string, format: 'csv' | 'json'): Promise<Iterable<string>> {
		const run = await this.#run(id)
		const steps = await this.#steps(id)
		return format === 'csv' ? csvOf(steps) : jsonOf(await this.#summaryOf(run), await this.#agreed(run), steps)
	}

	async totals(connection: string) {
		return totalsOf(await this.open(connection))
	}

	/** Resolves when nothing of the job runs in this process any more. */
	async settled(id: string): Promise<JobSummary> {
		await this.#run(id)
		return await this.#summaryOf(await this.#services.runs.settled(id))
	}

	/**
	 * Has the engine take over abandoned runs. Jobs alive 30 minutes ago continue; older ones are reported and wait.
	 */
	async recover(): Promise<void> {
		await this.#ready()
		await this.#services.runs.recover()
	}

	/** Called after a job changed, once for all changes of a turn; returns the way to stop. */
	onChange(listener: (connection: string, job: string) => void): () => void {
		return this.#services.runs.onChange(({kind, subject, run}) => {
			if (kind === jobKind) listener(subject ?? '', run)
		})
	}

	/** Stops the engine: nothing more is sent, what is on its way is waited for, and the next process has the rest. */
	async close(): Promise<void> {
		await this.#services.runs.stop()
		await this.#former
	}

	/** What an earlier version kept in a file of its own is taken over before anything is looked for. */
	async #ready() {
		this.#former ??= takeOverFormer(this.#services)
		await this.#former
	}

	async #keep(subject: string, plan: JobPlan) {
		const now = this.#services.clock.now()
		await this.#ready()
		await this.#services.runs.keepDraft({id: plan.id, kind: jobKind, subject, keptAt: now, body: plan}, now - planKeptMs)
	}

	async #draft(id: string) {
		await this.#refuseApplied(id)
		const found = await this.#services.runs.draft(id)
		if (found?.kind !== jobKind) throw new CordonError('unknown_job', 'There is no such plan, or it is older than 7 days.')
		return found
	}

	async #refuseApplied(id: string) {
		await this.#ready()
		if ((await this.#services.runs.get(id))?.kind === jobKind) throw applied(id)
	}

	async #run(id: string): Promise<RunHead> {
		await this.#ready()
		const run = await this.#services.runs.get(id)
		if (run?.kind !== jobKind) throw new CordonError('unknown_job', 'There is no such job on this profile.')
		return run
	}

	async #applyNow(draft: DraftRow, given: ApplyRequest) {
		const services = this.#services
		const plan = planIn(draft)
		const {undoes = plan.undoes} = given
		const request = {...given, undoes}
		const connection = services.connections.find(draft.subject ?? '')
		const {action} = await partsOf(services, connection, plan)
		// Before the states are read: what changes meanwhile is newer than what was seen.
		const logSeq = await services.log.newest()
		await approve({services, connection, plan, action, request})
		request.signal?.throwIfAborted()
		await this.#begin(connection, plan, draft, request, logSeq)
	}

	/** The name of the group that computers are moved to, as far as it is known. */
	async #goalOf(connection: string, action: JobPlan['action']) {
		return action.kind === 'move' ? (await this.#services.inventory(connection)).groupPath(action.group).at(-1) : undefined
	}

	/** The job exists and belongs to this process before its start is logged; without the log entry there is no job. */
	async #begin({id: connection}: Connection, plan: JobPlan, draft: DraftRow, given: ApplyRequest, logSeq: number) {
		const {runs, operator} = this.#services
		const {targets, ...agreed} = plan
		const facts = factsFor(plan, given, logSeq)
		const title = actWords(plan.action.kind, targets.length, await this.#goalOf(connection, plan.action))
		const request = {
			...{kind: jobKind, id: plan.id, title, startedBy: operator},
			...{subject: connection, definition: agreed, steps: targets.map(stepOf), phase: 'applying'},
			...{facts: {...facts}, draft}
		}
		for (let count = 1; ; count += 1) {
			try {
				return void (await runs.begin({...request, key: keyOf(connection, facts.undoes, count)}))
			} catch (error) {
				if (!(error instanceof RunTaken)) throw error
				if (error.run === plan.id) throw applied(plan.id)
				// A plan made after its end knows what it left.
				const endedAt = (await runs.get(error.run))?.endedAt ?? Infinity
				if (endedAt > Date.parse(plan.createdAt)) throw undone(error.run)
			}
		}
	}

	async #agreed(run: RunHead) {
		return agreedIn(await this.#services.runs.definitionOf(run))
	}

	async #summary(id: string) {
		return await this.#summaryOf(await this.#run(id))
	}

	async #summaryOf(run: RunHead) {
		const {runs} = this.#services
		return summaryOf(run, (await runs.tally([run]))[run.id] ?? {}, runs.whereIs(run))
	}

	async #openRuns(subject: string | undefined) {
		await this.#ready()
		const {runs} = this.#services
		return await allRows(window => runs.find({kind: jobKind, subject, states: ['open', 'held'], ...window}))
	}

	async #summaries(found: readonly RunHead[]) {
		const {runs} = this.#services
		const tallies = await runs.tally(found)
		return found.map(run => summaryOf(run, tallies[run.id] ?? {}, runs.whereIs(run)))
	}

	async #steps(run: string, tags?: readonly string[]): Promise<readonly StepRow[]> {
		return await allRows(window => this.#services.runs.steps({run, tags, ...window}))
	}
}

function planIn({body}: DraftRow) {
	// Written by `#keep` alone.
	return body as JobPlan
}

function factsFor({action, waves}: JobPlan, {surface, incident = null, undoes, confirm}: ApplyRequest, logSeq: number) {
	return {
		...{action: action.kind, waves, surface, incident, logSeq, undoes: undoes ?? null, confirm},
		...{waitingUntil: null, observeUntil: null}
	}
}

function stepTarget({id, input}: StepRow) {
	// Written by `stepOf`.
	const {note} = input as {note: string | null}
	return note === null ? id : {id, note}
}

function refuseEnded({endedAt}: RunHead) {
	if (endedAt === null) return
	throw usageError('The job has come to its end; plan a retry of what failed.')
}

function applied(id: string) {
	return new CordonError('taken', `This plan was applied already, as the job ${id}: nothing was sent.`, {field: 'plan'})
}

function undone(job: string) {
	return new CordonError('taken', `The job ${job} undoes this change already. Nothing was sent.`)
}
