import type {ReadStream} from '#shared/contract/streams.ts'

import type {OwnStream} from '#core/streams/stored.ts'
import type {Implementer, RouterDependencies} from './dependencies.ts'

const shown = ({id, name, host, createdAt}: OwnStream): ReadStream => ({id, name, host, createdAt})

export function streamProcedures(os: Implementer, {streams, connections, ports, stopping}: RouterDependencies) {
	const routes = os.streams
	return {
		own: routes.own.handler(({input}) => {
			const own = streams.own(connections.find(input.connection).id)
			return own === undefined ? null : {stream: shown(own), state: streams.state(own.connection)}
		}),
		list: routes.list.handler(({input, signal = stopping}) => streams.list(input.connection, signal)),
		create: routes.create.handler(async ({input: {connection, name = `cordon:${ports.operator}`, ...wanted}}) => {
			const own = await streams.create(connection, {name, ...wanted}, stopping)
			await streams.followAll()
			return shown(own)
		}),
		delete: routes.delete.handler(({input}) => streams.delete(input.connection, input.id, stopping)),
		follow: routes.follow.handler(async ({input}) => void (await streams.follow(input.connection))),
		unreadable: routes.unreadable.handler(({input}) => streams.unreadable(input.connection, input.limit)),
	}
}

export function targetProcedures(os: Implementer, {targets, stopping}: RouterDependencies) {
	const routes = os.targets
	return {
		list: routes.list.handler(() => targets.list()),
		save: routes.save.handler(({input}) => targets.save(input)),
		setEnabled: routes.setEnabled.handler(({input}) => targets.setEnabled(input.target, input.enabled)),
		remove: routes.remove.handler(({input}) => targets.remove(input.target)),
		test: routes.test.handler(({input, signal = stopping}) => targets.test(input.target, signal)),
		refused: routes.refused.handler(({input}) => targets.refused(input.target, input.limit)),
	}
}
