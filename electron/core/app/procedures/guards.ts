import {findCommand} from '#shared/commands/catalogue.ts'
import {checkArguments} from '#shared/commands/arguments.ts'
import type {ChangeAnswer} from '#contract/guards.ts'
import {CordonError, usageError} from '#contract/errors.ts'
import type {Lease} from '#model/lease.ts'

import {guardTargetOf, subjectOf} from '#core/actions/commands/guarding.ts'
import {labelFrom} from '#core/actions/commands/target.ts'
import {whatIf} from '#core/actions/guards/what-if.ts'
import {outlookOf} from '#core/work/undo/before.ts'
import {extend, handOver, shownLease} from '#core/actions/isolation/lease-edit.ts'
import type {Procedures, RouterDependencies} from './dependencies.ts'

export function guardProcedures(deps: RouterDependencies): Procedures['guards'] {
	const {connections, ports, profile} = deps
	return {
		get: ({input}) => profile.guards.rules(connections.find(input.connection).id),
		set: ({input}) => profile.guards.setRules({...input, surface: 'screen'}),
		judge: ({input, signal}) => judge(deps, input, signal),
		whatIf: ({input}) => whatIf(input.rules, connections.find(input.connection), ports.clock.now())
	}
}

async function judge(
	deps: RouterDependencies,
	{connection, name, args}: {connection: string; name: string; args: Record<string, string | string[]>},
	signal: AbortSignal | undefined
): Promise<ChangeAnswer> {
	const {connections, inventories, knownHashes} = deps
	const {guards} = deps.profile
	const spec = findCommand(name)
	if (spec === undefined) throw new CordonError('unknown_command', `There is no command ${name}.`, {field: 'name'})
	const {id} = connections.find(connection)
	const checked = checkArguments(spec, args)
	const inventory = inventories.open(id)
	const client = () => connections.client(id)
	const change = {spec, args: checked, connection: id, inventory, client, signal, knownHashes}
	const target = await guardTargetOf(guards, change)
	const action = subjectOf(spec, checked)?.action
	if (target === undefined || action === undefined) throw usageError(`${spec.name} changes nothing.`)
	const {label, roles, guessedRoles} = target
	const {undo, reads} = undoOutlook(deps, {name: spec.name, args: checked, connection: id})
	const answer = await guards.answer({connection: id, action, targets: [target], reads})
	return {...answer, target: {label, roles, guessedRoles}, undo}
}

/** Whether a change can be undone, and the cost of reading the value before it. */
function undoOutlook(
	{ports, inventories, directories}: RouterDependencies,
	change: Parameters<typeof outlookOf>[1]
): {undo: ChangeAnswer['undo']; reads: number | undefined} {
	const {clock} = ports
	const outlook = outlookOf({clock, inventory: inventories.opened, directory: directories.opened}, change)
	if (outlook === undefined) return {undo: null, reads: undefined}
	const {calls: reads, impossible} = outlook
	if (impossible !== null) return {undo: {possible: false, sentence: `This cannot be undone. ${impossible}`}, reads}
	const look = reads === 0 ? '' : ' What is there now is read first, 1 call.'
	return {undo: {possible: true, sentence: `It can be undone for 24 hours.${look}`}, reads}
}

export function leaseProcedures({connections, inventories, profile, ports}: RouterDependencies): Procedures['leases'] {
	const {note, escrow, log} = profile
	const services = {leases: escrow.leases, note, log, client: connections.client, clock: ports.clock, operator: ports.operator}
	const of = (connection: string, guid: string) => {
		const found = connections.find(connection)
		return {connection: found, guid, label: labelFrom(inventories.open(found.id))(guid)}
	}
	return {
		list: ({input}): readonly Lease[] => profile.escrow.leases.list(connections.find(input.connection).id).map(shownLease),
		set: ({input: {connection, guid, term}}) => extend(services, of(connection, guid), term),
		handOver: ({input: {connection, guid, to, note}}) => handOver(services, of(connection, guid), {to, note})
	}
}

export function codeProcedures({profile}: RouterDependencies): Procedures['codes'] {
	return {list: ({input}) => profile.escrow.codes.list(input.connection)}
}
