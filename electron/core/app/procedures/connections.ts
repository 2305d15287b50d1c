import {usageError} from '#shared/contract/errors.ts'
import {leadsElsewhere} from '#shared/model/connection.ts'
import {omitUndefined} from '#shared/omit-undefined.ts'

import {reportedStream} from '../router-errors.ts'
import type {Implementer, RouterDependencies} from './dependencies.ts'

export function connectionProcedures(os: Implementer, deps: RouterDependencies) {
	const {connections, frame, forget, stopping, programLog, startSandbox} = deps
	let starting: Promise<void> | undefined
	// Another sandbox is another tenant: data of the one before is useless.
	const startAnew = async (): Promise<void> => {
		const sandbox = connections.list().find(each => each.sandbox)
		if (startSandbox === undefined) throw usageError('This console has no sandbox.')
		if (sandbox?.stopped !== true) return
		await forget(sandbox.id)
		await startSandbox()
	}
	const routes = os.connections
	return {
		list: routes.list.handler(() => connections.list()),
		add: routes.add.handler(({input}) => connections.add(input)),
		update: routes.update.handler(async ({input}) => {
			const before = connections.find(input.id)
			const after = await connections.update(before.id, omitUndefined(input.change), input.agreement)
			if (leadsElsewhere(before, after)) await forget(after.id)
			return after
		}),
		remove: routes.remove.handler(async ({input}) => {
			const {id} = connections.find(input.id)
			await connections.remove(id)
			await forget(id)
		}),
		startSandbox: routes.startSandbox.handler(() => (starting ??= startAnew().finally(() => (starting = undefined)))),
		test: routes.test.handler(({input, signal}) => {
			const {id, draft} = input
			const either = signal === undefined ? stopping : AbortSignal.any([signal, stopping])
			const results = connections.test({id, draft: draft && omitUndefined(draft)}, either)
			return reportedStream(results, 'connections.test', programLog)
		}),
		frame: routes.frame.handler(({input}) => frame(input.connection)),
		setLocked: routes.setLocked.handler(({input}) => {
			const {id} = connections.find(input.connection)
			connections.setLocked(id, input.locked)
			return frame(id)
		}),
	}
}
