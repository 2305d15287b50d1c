/** From what was typed to a plan: the states are read, the guards asked, and nothing is sent. */
import {usageError} from '#contract/errors.ts'
import type {Connection} from '#model/connection.ts'
import type {GuardJudgement} from '#model/guard.ts'
import type {JobPlan, LeftOut, PlanTarget} from '#model/job.ts'

import {reserveOf} from '#core/service/api/quota.ts'
import type {ApiClient} from '#core/service/api/types.ts'
import {ownTurn} from '#base/breaths.ts'
import {timeOrderedId} from '#base/ids.ts'
import {actionOf} from './actions/action-of.ts'
import type {Action, ReadServices, Seen} from './actions/types.ts'
import {digestOf} from './canonical.ts'
import {costOf, wavesOf} from './cost.ts'
import type {JobServices, PlanRequest} from './types.ts'

const defaultStopShare = 0.2

interface Wanted {
	id: string
	note: string | null
}

interface Candidate extends Wanted {
	seen: Seen
}

/** One plan in the making. */
interface Draft {
	services: JobServices
	request: PlanRequest
	connection: Connection
	client: ApiClient
	action: Action
	left: LeftOut[]
}

/** Throws `usage` without targets, and what a reading throws. */
export async function makePlan(services: JobServices, request: PlanRequest): Promise<JobPlan> {
	const id = timeOrderedId(services.clock.now(), services.random)
	const draft = await openDraft(services, request, id)
	const wanted = wantedOf(draft)
	const candidates = await candidatesOf(draft, wanted)
	// Each step takes long where there are thousands of targets.
	await ownTurn()
	const judgement = await judged(draft, candidates)
	await ownTurn()
	return planOf(draft, id, withoutRefused(draft, candidates, judgement), judgement)
}

async function openDraft(services: JobServices, request: PlanRequest, id: string): Promise<Draft> {
	if (request.targets.length === 0) throw usageError('There are no targets: a job needs a list of them, and "all" has to be listed.', 'targets')
	const connection = services.connections.find(request.connection)
	const client = services.connections.client(connection.id)
	const inventory = await services.inventory(connection.id)
	if (inventory.state().completeAt === null && request.targets.some(needsCopy)) await inventory.refresh(request.signal)
	const read: ReadServices = {client, inventory, clock: services.clock}
	return {services, request, connection, client, action: {...actionOf(read, request.action, id), ...request.known}, left: []}
}

/** Names are looked up in the local copy, GUIDs and hashes are not. */
function needsCopy(target: PlanRequest['targets'][number]) {
	const id = (typeof target === 'string' ? target : target.id).trim()
	return !/^[0-9a-f]{64}$|^[0-9a-f-]{36}$/i.test(id)
}

function wantedOf({request, action, left}: Draft) {
	const found = new Map<string, Wanted>()
	for (const target of request.targets) {
		const typed = (typeof target === 'string' ? target : target.id).trim()
		const note = typeof target === 'string' ? null : target.note
		const resolved = action.resolve(typed)
		const label = typed.slice(0, 300)
		if ('left' in resolved) left.push({id: label, label, ...resolved.left})
		else if (found.has(resolved.id)) left.push(duplicate(label, resolved.id))
		else found.set(resolved.id, {id: resolved.id, note})
	}
	return [...found.values()]
}

function duplicate(label: string, id: string): LeftOut {
	return {id, label, kind: 'duplicate', message: 'It is in the list more than once.'}
}

async function candidatesOf({action, request, left}: Draft, wanted: readonly Wanted[]): Promise<readonly Candidate[]> {
	if (wanted.length === 0) return []
	const signal = request.signal ?? new AbortController().signal
	const ids = wanted.map(({id}) => id)
	const observations = await action.read(ids, {whole: true, signal})
	return wanted.flatMap(one => {
		const seen = observations.get(one.id) ?? null
		const why = seen === null ? notFound : action.leaveOut(seen)
		if (seen !== null && why === null) return [{...one, seen}]
		left.push({id: one.id, label: seen?.label ?? one.id, ...(why ?? notFound)})
		return []
	})
}

const notFound = {kind: 'not_found', message: 'The service has no such object.'} as const

async function judged({services, request, connection, client}: Draft, candidates: readonly Candidate[]) {
	return await services.judge.judge({
		connection: connection.id,
		action: request.action,
		targets: candidates.map(({id, seen}) => ({id, label: seen.label, row: seen.row})),
		reviewed: request.reviewed ?? false,
		client,
		signal: request.signal
	})
}

function withoutRefused({left}: Draft, candidates: readonly Candidate[], {protected: refused, review}: GuardJudgement) {
	const out = new Map<string, LeftOut>()
	for (const {id, label, message} of refused) out.set(id, {id, label, kind: 'protected', message})
	for (const {id, label, roles} of review)
		out.set(id, {id, label, kind: 'review', message: `Others may depend on it (${roles.join(', ')}): review it separately.`})
	for (const one of out.values()) left.push(one)
	return candidates.filter(({id}) => !out.has(id))
}

function planOf(draft: Draft, id: string, candidates: readonly Candidate[], judgement: GuardJudgement): JobPlan {
	const {services, request, connection, action, client, left} = draft
	const {clock, operator, planner} = services
	const now = clock.now()
	const targets = calmFirst(candidates.map(candidate => targetOf(candidate, action, now)))
	const ids = targets.map(target => target.id)
	const waves = wavesOf(request.action.kind, ids.length)
	const quota = client.quota()
	const window = quota === null ? null : quota.limit - reserveOf(quota.limit)
	const {tier, confirmation, because} = judgement
	const plan: Omit<JobPlan, 'digest'> = {
		format: 'cordon-plan/1',
		id,
		createdAt: new Date(now).toISOString(),
		createdBy: operator,
		connection: {id: connection.id, name: connection.name, url: connection.url},
		...(services.approvals !== undefined && {profile: services.approvals.profile()}),
		action: request.action,
		undoes: request.undoes,
		targets,
		leftOut: left,
		protected: judgement.protected,
		tier,
		confirmation,
		because,
		cost: costOf({action, ids, waves, room: planner.room(connection.id, id), window, now}),
		waves,
		stopShare: request.stopShare ?? defaultStopShare
	}
	return {...plan, digest: digestOf(plan)}
}

function targetOf({id, note, seen}: Candidate, action: Action, now: number): PlanTarget {
	const {label, observed, at} = seen
	return {id, label, observed, observedAt: new Date(at).toISOString(), note, warnings: action.warnings(seen, now)}
}

/** The first waves should tell something: computers that are online and ordinary come first. */
function calmFirst(targets: readonly PlanTarget[]) {
	return [...targets.filter(({warnings}) => warnings.length === 0), ...targets.filter(({warnings}) => warnings.length > 0)]
}
