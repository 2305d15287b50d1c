/** What takes a change back, and what of it is taken back already. */
import {CordonError, usageError} from '#contract/errors.ts'
import type {RawArgs} from '#shared/commands/arguments.ts'
import type {JobAction, ObservedState} from '#model/job.ts'

import {canonicalJson} from '#base/canonical.ts'
import {readChanges, whyNot, type Change} from './changes.ts'
import type {UndoServices} from './types.ts'

/** Targets that go back to the same value. */
export interface Compensation {
	readonly action: JobAction
	readonly targets: readonly {id: string; label: string; note: string}[]
}

/** Without the parts that are undone already. */
export function compensationsOf(change: Change, ids: ReadonlySet<string>): readonly Compensation[] {
	const actionFor = ({before}: Change['targets'][number]) => backTo(change.action, before ?? {})
	const open = openTargets(change).filter(({id}) => ids.has(id))
	return Map.groupBy(open, target => partOf(actionFor(target)))
		.values()
		.map(targets => ({
			action: actionFor(targets[0] as Change['targets'][number]), // no group is empty
			targets: targets.map(({id, label, before}) => ({id, label, note: typeof before?.['note'] === 'string' ? before['note'] : ''}))
		}))
		.toArray()
}

/** Targets that can be undone and are not; of a change that was undone as a whole, none. */
export function openTargets(change: Change): Change['targets'] {
	if (change.undoneAt !== null) return []
	const isUndone = (key: string) => change.undoneParts.has(key)
	const possible = change.targets.filter(({before}) => whyNot(change, before) === null)
	// Of thousands of changes, hardly any is undone in part.
	if (change.undoneParts.size === 0) return possible
	return possible.filter(({id, before}) => !isUndone(id) && !isUndone(partOf(backTo(change.action, before ?? {}))))
}

/** The same for all targets that go back to the same value, in every process. */
export function partOf(action: JobAction): string {
	return canonicalJson(action)
}

/** When it was undone: as a whole, or with the last of its parts. */
function undoneAtOf(change: Change) {
	const last = [...change.undoneParts.values()].toSorted().at(-1) ?? null
	return change.undoneAt ?? (openTargets(change).length === 0 ? last : null)
}

function backTo(action: JobAction, before: ObservedState): JobAction {
	const {reason} = action
	switch (action.kind) {
		case 'move':
			return {kind: 'move', group: String(before['group']), reason}
		case 'policies': {
			const products = Object.keys(action.policies)
			return {kind: 'policies', policies: Object.fromEntries(products.map(product => [product, String(before[product])])), reason}
		}
		case 'add_hashes':
			return {kind: 'remove_hashes', list: action.list, reason}
		case 'remove_hashes':
			return {kind: 'add_hashes', list: action.list, reason}
		case 'change_hashes':
			return {kind: before['on list'] === true ? 'add_hashes' : 'remove_hashes', list: action.list, reason}
		case 'isolate':
		case 'release':
			throw new Error('an isolation cannot be undone here')
	}
}

/** As the command line would say it. */
export function lineOf(name: string, args: RawArgs) {
	const parts = Object.entries(args).map(([key, value]) => {
		const text = String(value)
		return `${key}=${/[\s"]/.test(text) ? JSON.stringify(text) : text}`
	})
	return [name, ...parts].join(' ')
}

export function effectOf(action: JobAction, label: string, groupName: (guid: string) => string) {
	switch (action.kind) {
		case 'move':
			return `Moves ${label} back to the group ${groupName(action.group)}.`
		case 'policies':
			return `Gives ${label} its policies of before: ${Object.values(action.policies).join(', ')}.`
		case 'remove_hashes':
			return `Takes ${label.slice(0, 12)} off the list again.`
		case 'add_hashes':
			return `Puts ${label.slice(0, 12)} on the list again, with its note.`
		// What takes back is one of the two above.
		case 'change_hashes':
		case 'isolate':
		case 'release':
			return ''
	}
}

export async function changesOf(services: Pick<UndoServices, 'log' | 'clock'>, connection: string, hours?: number): Promise<readonly Change[]> {
	return (await readChanges(services, connection, hours)).map(change => ({...change, undoneAt: undoneAtOf(change)}))
}

export async function changeOf(services: Pick<UndoServices, 'log' | 'clock'>, connection: string, id: string): Promise<Change> {
	const change = (await changesOf(services, connection)).find(one => one.id === id)
	if (change === undefined) throw new CordonError('unknown_job', 'This change is not in the undo history.')
	return change
}

export function refuseUndone({undoneAt}: Pick<Change, 'undoneAt'>) {
	if (undoneAt !== null) throw usageError('This change was already undone.')
}
