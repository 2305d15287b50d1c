import {inPieces} from '#base/pieces.ts'
import type {CutStream} from '#model/text-file.ts'

import type {LogFormat, LogSearch} from '#core/record/incidents/types.ts'
import {handoverProcedures} from './handover.ts'
import {type Procedures, type RouterDependencies, today} from './dependencies.ts'

/** Named as in an entry; `null` for none and for a deleted connection. */
function tenantOf({connections}: RouterDependencies, id: string | null) {
	const found = connections.list().find(each => each.id === id)
	return found === undefined ? null : {id: found.id, name: found.name, url: found.url}
}

export function logProcedures(deps: RouterDependencies): Procedures['log'] {
	const {audits} = deps
	const {log} = deps.profile
	return {
		query: ({input}) => log.query(input),
		joined: ({input: {connection, ...request}, signal}) => audits.joined(connection, request, signal),
		thread: ({input}) => audits.thread(input.connection, input.key),
		audit: ({input}) => audits.state(input.connection),
		readAudit: ({input, signal}) => audits.read(input.connection, input.all, signal),
		pinElsewhere: ({input}) => audits.pin({...input, surface: 'screen'}),
		note: ({input}) =>
			log.append({
				kind: 'note',
				surface: 'screen',
				message: input.text,
				about: input.about,
				target: input.target ?? null,
				incident: input.incident,
				connection: tenantOf(deps, input.connection)
			}),
		pins: async () => [...(await log.pins()).values()],
		setPinned: ({input}) => log.setPinned({...input, surface: 'screen'}),
		people: () => log.people(),
		picture: ({input, signal}) => log.picture(input, signal),
		export: ({input: {query, format}, signal}) => exportLog(deps, query, format, signal),
		verify: ({signal}) => log.verify(signal),
		incidents: () => log.incidents(),
		openIncident: ({input}) => log.openIncident(input, 'screen'),
		setIncidentOpen: ({input}) => log.setIncidentOpen(input.id, input.open, 'screen'),
		...handoverProcedures(deps)
	}
}

/** The most characters of one file, which the page keeps whole. */
const mostText = 32 * 2 ** 20

async function* exportLog(deps: RouterDependencies, query: LogSearch, format: LogFormat, signal: AbortSignal | undefined): CutStream {
	const cut = yield* inPieces(deps.profile.log.export(query, format, signal), mostText, signal)
	return {name: `cordon-log-${today(deps)}${cut ? '-partial' : ''}.${format}`, cut}
}
