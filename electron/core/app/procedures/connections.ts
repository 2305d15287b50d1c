import {usageError} from '#contract/errors.ts'
import {leadsElsewhere} from '#model/connection.ts'
import {omitUndefined} from '#shared/omit-undefined.ts'

import type {Procedures, RouterDependencies} from './dependencies.ts'

export function connectionProcedures({connections, frame, forget, stopping, startSandbox}: RouterDependencies): Procedures['connections'] {
	let starting: Promise<void> | undefined
	// Another sandbox is another tenant: data of the one before is useless.
	const startAnew = async () => {
		const sandbox = connections.list().find(each => each.sandbox)
		if (startSandbox === undefined) throw usageError('This console has no sandbox.')
		if (sandbox?.stopped !== true) return
		await forget(sandbox.id)
		await startSandbox()
	}
	return {
		list: () => connections.list(),
		add: ({input}) => connections.add(input),
		update: async ({input}) => {
			const before = connections.find(input.id)
			const after = await connections.update(before.id, omitUndefined(input.change), input.agreement)
			if (leadsElsewhere(before, after)) await forget(after.id)
			return after
		},
		remove: async ({input}) => {
			const {id} = connections.find(input.id)
			await connections.remove(id)
			await forget(id)
		},
		startSandbox: () => (starting ??= startAnew().finally(() => (starting = undefined))),
		test: ({input: {id, draft}, signal = stopping}) => {
			const end = AbortSignal.any([signal, stopping])
			return connections.test({id, draft: draft && omitUndefined(draft)}, end)
		},
		frame: ({input}) => frame(input.connection),
		setLocked: ({input}) => {
			const {id} = connections.find(input.connection)
			connections.setLocked(id, input.locked)
			return frame(id)
		}
	}
}
