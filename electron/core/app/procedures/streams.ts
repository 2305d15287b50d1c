import type {ReadStream} from '#contract/streams.ts'

import type {OwnStream} from '#core/streams/stored.ts'
import type {Procedures, RouterDependencies} from './dependencies.ts'

const shown = ({id, name, host, createdAt}: OwnStream): ReadStream => ({id, name, host, createdAt})

export function streamProcedures({streams, connections, ports, stopping}: RouterDependencies): Procedures['streams'] {
	return {
		own: ({input}) => {
			const own = streams.own(connections.find(input.connection).id)
			return own === undefined ? null : {stream: shown(own), state: streams.state(own.connection)}
		},
		list: ({input, signal = stopping}) => streams.list(input.connection, signal),
		create: async ({input: {connection, name = `cordon:${ports.operator}`, ...wanted}}) => {
			const own = await streams.create(connection, {name, ...wanted}, stopping)
			await streams.followAll()
			return shown(own)
		},
		delete: ({input}) => streams.delete(input.connection, input.id, stopping),
		follow: async ({input}) => void (await streams.follow(input.connection)),
		unreadable: ({input}) => streams.unreadable(input.connection, input.limit)
	}
}

export function targetProcedures({targets, stopping}: RouterDependencies): Procedures['targets'] {
	return {
		list: () => targets.list(),
		save: ({input}) => targets.save(input),
		setEnabled: ({input}) => targets.setEnabled(input.target, input.enabled),
		remove: ({input}) => targets.remove(input.target),
		test: ({input, signal = stopping}) => targets.test(input.target, signal),
		refused: ({input}) => targets.refused(input.target, input.limit)
	}
}
