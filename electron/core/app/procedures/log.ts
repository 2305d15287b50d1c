import type {LogExport} from '#shared/contract/log.ts'

import type {LogFormat, LogSearch} from '#core/record/incidents/types.ts'
import {handoverProcedures} from './handover.ts'
import type {Implementer, RouterDependencies} from './dependencies.ts'

const mediaTypes = {csv: 'text/csv', jsonl: 'application/x-ndjson', md: 'text/markdown', html: 'text/html'} as const

/** Named as in an entry; `null` for none and for a deleted connection. */
function tenantOf({connections}: RouterDependencies, id: string | null) {
	const found = connections.list().find(each => each.id === id)
	return found === undefined ? null : {id: found.id, name: found.name, url: found.url}
}

export function logProcedures(os: Implementer, deps: RouterDependencies) {
	const {audits} = deps
	const {log} = deps.profile
	const routes = os.log
	return {
		query: routes.query.handler(({input}) => log.query(input)),
		joined: routes.joined.handler(({input: {connection, ...request}}) => audits.joined(connection, request)),
		thread: routes.thread.handler(({input}) => audits.thread(input.connection, input.key)),
		audit: routes.audit.handler(({input}) => audits.state(input.connection)),
		readAudit: routes.readAudit.handler(({input, signal}) => audits.read(input.connection, input.all, signal)),
		pinElsewhere: routes.pinElsewhere.handler(({input}) => audits.pin({...input, surface: 'screen'})),
		note: routes.note.handler(({input}) =>
			log.append({
				kind: 'note',
				surface: 'screen',
				message: input.text,
				about: input.about,
				target: input.target ?? null,
				incident: input.incident,
				connection: tenantOf(deps, input.connection),
			}),
		),
		pins: routes.pins.handler(async () => [...(await log.pins()).values()]),
		setPinned: routes.setPinned.handler(({input}) => log.setPinned({...input, surface: 'screen'})),
		people: routes.people.handler(() => log.people()),
		picture: routes.picture.handler(({input}) => log.picture(input)),
		export: routes.export.handler(({input, signal}) => exportLog(deps, input.query, input.format, signal)),
		verify: routes.verify.handler(({signal}) => log.verify(signal)),
		incidents: routes.incidents.handler(() => log.incidents()),
		openIncident: routes.openIncident.handler(({input}) => log.openIncident(input, 'screen')),
		setIncidentOpen: routes.setIncidentOpen.handler(({input}) => log.setIncidentOpen(input.id, input.open, 'screen')),
		...handoverProcedures(os, deps),
	}
}

/** The most characters of one file, which is sent in one piece. */
const mostText = 32 * 2 ** 20
const entriesAtOnce = 500

/** Pauses, so that a window stays responsive while 100,000 entries are written. */
async function exportLog(
	{profile, ports}: RouterDependencies,
	query: LogSearch,
	format: LogFormat,
	signal: AbortSignal | undefined,
): Promise<LogExport> {
	const pieces: string[] = []
	let length = 0
	let cut = false
	for await (const piece of profile.log.export(query, format)) {
		if (length + piece.length > mostText) {
			cut = true
			break
		}
		pieces.push(piece)
		length += piece.length
		if (pieces.length % entriesAtOnce === 0) await new Promise(resolve => setImmediate(resolve))
		signal?.throwIfAborted()
	}
	const day = new Date(ports.clock.now()).toISOString().slice(0, 10)
	const name = `cordon-log-${day}${cut ? '-partial' : ''}.${format}`
	return {name, mediaType: mediaTypes[format], text: pieces.join(''), cut}
}
