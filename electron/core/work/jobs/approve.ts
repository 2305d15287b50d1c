/** What must hold at the moment a plan is applied. Everything here throws, and nothing is sent. */
import type {ApprovalSubject} from '#model/approval.ts'
import {CordonError, errorTable, type ErrorCode, usageError} from '#contract/errors.ts'
import type {Connection} from '#model/connection.ts'
import type {Confirmation, GuardJudgement} from '#model/guard.ts'
import type {Drift, JobPlan} from '#model/job.ts'
import {confirmOption, isTyped, needsTyping} from '#model/typed.ts'
import {formOf} from '#text/numbers.ts'
import {actWords, targetsWords} from '#text/acts.ts'
import {breaths} from '#base/breaths.ts'
import {refusedWriting} from '#base/read-only.ts'
import {refuseElsewhere} from '#core/service/connections/found.ts'
import type {RunContext} from '#core/engine/types.ts'
import {canonicalJson} from '#base/canonical.ts'
import type {Action, Observations} from './actions/types.ts'
import {agreedIn, factsOf} from './rows.ts'
import type {ApplyRequest, JobServices, JudgeTarget} from './types.ts'

/** So many differences travel with the error. */
const mostDrift = 200

interface Approval {
	services: JobServices
	connection: Connection
	plan: JobPlan
	action: Action
	request: ApplyRequest
}

/** Throws `read_only`, `plan_drifted`, `confirmation_needed`, or what the guards refuse with. */
export async function approve(approval: Approval) {
	const {services, connection, plan, action, request} = approval
	refuseReadOnly(services, connection)
	refuseElsewhere(connection, plan.connection, 'plan')
	if (plan.targets.length === 0) throw usageError('The plan has no targets: there is nothing to apply.', 'plan')
	// Before the reading: a typed confirmation that is missing should cost no calls.
	checkConfirmation(plan.confirmation, plan, request.confirm)
	const signal = request.signal ?? new AbortController().signal
	const observations = await action.read(
		plan.targets.map(({id}) => id),
		{whole: true, signal}
	)
	const judgement = await judgedAgain(services, connection, plan, id => observations.get(id)?.row, signal)
	refuse(judgement)
	refuseDrift(plan, [...driftOf(plan, observations), ...protectedNow(plan, judgement)])
	checkConfirmation(judgement.confirmation, plan, request.confirm)
	refuseReadOnly(services, connection)
	needSecond(approval, judgement.approval)
}

/**
 * Once the job is stored: others may have begun meanwhile, and its own targets count by now. Whoever goes on with one whose
 * process ended before asks again. Throws `confirmation_needed`.
 */
export async function approveStored(services: JobServices, {run, definition, steps, over, resumed}: RunContext) {
	const {action} = agreedIn(definition)
	if (action.kind !== 'isolate') return
	const connection = services.connections.find(run.subject ?? '')
	const [inventory, targets] = [await services.inventory(connection.id), steps.all]
	const rows = new Map<string, JudgeTarget['row'] | undefined>()
	const breath = breaths()
	for (const {id} of targets) {
		rows.set(id, inventory.row(id))
		await breath()
	}
	const {confirmation} = await judgedAgain(services, connection, {action, targets}, id => rows.get(id), over, -targets.length)
	const fix = resumed ? 'Stop the job, then retry it: the new plan asks for the confirmation.' : undefined
	checkConfirmation(confirmation, {action, targets}, factsOf(run).confirm, fix)
}

/** SR18. Throws `approval_needed` where others have to approve the plan, and did not yet. Used once: a plan is one job. */
function needSecond({services, connection, plan, request}: Approval, demand: GuardJudgement['approval']) {
	if (demand === null) return
	const {approvals, operator} = services
	if (approvals === undefined) throw new CordonError('approval_needed')
	const {needed, groups, because} = demand
	const terms = {needed, groups, requesterMay: false}
	const {surface, incident = null, confirm, undoes} = request
	const asked: ApprovedRequest = {confirm: confirm ?? null, incident, undoes: undoes ?? null}
	const {subject, details} = approvalOfPlan(plan)
	approvals.propose({
		...{...subject, connection: connection.id, appliedBy: operator, details, content: null},
		...{...terms, surface, request: asked, reason: because}
	})
	approvals.claim(plan.id, plan.digest, plan.id, terms)
}

/** Of an application that waits for an approval. */
export interface ApprovedRequest {
	confirm: string | null
	incident: string | null
	undoes: NonNullable<ApplyRequest['undoes']> | null
}

const planCountsMs = 7 * 24 * 3_600_000
const shownTargets = 50

/** What a signature under a plan stands for: the same from the file as from the store. */
export function approvalOfPlan(plan: JobPlan, shown = shownTargets): {subject: ApprovalSubject; details: readonly string[]} {
	const {id, digest, createdAt, createdBy, action, targets, connection, profile = ''} = plan
	const more = targets.length - shown
	const {kind, ...rest} = action
	return {
		subject: {
			...{format: 'cordon-approval/1', kind: 'plan', id, digest, children: [], profile, connection},
			...{requester: createdBy, requestedAt: createdAt, title: actWords(kind, targets.length)},
			expiresAt: new Date(Date.parse(createdAt) + planCountsMs).toISOString()
		},
		details: [
			...Object.entries(rest).flatMap(([name, value]) =>
				value === null ? [] : [`${name}: ${typeof value === 'string' ? value : canonicalJson(value)}`]
			),
			...targets.slice(0, shown).map(({id: guid, label}) => `${label} (${guid})`),
			...(more > 0 ? [`… and ${more} more: cordon approvals show ${id}`] : [])
		]
	}
}

export function refuseReadOnly({connections}: Pick<JobServices, 'connections'>, connection: Connection) {
	const refused = refusedWriting(connections.mode(connection.id), connection.name)
	if (refused !== null) throw new CordonError('read_only', refused)
}

type Planned = Pick<JobPlan, 'action'> & {targets: readonly {id: string; label: string}[]}

async function judgedAgain(
	{judge, connections}: JobServices,
	{id: connection}: Connection,
	{action, targets}: Planned,
	rowOf: (id: string) => JudgeTarget['row'] | undefined,
	signal: AbortSignal,
	ahead = 0
) {
	return await judge.judge({
		...{connection, action, ahead, client: connections.client(connection), signal},
		targets: targets.map(({id, label}) => ({id, label, row: rowOf(id) ?? null})),
		// They were split off when the plan was made; who is in it now was meant.
		reviewed: true
	})
}

function refuse({refused}: GuardJudgement) {
	if (refused === null || refused.code === 'protected') return
	const code: ErrorCode = Object.hasOwn(errorTable, refused.code) ? (refused.code as ErrorCode) : 'usage'
	throw new CordonError(code, refused.message)
}

/** Targets that are not as the plan saw them. */
function driftOf(plan: Pick<JobPlan, 'targets'>, observations: Observations) {
	return plan.targets.flatMap(({id, label, observed}) => {
		const found = observations.get(id)?.observed ?? null
		return found !== null && canonicalJson(found) === canonicalJson(observed) ? [] : [{id, label, planned: observed, found}]
	})
}

function protectedNow({targets}: JobPlan, {protected: refused}: GuardJudgement) {
	const out = new Map(refused.map(({id, message}) => [id, message]))
	return targets.flatMap(({id, label, observed}) => {
		const message = out.get(id)
		return message === undefined ? [] : [{id, label, planned: observed, found: {...observed, protected: message}}]
	})
}

function refuseDrift({action}: JobPlan, drift: readonly Drift[]) {
	const [first] = drift
	if (first === undefined) return
	const which = drift.length === 1 ? first.label : targetsWords(action.kind, drift.length)
	throw new CordonError(
		'plan_drifted',
		`${which} ${formOf(drift.length, ['has', 'have'])} changed since planning. Nothing was sent. Create a new plan.`,
		{drift: drift.slice(0, mostDrift)}
	)
}

function checkConfirmation(wanted: Confirmation, {action, targets}: Planned, given: string | undefined, fix?: string) {
	if (!needsTyping(wanted) || isTyped(wanted, given ?? '')) return
	const {expected} = wanted
	const what = wanted.kind === 'name' ? expected : `the number of targets, ${expected},`
	throw new CordonError(
		'confirmation_needed',
		`This changes ${targetsWords(action.kind, targets.length)}: type ${what} to confirm. Nothing was sent.`,
		{field: 'confirm', fix: fix ?? `Add the confirmation: on the command line, ${confirmOption(expected)}`}
	)
}
