import type {ComputerDetail} from '#contract/contract.ts'
import type {ComputerExport} from '#contract/computer-list.ts'
import type {Computer, ComputerRow} from '#model/computer.ts'
import type {InventoryState} from '#model/frame.ts'
import type {FileStream} from '#model/text-file.ts'

import {getComputer} from '#core/service/api/endpoints/computers.ts'
import {askedAt} from '#core/service/api/pages.ts'
import {foundOrNull, hasCode} from '#contract/errors.ts'
import {protectedBy} from '#core/actions/guards/protection.ts'
import type {ExportQuery} from '#core/replicas/computers/export.ts'
import {entriesAbout} from '#core/record/incidents/all-entries.ts'
import {shownLease} from '#core/actions/isolation/lease-edit.ts'
import {receiptOf, type Reading} from '#core/actions/isolation/receipt.ts'
import {redact} from '#base/redact.ts'
import {counted} from '#text/numbers.ts'
import type {Procedures, RouterDependencies} from './dependencies.ts'

export function computerProcedures(deps: RouterDependencies): Procedures['computers'] {
	const {inventories, frame} = deps
	return {
		query: ({input: {connection, ...query}}) => inventories.open(connection).query(query),
		guids: ({input: {connection, ...query}}) => inventories.open(connection).guids(query),
		position: ({input: {connection, ...query}}) => inventories.open(connection).position(query),
		detail: ({input}) => detailOf(deps, input.connection, input.guid),
		refresh: async ({input, signal}) => {
			await inventories.open(input.connection).refresh(signal)
			return frame(input.connection)
		},
		refreshMissing: async ({input, signal}) => {
			await inventories.open(input.connection).refreshMissing(signal)
			return frame(input.connection)
		},
		refreshOne: async ({input, signal}) => {
			await readAgain(deps, input.connection, input.guid, signal)
			return detailOf(deps, input.connection, input.guid)
		},
		marks: ({input: {connection}}) => {
			const {id} = deps.connections.find(connection)
			return inventories.open(id).marks(deps.profile.guards.rules(id).protected)
		},
		facets: ({input, signal}) => inventories.open(input.connection).facets(input.filter, signal),
		export: ({input: {connection, ...query}, signal}) => exportComputers(deps, connection, query, signal),
		label: ({input: {connection, ...change}}) => {
			const {id} = deps.connections.find(connection)
			return {changed: deps.profile.labels.of(id).change(change)}
		}
	}
}

export function viewProcedures({connections, profile}: RouterDependencies): Procedures['views'] {
	return {
		list: ({input}) => profile.views.list(connections.find(input.connection).id),
		save: ({input}) => profile.views.save(connections.find(input.connection).id, input.view),
		remove: ({input}) => profile.views.remove(connections.find(input.connection).id, input.id)
	}
}

export function eventViewProcedures({connections, profile}: RouterDependencies): Procedures['eventViews'] {
	const of = (connection: string) => connections.find(connection).id
	return {
		list: ({input}) => profile.views.events.list(of(input.connection)),
		save: ({input}) => profile.views.events.save(of(input.connection), input.view),
		remove: ({input}) => profile.views.events.remove(of(input.connection), input.id)
	}
}

async function* exportComputers(
	deps: RouterDependencies,
	connection: string,
	query: ExportQuery,
	signal: AbortSignal | undefined
): FileStream<ComputerExport> {
	const copy = deps.inventories.open(connection)
	const at = new Date(deps.ports.clock.now()).toISOString()
	const head = {title: `Computers of ${deps.connections.find(connection).name}`, at, partial: partialWords(copy.state())}
	const told = yield* copy.export(query, head, signal)
	const name = `computers-${told.partial === null ? '' : 'partial-'}${at.slice(0, 10)}.${query.format}`
	return {name, ...told}
}

function partialWords({phase, completeAt, rows, total, missing, error}: InventoryState) {
	if (completeAt !== null && phase !== 'partial') return null
	if (total !== null && rows < total) return `${rows} of ${total} computers were read.`
	const old = counted(missing.length, ['page of the list is', 'pages of the list are'])
	return missing.length > 0 ? `${old} of an earlier reading.` : (error?.message ?? null)
}

async function readAgain(deps: RouterDependencies, connection: string, guid: string, signal: AbortSignal | undefined) {
	const inventory = deps.inventories.open(connection)
	const client = deps.connections.client(deps.connections.find(connection).id)
	const answer = await foundOrNull(getComputer(client, {connector_guid: guid}, {signal}))
	if (answer === null) inventory.vanished(guid, deps.ports.clock.now())
	else inventory.observe([answer.data], askedAt(answer))
}

async function detailOf(deps: RouterDependencies, connection: string, guid: string): Promise<ComputerDetail | null> {
	const inventory = deps.inventories.open(connection)
	const row = inventory.row(guid)
	if (row === undefined) return null
	const {id} = deps.connections.find(connection)
	return {
		row,
		record: redact(inventory.record(guid) ?? {}),
		groupPath: inventory.groupPath(row.groupGuid),
		receipt: receiptOf(await deps.profile.log.about(id, guid, entriesAbout), readingOf(row)),
		stateSince: inventory.stateSince(guid) ?? null,
		policy: policyOf(deps, id, inventory.record(guid)),
		lease: leaseOf(deps, id, guid),
		protectedBecause: protection(deps, id, guid)
	}
}

function leaseOf({profile}: RouterDependencies, connection: string, guid: string) {
	const lease = profile.escrow.leases.get(connection, guid)
	return lease === undefined ? null : shownLease(lease)
}

/** Uses local data only. */
function policyOf({directories}: RouterDependencies, connection: string, record: Computer | undefined): ComputerDetail['policy'] {
	const guid = record?.policy?.guid
	if (guid === undefined || guid === '') return null
	return {guid, serial: directories.open(connection).policy(guid)?.row.serial ?? null}
}

function protection({profile, inventories}: RouterDependencies, connection: string, guid: string) {
	const {guards} = profile
	try {
		const rules = guards.rules(connection)
		if (Object.values(rules.protected).every(({length}) => length === 0)) return null
		const [target] = guards.targetsOf(connection, [guid], inventories.open(connection))
		return target === undefined ? null : (protectedBy(rules, target)?.message ?? null)
	} catch (error) {
		// Unreadable rules allow nothing: their error says so.
		if (hasCode(error, 'storage')) return error.message
		throw error
	}
}

function readingOf(row: ComputerRow): Reading | undefined {
	if (row.isolation === 'unknown') return undefined
	return {state: row.isolation === 'unavailable' ? 'not_isolated' : row.isolation, at: row.isolationReadAt}
}
