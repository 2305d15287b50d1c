import {CordonError} from '#contract/errors.ts'
import type {Computer, ComputerRow} from '#model/computer.ts'

import {preflight} from '#core/actions/isolation/preflight.ts'
import {revealUnlockCode} from '#core/actions/isolation/reveal.ts'
import {labelFrom} from '#core/actions/commands/target.ts'
import type {Procedures, RouterDependencies} from './dependencies.ts'

export function isolationProcedures(deps: RouterDependencies): Procedures['isolation'] {
	const {connections, inventories, ports, profile} = deps
	return {
		preflight: ({input, signal}) => {
			const {id} = connections.find(input.connection)
			const inventory = inventories.open(id)
			const policyOf = (row: ComputerRow) => allowedBy(deps, id, inventory.record(row.guid)?.policy)
			const services = {client: connections.client(id), inventory, clock: ports.clock, policyOf}
			return preflight(services, {guid: input.guid, action: input.action, signal})
		},
		reveal: async ({input, signal}) => {
			const {entry: _entry, ...found} = await revealUnlockCode(
				{
					client: () => (isKnown(deps, input.connection) ? connections.client(input.connection) : undefined),
					log: profile.log,
					codes: profile.escrow.codes,
					clock: ports.clock,
					presence: deps.presence
				},
				{
					...subjectOf(deps, input.connection, input.guid),
					reason: input.reason,
					passphrase: input.passphrase,
					sealed: input.sealed,
					surface: 'screen',
					incident: profile.settings.get().activeIncident,
					signal
				}
			)
			return found
		}
	}
}

function allowedBy({directories}: RouterDependencies, connection: string, policy: Computer['policy']) {
	const detail = directories.open(connection).policy(policy?.guid ?? '') ?? null
	if (detail === null) return null
	const lists = detail.row.ipLists?.filter(({type}) => type === 'isolation') ?? null
	return {name: detail.row.name, allowed: lists?.map(({name}) => name) ?? null}
}

function isKnown({connections}: RouterDependencies, connection: string) {
	return connections.list().some(({id}) => id === connection)
}

/** A sealed code outlives its connection: then the vault knows the names of computer and connection. */
function subjectOf(deps: RouterDependencies, connection: string, guid: string) {
	if (isKnown(deps, connection)) {
		const found = deps.connections.find(connection)
		return {connection: found, guid, label: labelFrom(deps.inventories.open(found.id))(guid)}
	}
	const sealed = deps.profile.escrow.codes.newest(connection, guid)
	if (sealed === undefined) throw new CordonError('unknown_connection', `There is no connection ${connection}.`)
	return {connection: {id: connection, name: sealed.connectionName}, guid, label: sealed.label}
}
