import type {Directory} from '#core/replicas/directory/types.ts'
import {listFileName} from '#core/base/list-file-name.ts'
import type {Implementer, RouterDependencies} from './dependencies.ts'

export function directoryProcedures(os: Implementer, deps: RouterDependencies) {
	const open = deps.directories.open
	/** Answers with local data at once and refreshes stale data in the background. */
	const seen = (connection: string): Directory => {
		const copy = open(connection)
		copy.look()
		return copy
	}
	const routes = os.directory
	return {
		groups: {
			tree: routes.groups.tree.handler(({input}) => seen(input.connection).tree()),
			refreshOne: routes.groups.refreshOne.handler(({input, signal}) => open(input.connection).refreshGroup(input.guid, signal)),
			preview: routes.groups.preview.handler(({input, signal}) =>
				open(input.connection).preview(input.guid, input.policies, signal),
			),
			ways: routes.groups.ways.handler(({input}) => seen(input.connection).ways()),
		},
		policies: {
			list: routes.policies.list.handler(({input}) => seen(input.connection).policies()),
			detail: routes.policies.detail.handler(({input}) => seen(input.connection).policy(input.guid)),
			refreshOne: routes.policies.refreshOne.handler(({input, signal}) =>
				open(input.connection).refreshPolicy(input.guid, signal),
			),
			xml: routes.policies.xml.handler(({input, signal}) => open(input.connection).xml(input.guid, signal)),
		},
		fileLists: fileListProcedures(os, deps, open, seen),
		state: routes.state.handler(({input}) => open(input.connection).state()),
		refresh: routes.refresh.handler(({input, signal}) => open(input.connection).refresh({details: input.details}, signal)),
	}
}

type Open = (connection: string) => Directory

function fileListProcedures(os: Implementer, deps: RouterDependencies, open: Open, seen: Open) {
	const routes = os.directory.fileLists
	return {
		list: routes.list.handler(({input}) => seen(input.connection).fileLists()),
		items: routes.items.handler(({input: {connection, guid, ...query}}) => seen(connection).items(guid, query)),
		position: routes.position.handler(({input: {connection, guid, sha256, ...order}}) =>
			open(connection).position(guid, order, sha256),
		),
		export: routes.export.handler(async ({input: {connection, guid, ...query}, signal}) => {
			const {list, text, cut} = await open(connection).exportItems(guid, query, signal)
			const day = new Date(deps.ports.clock.now()).toISOString().slice(0, 10)
			const mediaType = query.format === 'csv' ? 'text/csv' : 'application/json'
			return {name: `${listFileName(list.name)}-${day}.${query.format}`, mediaType, text, cut}
		}),
		refreshItems: routes.refreshItems.handler(({input, signal}) => open(input.connection).refreshItems(input.guid, signal)),
		coverage: routes.coverage.handler(({input}) => seen(input.connection).coverage(input.guid)),
		ages: routes.ages.handler(({input}) => open(input.connection).ages(input.guid)),
		holding: routes.holding.handler(({input}) => open(input.connection).holding(input.sha256)),
		hash: routes.hash.handler(({input: {connection, sha256}}) => {
			const known = seen(connection).hash(sha256)
			const facts = deps.knownHashes(connection, [known.sha256]).get(known.sha256)
			return {...known, systemFile: facts?.systemFile ?? null}
		}),
	}
}
