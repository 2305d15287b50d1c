import {hasCode} from '#contract/errors.ts'
import {isOfUser} from '#core/replicas/trajectories/trajectories.ts'
import type {Procedures, RouterDependencies} from './dependencies.ts'

export function trajectoryProcedures({trajectories, inventories, ports}: RouterDependencies): Procedures['trajectory'] {
	return {
		stored: ({input}) => trajectories.stored(input),
		read: async ({input, signal}) => {
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
		},
		record: ({input}) => trajectories.record(input)
	}
}

export function vulnerabilityProcedures({findings, connections}: RouterDependencies): Procedures['vulnerabilities'] {
	const on = (connection: string) => connections.find(connection).id
	return {
		stored: ({input}) => findings.stored(on(input.connection), input.guid),
		read: ({input, signal}) => findings.read(on(input.connection), input.guid, signal)
	}
}
