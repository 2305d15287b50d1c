/** The undo list: what can be undone is shown with the calls that do it, and the old value is checked first. */
import {CordonError, errorFromReport, type ErrorReport, usageError} from '#contract/errors.ts'
import type {Drift, JobPlan} from '#model/job.ts'
import type {UndoItem, UndoPreview, UndoResult} from '#model/undo-list.ts'

import {breaths} from '#base/breaths.ts'
import {RunTaken} from '#core/engine/ends.ts'
import type {RunRow} from '#core/engine/port.ts'
import type {BeginRequest} from '#core/engine/types.ts'
import {actionOf} from '../jobs/actions/action-of.ts'
import type {Action, Observations, ReadServices} from '../jobs/actions/types.ts'
import type {PlanRequest} from '../jobs/types.ts'
import {itemOf, type Change} from './changes.ts'
import {changeOf, changesOf, compensationsOf, effectOf, lineOf, openTargets, partOf, refuseUndone, type Compensation} from './compensate.ts'
import {stepsOf, undoKind, type UndoOrder} from './program.ts'
import type {UndoApply, UndoList, UndoRuns, UndoServices} from './types.ts'

/** What is known once the states were read. */
interface Looked {
	change: Change
	preview: UndoPreview
	compensations: readonly Compensation[]
	seen: Observations
	read: ReadServices
}

export function openUndo(services: UndoServices): UndoList {
	const undoing = new Set<string>()
	return {
		list: async (connection, hours) => {
			const {id} = services.connections.find(connection)
			const changes = await changesOf(services, id, hours)
			const running = await runningOf(services, id)
			const read = readBy(services, id)
			const items: UndoItem[] = []
			const breath = breaths()
			for (const change of changes) {
				items.push(itemOf(change, running.has(change.id), readsOf(read, change)))
				await breath()
			}
			return items
		},
		preview: async (connection, id, signal) => (await look(services, connection, id, signal)).preview,
		apply: async request => {
			const key = `${services.connections.find(request.connection).id} ${request.id}`
			if (undoing.has(key)) throw busy()
			undoing.add(key)
			try {
				return await applyNow(services, request)
			} finally {
				undoing.delete(key)
			}
		}
	}
}

async function applyNow(services: UndoServices, request: UndoApply) {
	const looked = await look(services, request.connection, request.id, request.signal)
	refuse(looked.preview)
	const {preview} = looked
	const {surface, incident = null, signal} = request
	const {id, name, url} = services.connections.find(request.connection)
	const sends = preview.plans.length > 0 ? jobsOf(preview, request.confirm) : commandOf(looked, request.confirm)
	const about = {change: preview.item.id, title: preview.item.title, connection: {id, name, url}}
	return await carryOut(services, {...about, surface, incident, sends}, signal)
}

/** Changes of a running job look like changes by others. Those of another profile's job are not among them. */
async function runningOf({jobs}: UndoServices, connection: string): Promise<ReadonlySet<string>> {
	return new Set((await jobs.open(connection)).map(({id}) => `job:${id}`))
}

function readBy(services: UndoServices, connection: string) {
	return {client: services.connections.client(connection), inventory: services.inventory(connection), clock: services.clock}
}

/** Calls of a look at what a change left. */
function readsOf(read: ReturnType<typeof readBy>, change: Change) {
	const ids = openTargets(change).map(({id}) => id)
	return ids.length === 0 ? 0 : actionOf(read, change.action, change.id).cost(ids, true)
}

async function look(services: UndoServices, name: string, id: string, signal?: AbortSignal) {
	const {id: connection} = services.connections.find(name)
	const change = await changeOf(services, connection, id)
	const read = readBy(services, connection)
	const action = actionOf(read, change.action, id)
	const running = (await runningOf(services, connection)).has(id)
	const open = running ? [] : openTargets(change)
	const {drift, cost, seen} = await driftOf(action, open, signal ?? new AbortController().signal)
	const drifted = new Set(drift.map(one => one.id))
	const ids = new Set(open.flatMap(target => (drifted.has(target.id) ? [] : [target.id])))
	const compensations = compensationsOf(change, ids)
	const known = {read: async () => seen, cost: action.cost}
	const made = change.id.startsWith('job:') ? await plansFor(services, compensations, {connection, known, signal}) : []
	const plans = made.filter(plan => plan.targets.length > 0)
	const left = new Map(made.flatMap(({leftOut}) => leftOut.map(one => [one.id, one])))
	const calls = compensations.flatMap(one => callsOf(read, one)).filter(call => !left.has(call.id))
	const preview: UndoPreview = {
		item: itemOf(change, running, 0),
		calls,
		drift: [...drift, ...[...left.values()].map(one => ({...one, planned: {}, found: {protected: one.message}}))],
		plans,
		confirm: confirmOf(plans),
		cost: cost + (plans.length > 0 ? plans.reduce((sum, plan) => sum + plan.cost.calls, 0) : calls.length)
	}
	return {change, preview, compensations, seen, read}
}

/** Anything not as the change left it was changed by others since. */
async function driftOf(
	action: Action,
	targets: Change['targets'],
	signal: AbortSignal
): Promise<{drift: readonly Drift[]; cost: number; seen: Observations}> {
	const ids = targets.map(({id}) => id)
	if (ids.length === 0) return {drift: [], cost: 0, seen: new Map()}
	const cost = action.cost(ids, true)
	const seen = await action.read(ids, {whole: true, signal})
	const drift = targets.flatMap(({id, label, before}): readonly Drift[] => {
		const found = seen.get(id)?.observed ?? null
		return found !== null && action.progress(found, id) === 'reached' ? [] : [{id, label, planned: before ?? {}, found}]
	})
	return {drift, cost, seen}
}

async function plansFor({jobs}: UndoServices, compensations: readonly Compensation[], how: Pick<PlanRequest, 'connection' | 'known' | 'signal'>) {
	const plans: JobPlan[] = []
	for (const {action, targets} of compensations) plans.push(await jobs.plan({...how, action, targets, reviewed: true}))
	return plans
}

function confirmOf(plans: readonly JobPlan[]) {
	const typed = plans.some(({confirmation: {kind}}) => kind === 'name' || kind === 'count')
	return typed ? String(plans.reduce((sum, plan) => sum + plan.targets.length, 0)) : null
}

function callsOf(read: ReadServices, {action, targets}: Compensation) {
	const command = actionOf(read, action, '').command
	const groupName = (guid: string) => read.inventory.groups().find(group => group.guid === guid)?.name ?? guid
	return targets.map(({id, label, note}) => {
		const {name, args} = command({id, note})
		return {id, label, command: lineOf(name, args), effect: effectOf(action, label, groupName)}
	})
}

const isKept = ({found}: Drift) => found !== null && 'protected' in found

function refuse({item, calls, drift}: UndoPreview) {
	refuseUndone(item)
	if (item.impossible !== null) throw usageError(item.impossible)
	if (calls.length > 0) return
	const kept = drift.find(isKept)?.found?.['protected']
	if (typeof kept === 'string') throw new CordonError('protected', kept)
	const message = 'Someone has changed this since. Undo is unavailable. Nothing was sent.'
	throw new CordonError('plan_drifted', message, {drift: drift.slice(0, 200)})
}

function commandOf({compensations, seen, read}: Looked, confirm: string | undefined): UndoOrder['sends'] {
	const [compensation] = compensations
	const [target] = compensation?.targets ?? []
	if (compensation === undefined || target === undefined) throw new CordonError('internal')
	const {name, args} = actionOf(read, compensation.action, '').command(target)
	// What the change left: an undo can be undone.
	const facts = {before: seen.get(target.id)?.observed}
	return {kind: 'command', name, args, confirm: confirm ?? null, facts}
}

function jobsOf({plans, confirm, drift}: UndoPreview, typed: string | undefined): UndoOrder['sends'] {
	if (confirm !== null && typed?.trim() !== confirm)
		throw new CordonError('confirmation_needed', `Type the number of targets, ${confirm}, to undo all of it: nothing was sent.`, {
			field: 'confirm'
		})
	const jobs = plans.map(({id: plan, action, confirmation}) => ({
		...{plan, part: partOf(action)},
		confirm: 'expected' in confirmation ? String(confirmation.expected) : null
	}))
	return {kind: 'jobs', jobs, partial: drift.some(isKept)}
}

/** Resolves when all of it was started, and rejects with what kept it from that. */
async function carryOut({runs, operator}: Pick<UndoServices, 'runs' | 'operator'>, order: UndoOrder, signal: AbortSignal | undefined) {
	signal?.throwIfAborted()
	const run = await claim(runs, order, operator)
	// A store that cannot record it ends the run with its next write.
	const cancel = () => void runs.cancel(run).catch(() => {})
	signal?.addEventListener('abort', cancel, {once: true})
	if (signal?.aborted === true) cancel()
	try {
		return resultOf(await runs.settled(run))
	} finally {
		signal?.removeEventListener('abort', cancel)
	}
}

/** Of each change one undo is under way at most, in all processes: the first, second, … undo has a key of its own. */
async function claim(runs: UndoRuns, order: UndoOrder, startedBy: string) {
	const {change, connection, title} = order
	const request: BeginRequest = {
		...{kind: undoKind, title, startedBy, subject: connection.id, definition: order},
		steps: stepsOf(order).map(id => ({id, label: id, input: null, tag: 'planned'}))
	}
	for (let count = 1; ; count += 1) {
		try {
			return await runs.begin({...request, key: `undo ${connection.id} ${change} ${count}`})
		} catch (error) {
			if (!(error instanceof RunTaken)) throw error
			await refuseOpen(runs, error.run)
		}
	}
}

/** One that an ended process left is brought to its end. */
async function refuseOpen(runs: UndoRuns, id: string) {
	const row = await runs.get(id)
	if (row === undefined || row.endedAt !== null) return
	if (runs.whereIs(row) !== 'nowhere') throw busy()
	await runs.resume(id)
	const {endedAt, because} = await runs.settled(id)
	if (endedAt === null) throw new CordonError('storage', because ?? 'What an earlier undo did could not be read.')
}

function busy() {
	return new CordonError('busy', 'This change is already being undone. Nothing was sent twice.')
}

function resultOf({state, output, because}: RunRow) {
	// Both are written by `undoProgram`.
	if (state === 'done') return output as UndoResult
	if (state === 'failed' && output !== null) throw errorFromReport(output as ErrorReport)
	if (state === 'held') throw new CordonError('internal', because ?? undefined)
	throw new CordonError('cancelled', state === 'open' ? 'Cordon is stopping. Nothing more was sent.' : undefined)
}
