import {handoverOf, type HandoverRequest} from '#core/record/handover/handover.ts'
import {handoverHtml, handoverMarkdown} from '#core/record/handover/render.ts'
import {handoverNote} from '#core/record/handover/note.ts'
import type {Procedures, RouterDependencies} from './dependencies.ts'

type Request = HandoverRequest & {connection: string}

export function handoverProcedures(deps: RouterDependencies): Pick<Procedures['log'], 'handover' | 'handoverText' | 'handOver'> {
	const read = (request: Request) => readHandover(deps, request)
	return {
		handover: ({input}) => read(input),
		handoverText: async ({input: {next, ...request}}) => {
			const handover = await read(request)
			const name = `cordon-handover-${handover.at.slice(0, 16).replace('T', '-').replace(':', '')}`
			return {name, markdown: handoverMarkdown(handover, next), html: handoverHtml(handover, next)}
		},
		handOver: async ({input: {next, ...request}}) => deps.profile.log.append(handoverNote(await read(request), next, request.incident, 'screen'))
	}
}

async function readHandover(deps: RouterDependencies, {connection, ...request}: Request) {
	const found = deps.connections.find(connection)
	const {ports, profile, inventories, jobs, undo} = deps
	return await handoverOf(
		{
			connection: found,
			operator: ports.operator,
			now: ports.clock.now(),
			log: profile.log,
			leases: profile.escrow.leases.list(found.id),
			inventory: inventories.open(found.id),
			jobs: await jobs.open(found.id),
			undo: await undo.list(found.id, request.hours)
		},
		request
	)
}
