/** Reads of the profile that cost no API call: local computers, playbook runs and proposals. */
import {wholeIn} from '#shared/commands/values.ts'
import {CordonError} from '#contract/errors.ts'
import type {AccessToken} from '#model/door.ts'

import {proposedBy} from '#core/actions/commands/proposing.ts'
import type {Playbooks} from '#core/playbooks/playbooks.ts'
import type {Given} from '#core/playbooks/routes.ts'
import type {Inventories} from '#core/replicas/computers/replica.ts'
import type {Inventory} from '#core/replicas/computers/inventory.ts'
import {connectionOf, type CommandDependencies} from './commands.ts'
import type {Source} from './kept.ts'

export interface OwnDependencies extends Pick<CommandDependencies, 'connections' | 'approvals'> {
	inventories: Pick<Inventories, 'open'>
	playbooks: Pick<Playbooks, 'runs' | 'run'>
}

interface OwnData {
	value: unknown
	/** Offset of the next page; omitted after the last. */
	next?: number
	/** Omitted where the answer depends on more than the source, such as the time. */
	source?: Source
}

export async function ownData(deps: OwnDependencies, token: AccessToken, id: string, given: Given): Promise<OwnData> {
	const wanted = given['connection'] === undefined ? undefined : String(given['connection'])
	if (id === 'local_computer') {
		const {copy, ...source} = sourceOf(deps, token, wanted)
		const value = copy.record(String(given['connector_guid']).toLowerCase())
		if (value === undefined) throw new CordonError('not_found', 'Local data has no such computer.')
		return {value, ...source}
	}
	if (id === 'approval') return {value: proposedBy(deps, token.id, String(given['approval']))}
	if (id === 'run') {
		const run = await deps.playbooks.run(String(given['run']))
		if (!token.connections.includes(run.connection)) throw new CordonError('unknown_run')
		return {value: run}
	}
	const window = {offset: numberOf(given, 'offset', 0, 0, 10_000_000), limit: numberOf(given, 'limit', 100, 1, 500)}
	const paged = <T extends {rows: readonly unknown[]; matching: number}>(value: T) => {
		const next = window.offset + value.rows.length
		return {value, ...(value.rows.length > 0 && next < value.matching && {next})}
	}
	if (id === 'runs') return paged(await deps.playbooks.runs({...window, connections: token.connections}))
	const {copy, ...source} = sourceOf(deps, token, wanted)
	const sort = {column: 'hostname', descending: false} as const
	const found = copy.query({filter: String(given['filter'] ?? ''), sort, ...window})
	return {...paged(found), ...(given['filter'] === undefined && source)}
}

function sourceOf(deps: OwnDependencies, token: AccessToken, wanted: string | undefined): Pick<OwnData, 'source'> & {copy: Inventory} {
	const connection = connectionOf(deps, token, wanted)
	const copy = deps.inventories.open(connection)
	const version = copy.version()
	return {copy, ...(version !== null && {source: {wanted, connection, copy, version}})}
}

function numberOf(given: Given, name: string, usual: number, min: number, max: number) {
	const text = given[name]
	return text === undefined ? usual : wholeIn(String(text), name, min, max)
}
