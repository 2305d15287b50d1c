/** One target: on the disk before and after, through the runner, and never twice without a reading. */
import type {CommandResult} from '#shared/commands/result.ts'
import {CordonError, reportError} from '#contract/errors.ts'

import type {AgreedPlan} from '#model/job.ts'

import type {Turn} from '#base/turns.ts'
import {Cancelled} from '#core/engine/ends.ts'
import type {StepRow} from '#core/engine/port.ts'
import type {Outcome} from '#core/engine/types.ts'
import type {IsolationWish} from '#core/actions/commands/types.ts'
import {mayLinger} from '#core/record/incidents/all-entries.ts'
import type {StopReason} from './gate.ts'
import {iso, outputWith, phaseOf, type SettledOutcome, type TargetChange, type TargetRow} from './rows.ts'
import type {RunState} from './run-state.ts'
import {wasChangedSince} from './traces.ts'

const busyPauseMs = 2000
const busyTries = 15

/** What a refusal says about all the others, too. */
const hopeless: ReadonlySet<string> = new Set(['unauthorized', 'forbidden', 'secret_unavailable', 'log_unavailable'])
/** After these the outcome is unknown; only a reading shows it. */
const uncertain: ReadonlySet<string> = new Set([
	'outcome_unknown',
	'errors_in_success',
	'internal',
	'storage',
	'disk_full',
	'empty_body',
	'bad_json',
	'unexpected_shape',
	'truncated',
	'too_large',
	'reset',
	'response_timeout'
])
export const nothingSent: ReadonlySet<unknown> = new Set(['cancelled', 'rate_limited', 'read_only', 'log_unavailable', 'busy'])

/** Returns why the rest must not be sent, if so. Rejects only when the job cannot be stored, or the process ends. */
export async function sendOne(run: RunState, position: number, turn: Turn): Promise<StopReason | null> {
	run.sending.add(position)
	try {
		return await sendUntilTaken(run, position, turn)
	} catch (error) {
		// Nothing of it was sent: the job was stopped before.
		if (error instanceof Cancelled) return null
		throw error
	} finally {
		run.sending.delete(position)
	}
}

async function sendUntilTaken(run: RunState, position: number, turn: Turn) {
	const {context} = run
	for (let tries = 1; ; tries += 1) {
		const error = await sendOnce(run, position, turn)
		if (error?.code !== 'busy') return error === null ? null : refused(run, error)
		if (tries === busyTries || context.halted.aborted) {
			await run.targets.change(position, await settled(run, position, error, run.targets.get(position).sent))
			return null
		}
		await context.rest(busyPauseMs)
	}
}

/** The intent of the job is stored, the change goes through the runner, and its outcome is stored. */
async function sendOnce(run: RunState, position: number, turn: Turn): Promise<CordonError | null> {
	let refusal: CordonError | null = null
	const step = run.targets.step(position)
	await run.context.perform({
		id: step.id,
		tag: 'sending',
		// The log's own intent is on the disk before anything is sent, and going on begins with that.
		durable: false,
		act: async ({number, signal}) => {
			try {
				return outcomeOf(step, taken(run, position, await attempt(run, position, {signal, turn}), number))
			} catch (error) {
				refusal = error instanceof CordonError ? error : new CordonError('internal', reportError(error).message)
				// Nothing of it reached the service: it is as it was.
				if (nothingSent.has(refusal.code)) return {phase: 'not_done'}
				return outcomeOf(step, await settled(run, position, refusal, number))
			}
		},
		reconcile: () => Promise.reject(new CordonError('internal', 'A target that was left is settled before any is sent.'))
	})
	return refusal
}

function outcomeOf(step: StepRow, change: Settled): Outcome {
	const {outcome: tag, error: code} = change
	const output = outputWith(step, {message: null, ...change})
	const phase = phaseOf(tag)
	if (phase === 'done' || phase === 'skipped') return {phase, tag, output}
	return {phase, tag, output, error: {code: code ?? 'outcome_unknown', message: output.message ?? ''}}
}

async function attempt(run: RunState, position: number, {signal, turn}: {signal: AbortSignal; turn: Turn}) {
	const {services, id, facts, confirmedAt, connection, action, targets, plan} = run
	const target = targets.get(position)
	const unchanged: Turn = async work => {
		if (!(await wasChangedSince(run, target))) return await turn(work)
		run.stale.add(position)
		throw new CordonError('cancelled', 'It was changed since it was read. Nothing was sent.')
	}
	return await services.runner.run({
		...action.command(target),
		...{connection: connection.id, surface: facts.surface, incident: facts.incident, job: id, confirmedAt, signal},
		turn: unchanged,
		facts: beforeOf(plan, target),
		isolation: wishOf(plan)
	})
}

/** The runner makes and seals the code, and notes the lease, before it sends anything. */
function wishOf({action}: AgreedPlan): IsolationWish | undefined {
	return action.kind === 'isolate' ? {code: action.code, lease: action.lease} : undefined
}

/** What was there before goes into the intent: the undo history takes it from there. A comment tells the reason of the others. */
function beforeOf({action: {kind, reason, ticket}}: AgreedPlan, {planned}: TargetRow): Readonly<Record<string, unknown>> | undefined {
	if (kind === 'isolate' || kind === 'release') return undefined
	return {before: planned, reason, ...((ticket ?? '') !== '' && {ticket})}
}

type Settled = TargetChange & {outcome: SettledOutcome}

function taken({action, services, targets}: RunState, position: number, result: CommandResult, sent: number): Settled {
	const now = iso(services.clock.now())
	const observed = action.answered(result)
	const facts: TargetChange = {
		message: result.message,
		requestId: result.requestId ?? null,
		entry: result.entry,
		...(observed !== null && {observed: action.words(observed)})
	}
	const progress = observed === null ? 'under_way' : action.progress(observed, targets.get(position).id)
	if (result.status === 409) return {...facts, ...conflicting(sent, progress)}
	return progress === 'reached' ? {...facts, acceptedAt: now, outcome: 'done', observedAt: now} : {...facts, acceptedAt: now, outcome: 'accepted'}
}

/** A release refused because of the state is reported as a success with that state. */
function conflicting(sent: number, progress: string): Settled {
	if (progress === 'not_yet') return {outcome: 'failed', error: 'conflict'}
	// It may well be the effect of what was sent before.
	return sent > 1 ? {outcome: 'unknown', error: 'conflict'} : {outcome: 'nothing_to_do'}
}

/** What it says of all the others. */
function refused(run: RunState, {code, message, details}: CordonError): StopReason | null {
	if (code === 'rate_limited') {
		const {clock} = run.services
		const at = Date.parse(details.retryAt ?? '') || clock.now() + 60_000
		run.notBefore = {at, measured: clock.monotonic() + at - clock.now()}
	}
	return hopeless.has(code) || code === 'read_only' ? {kind: 'stopped', because: message} : null
}

/** An error does not name its intent; the log does. */
async function intentOf({services, connection, plan, id, targets}: RunState, position: number) {
	const {id: target, entry} = targets.get(position)
	const {action} = plan
	const object = 'list' in action ? action.list : target
	try {
		const entries = await services.log.about(connection.id, object, 40)
		const own = entries.find(
			({kind, data, args}) =>
				kind === 'command.requested' && data?.['job'] === id && (object === target || String(args?.['sha256']).toLowerCase() === target)
		)
		return own?.id ?? entry
	} catch {
		return entry
	}
}

async function settled(run: RunState, position: number, error: CordonError, sent: number): Promise<Settled> {
	const {code, message, details} = error
	const facts = {message, requestId: details.requestId ?? null, entry: await intentOf(run, position)}
	const {id} = run.targets.get(position)
	const state = run.action.settledBy(error, id)
	const {clock, log} = run.services
	if (code === 'outcome_unknown' && state === 'isolated' && (await mayLinger(log, run.connection.id, id, iso(clock.now()))))
		return {...facts, outcome: 'unknown', error: code, observed: state}
	const isRuledOut = code === 'outcome_unknown' || (code === 'conflict' && details.status !== 409)
	// Sent before: this may be its effect, unless that was ruled out; a reading decides.
	if (state !== null && sent > 1 && !isRuledOut) return {...facts, outcome: 'unknown', error: code, observed: state}
	if (state !== null) return {...facts, outcome: 'nothing_to_do', observed: state}
	return {...facts, outcome: uncertain.has(code) ? 'unknown' : 'failed', error: code}
}
