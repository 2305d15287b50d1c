import type {Overview} from '#shared/contract/insight.ts'

import {casesOf} from '#core/insight/overview/detections.ts'
import {duringOf} from '#core/insight/overview/actions.ts'
import {eventFactsOf} from '#core/insight/overview/event-facts.ts'
import {overviewOf} from '#core/insight/overview/overview.ts'
import type {Directory} from '#core/replicas/directory/types.ts'
import type {ListFacts, OverviewParts} from '#core/insight/overview/types.ts'
import type {Implementer, RouterParts} from './parts.ts'

export function overviewProcedures(os: Implementer, parts: RouterParts) {
	return {
		overview: os.overview.handler(({input}) => readOverview(parts, input.connection)),
		overviewDuring: os.overviewDuring.handler(({input: {connection, from, to}}) => {
			const found = parts.connections.find(connection)
			return duringOf({connection: found, log: parts.profile.log, ...auditFacts(parts, found.id)}, from, to)
		}),
	}
}

function auditFacts({audits}: Pick<RouterParts, 'audits'>, id: string): Pick<OverviewParts, 'elsewhere' | 'audit'> {
	return {elsewhere: (query, limit) => audits.elsewhere(id, query, limit), audit: audits.state(id)}
}

/** From local data only. */
export async function readOverview(
	parts: Pick<
		RouterParts,
		'connections' | 'ports' | 'inventories' | 'profile' | 'instances' | 'eventStores' | 'directories' | 'audits'
	>,
	connection: string,
): Promise<Overview> {
	const found = parts.connections.find(connection)
	const store = parts.eventStores.open(found.id)
	return overviewOf({
		connection: found,
		now: parts.ports.clock.now(),
		inventory: parts.inventories.open(found.id),
		log: parts.profile.log,
		...auditFacts(parts, found.id),
		link: parts.connections.client(found.id).link(),
		instances: await parts.instances.list(),
		events: eventFactsOf(store),
		groups: await casesOf(store, parts.profile.log, found.id),
		leases: parts.profile.escrow.leases.list(found.id),
		lists: listFactsOf(parts.directories.open(found.id)),
	})
}

/** Lists with items that no computer enforces, as far as the policies' details are loaded. */
function listFactsOf(directory: Pick<Directory, 'fileLists'>): ListFacts {
	const {lists} = directory.fileLists()
	return {uncovered: lists.filter(list => list.covered === 0 && (list.items ?? 0) > 0 && list.vanishedAt === null)}
}
