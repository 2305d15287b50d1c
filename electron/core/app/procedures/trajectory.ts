import {hasCode} from '#shared/contract/errors.ts'
import {isOfUser} from '#core/replicas/trajectories/trajectories.ts'
import type {Implementer, RouterDependencies} from './dependencies.ts'

export function trajectoryProcedures(os: Implementer, {trajectories, inventories, ports}: RouterDependencies) {
	const routes = os.trajectory
	return {
		stored: routes.stored.handler(({input}) => trajectories.stored(input)),
		read: routes.read.handler(async ({input, signal}) => {
			const inventory = inventories.open(input.connection)
			try {
				const {trajectory, computer, at} = await trajectories.read(input, signal)
				// The record that comes with a user's events is a stub.
				if (!isOfUser(input.query)) inventory.observe([computer], at)
				return trajectory
			} catch (error) {
				if (hasCode(error, 'not_found')) inventory.vanished(input.guid, ports.clock.now())
				throw error
			}
		}),
		record: routes.record.handler(({input}) => trajectories.record(input)),
	}
}

export function vulnerabilityProcedures(os: Implementer, {findings, connections}: RouterDependencies) {
	const routes = os.vulnerabilities
	const on = (connection: string): string => connections.find(connection).id
	return {
		stored: routes.stored.handler(({input}) => findings.stored(on(input.connection), input.guid)),
		read: routes.read.handler(({input, signal}) => findings.read(on(input.connection), input.guid, signal)),
	}
}
