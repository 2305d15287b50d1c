/** Changes of the last 24 hours, or more, in the incident log. */
import type {LogEntry} from '#model/incident.ts'
import type {JobAction, JobSummary, ObservedState} from '#model/job.ts'
import type {UndoItem, UndoKind} from '#model/undo-list.ts'

import {actWords} from '#text/acts.ts'
import {allEntries} from '#core/record/incidents/all-entries.ts'
import type {UndoServices} from './types.ts'

const keptMs = 24 * 3_600_000

/** One change that the service took, or all of one job. */
export interface Change {
	readonly id: string
	readonly kind: UndoKind
	readonly action: JobAction
	readonly at: string
	readonly by: string
	/** As the service answered. */
	readonly message: string
	/** `before` is `null` where the earlier value is unknown. */
	readonly targets: readonly {id: string; label: string; before: ObservedState | null}[]
	/** As a whole; `null` also when a part of it was undone. */
	readonly undoneAt: string | null
	/** What jobs took back of it, as `partOf` names it, or the id of a target; and when they started. */
	readonly undoneParts: ReadonlyMap<string, string>
}

/** What is undone, by the id of the change. */
type Undone = ReturnType<typeof undoneIn>

const kinds: Readonly<Record<string, UndoKind>> = {
	svc_move_computer: 'move',
	svc_set_group_policy: 'policies',
	svc_set_file_list_files_by_sha: 'add_hash',
	svc_delete_file_list_files_by_sha: 'remove_hash'
}

/** What a command changes, as far as this list knows such changes; `undefined` for every other command. */
export function undoable(name: string, args: Readonly<Record<string, unknown>>): Pick<Change, 'kind' | 'action'> | undefined {
	const kind = kinds[name]
	return kind === undefined ? undefined : {kind, action: actionOf(args, kind)}
}

export async function readChanges({log, clock}: Pick<UndoServices, 'log' | 'clock'>, connection: string, hours = 0): Promise<readonly Change[]> {
	const since = new Date(clock.now() - Math.max(keptMs, hours * 3_600_000)).toISOString()
	const entries = await entriesOf({log, clock}, connection, {writesOnly: true, since})
	// Confirmed is what a job found carried out, though its answer was lost.
	const kept = entries.filter(({kind}) => kind === 'command.succeeded' || kind === 'command.observed')
	const taken = new Map(kept.map(entry => [entry.about, entry]))
	const sent = entries.filter(({id}) => taken.has(id))
	const undone = undoneIn(sent, await entriesOf({log, clock}, connection, {kinds: ['note'], since}))
	const found = sent.flatMap(intent => {
		const outcome = taken.get(intent.id)
		const kind = kinds[intent.command ?? '']
		return outcome === undefined || kind === undefined ? [] : [changeOf(intent, outcome, kind, undone)]
	})
	return Map.groupBy(found, ({id}) => id)
		.values()
		.map(together)
		.toArray()
}

/** A job may add some hashes to a list and take others off it. */
function together(all: readonly Change[]): Change {
	const newest = all[0] as Change // no group is empty
	const {action} = newest
	const targets = all.flatMap(one => one.targets)
	if (!('list' in action) || all.every(one => one.action.kind === action.kind)) return {...newest, targets}
	const removes = all.flatMap(one => (one.action.kind === 'remove_hashes' ? one.targets.map(({id}) => id) : []))
	return {...newest, action: {kind: 'change_hashes', list: action.list, removes, reason}, targets}
}

/** All of a connection for as long as changes can be undone, newest first. */
export async function entriesOf(
	{log, clock}: Pick<UndoServices, 'log' | 'clock'>,
	connection: string,
	which: Parameters<typeof allEntries>[1]
): Promise<readonly LogEntry[]> {
	const since = new Date(clock.now() - keptMs).toISOString()
	return (await allEntries(log, {connection, since, ...which})).toReversed()
}

/** `sent`: intents that the service took. A job that left targets behind undid only those that it changed. */
function undoneIn(sent: readonly LogEntry[], notes: readonly LogEntry[]) {
	const whole = new Map(sent.flatMap(({at, data}) => (typeof data?.['undoes'] === 'string' ? [[data['undoes'], at]] : [])))
	const parts = new Map<string, Map<string, string>>()
	const changed = Map.groupBy(sent, ({data}) => data?.['job'])
	const behind = new Set(notes.filter(leftBehind).map(({data}) => data?.['job']))
	for (const note of notes) {
		const {at, data} = note
		const {undoes: change, part, job, jobs} = data ?? {}
		if (typeof change !== 'string') continue
		const known = parts.get(change) ?? new Map<string, string>()
		if (typeof part === 'string') for (const key of behind.has(job) ? (changed.get(job)?.map(targetOf) ?? []) : [part]) known.set(key, at)
		else if (!leftBehind(note) && ![jobs].flat().some(each => behind.has(each))) whole.set(change, at)
		parts.set(change, known)
	}
	return {whole, parts}
}

function leftBehind({data}: LogEntry) {
	// Written with the start and the end of a job.
	const {failed = 0, not_tried = 0, unknown = 0} = (data?.['counts'] ?? {}) as Partial<JobSummary['counts']>
	return data?.['partial'] === true || failed + not_tried + unknown > 0
}

const targetOf = ({args, target}: LogEntry) => String(args?.['sha256'] ?? target?.guid ?? '').toLowerCase()

function changeOf(intent: LogEntry, outcome: LogEntry, kind: UndoKind, undone: Undone): Change {
	const job = intent.data?.['job']
	const id = typeof job === 'string' ? `job:${job}` : intent.id
	const target = targetOf(intent)
	const before = intent.data?.['before']
	return {
		id,
		kind,
		action: actionOf(intent.args ?? {}, kind),
		at: intent.at,
		by: intent.operator,
		message: outcome.message,
		targets: [
			{
				id: target,
				label: kind === 'move' || kind === 'policies' ? (intent.target?.label ?? target) : target,
				// Written by this program alone.
				before: typeof before === 'object' && before !== null ? (before as ObservedState) : null
			}
		],
		undoneAt: undone.whole.get(id) ?? null,
		undoneParts: undone.parts.get(id) ?? new Map()
	}
}

const reason = 'Undo'

function actionOf(args: Readonly<Record<string, unknown>>, kind: UndoKind): JobAction {
	const text = (name: string) => String(args[name] ?? '').toLowerCase()
	switch (kind) {
		case 'move':
			return {kind: 'move', group: text('group_guid'), reason}
		case 'policies': {
			const given = ['windows', 'mac', 'linux', 'android'].flatMap(product => {
				const guid = text(`${product}_policy_guid`)
				return guid === '' ? [] : [[product, guid] as const]
			})
			return {kind: 'policies', policies: Object.fromEntries(given), reason}
		}
		case 'add_hash':
			return {kind: 'add_hashes', list: text('file_list_guid'), reason}
		case 'remove_hash':
			return {kind: 'remove_hashes', list: text('file_list_guid'), reason}
	}
}

/** `running`: the job that made the change has not ended. */
export function itemOf(change: Change, running: boolean, reads: number): UndoItem {
	const {id, kind, at, by, targets, message, undoneAt} = change
	return {
		id,
		kind,
		at,
		by,
		title: targets.length === 1 ? message : `${actWords(change.action.kind, targets.length)}, such as: ${message}`,
		targets: targets.length,
		reads,
		impossible: running ? stillRuns : impossible(change),
		undoneAt,
		until: new Date(Date.parse(at) + keptMs).toISOString()
	}
}

const stillRuns = 'The job still runs: it can be undone once it has ended. Stop it first, or wait for its end.'

/** Why nothing of it can be undone; `null` when at least one can. */
function impossible(change: Change) {
	const reasons = change.targets.map(target => whyNot(change, target.before))
	return reasons.includes(null) ? null : (reasons[0] ?? null)
}

/** Why it cannot be undone; `null` when it can. The sentences hold before the change as well as after it. */
export function whyNot({kind, action}: Pick<Change, 'kind' | 'action'>, before: ObservedState | null): string | null {
	if (kind === 'add_hash') return null
	if (before === null) return 'What was there before is not known.'
	if (kind === 'move') return typeof before['group'] === 'string' ? null : 'It was in no known group before.'
	if (kind === 'remove_hash' || action.kind !== 'policies') return null
	const products = Object.keys(action.policies)
	if (products.some(product => before[`${product} inherited`] === true))
		return 'Its policy was inherited before, and the service has no call that restores inheritance.'
	return products.every(product => typeof before[product] === 'string')
		? null
		: 'It had no policy of its own before, and the service has no call that takes one away.'
}
