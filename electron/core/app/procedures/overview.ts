import {allRows} from '#base/all-rows.ts'
import {ownTurn} from '#base/breaths.ts'
import {casesOf} from '#core/insight/overview/detections.ts'
import {duringOf} from '#core/insight/overview/actions.ts'
import {eventFactsOf} from '#core/insight/overview/event-facts.ts'
import {overviewOf} from '#core/insight/overview/overview.ts'
import type {Directory} from '#core/replicas/directory/directory.ts'
import type {ListFacts, OverviewDependencies} from '#core/insight/overview/types.ts'
import type {Procedures, RouterDependencies} from './dependencies.ts'

export function overviewProcedures(deps: RouterDependencies): Pick<Procedures, 'overview' | 'overviewDuring'> {
	return {
		overview: async ({input}) => overviewOf(await overviewFacts(deps, input.connection)),
		overviewDuring: ({input: {connection, from, to}}) => {
			const found = deps.connections.find(connection)
			return duringOf({connection: found, log: deps.profile.log, ...auditFacts(deps, found.id)}, from, to)
		}
	}
}

function auditFacts({audits}: Pick<RouterDependencies, 'audits'>, id: string): Pick<OverviewDependencies, 'elsewhere' | 'audit'> {
	return {elsewhere: (query, limit) => audits.elsewhere(id, query, limit), audit: audits.state(id)}
}

/** From local data only. */
export async function overviewFacts(
	deps: Pick<
		RouterDependencies,
		'connections' | 'ports' | 'inventories' | 'profile' | 'instances' | 'eventStores' | 'directories' | 'audits' | 'playbooks'
	>,
	connection: string
): Promise<OverviewDependencies> {
	const found = deps.connections.find(connection)
	const store = deps.eventStores.open(found.id)
	const groups = await casesOf(store, deps.profile.log, found.id)
	// Each part reads much: the page's input comes in between.
	await ownTurn()
	const events = eventFactsOf(store)
	await ownTurn()
	const lists = listFactsOf(deps.directories.open(found.id))
	await ownTurn()
	return {
		connection: found,
		now: deps.ports.clock.now(),
		inventory: deps.inventories.open(found.id),
		log: deps.profile.log,
		...auditFacts(deps, found.id),
		link: deps.connections.client(found.id).link(),
		instances: await deps.instances.list(),
		events,
		groups,
		leases: deps.profile.escrow.leases.list(found.id),
		// All of them: they are counted.
		runs: await allRows(window => deps.playbooks.runs({connections: [found.id], state: 'open', ...window})),
		lists
	}
}

/** Lists with items that no computer enforces, as far as the policies' details are loaded. */
function listFactsOf(directory: Pick<Directory, 'fileLists'>): ListFacts {
	const {lists} = directory.fileLists()
	return {uncovered: lists.filter(list => list.covered === 0 && (list.items ?? 0) > 0 && list.vanishedAt === null)}
}
