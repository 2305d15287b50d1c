import type {CommandSpec} from '#shared/commands/define.ts'
import type {LogEntry} from '#model/incident.ts'

import type {DirectoryLearn} from '#core/replicas/directory/types.ts'
import type {Inventory} from '#core/replicas/computers/inventory.ts'

type Args = Readonly<Record<string, unknown>>
export type Target = NonNullable<LogEntry['target']>

const kinds = [
	{argument: 'connector_guid', kind: 'computer'},
	{argument: 'file_list_guid', kind: 'file list'},
	{argument: 'group_guid', kind: 'group'},
	{argument: 'policy_guid', kind: 'policy'}
] as const

export function targetOf(args: Args, label: (guid: string) => string): Target | null {
	const found = about(args)
	return found === undefined ? null : {guid: found.guid, label: label(found.guid)}
}

/** Two changes of one object exclude each other; two hashes of one list do not. */
export function lockOf(args: Args) {
	const found = about(args)
	if (found === undefined) return null
	const hash = args['sha256']
	return `${found.kind} ${found.guid}${typeof hash === 'string' ? ` ${hash.toLowerCase()}` : ''}`
}

/** Names from local data; the GUID itself where there is none. */
export function labelFrom(inventory: Inventory | undefined, directory?: Pick<DirectoryLearn, 'nameOf'> | undefined): (guid: string) => string {
	return guid => {
		try {
			return (inventory && nameIn(inventory, guid)) ?? nonEmpty(directory?.nameOf?.(guid)) ?? guid
		} catch {
			return guid
		}
	}
}

function nameIn(inventory: Inventory, guid: string) {
	const group = () => inventory.groups().find(row => row.guid === guid)?.name
	return nonEmpty(inventory.row(guid)?.hostname) ?? nonEmpty(group()) ?? suggested(inventory, guid)
}

/** Since when the isolation state is known to be as it is; unreadable local data knows nothing. */
export function stateSince(inventory: Inventory | undefined, guid: string) {
	try {
		return inventory?.stateSince(guid)
	} catch {
		return undefined
	}
}

export function titleOf(spec: CommandSpec, target: Target | null) {
	return target === null ? `${spec.title}.` : `${spec.title}: ${target.label}.`
}

function about(args: Args): {kind: string; guid: string} | undefined {
	for (const {argument, kind} of kinds) {
		const value = args[argument]
		if (typeof value === 'string') return {kind, guid: value.toLowerCase()}
	}
	return undefined
}

function suggested(inventory: Inventory, guid: string) {
	for (const source of ['file_list', 'policy'] as const) {
		const match = inventory.suggest(source, guid, 1).find(suggestion => suggestion.value === guid)
		if (match !== undefined) return nonEmpty(match.label)
	}
	return undefined
}

function nonEmpty(text: string | undefined) {
	return text === '' ? undefined : text
}
