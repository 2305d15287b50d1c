import type {Directory} from '#core/replicas/directory/directory.ts'
import {listFileName} from '#base/list-file-name.ts'
import {itemsKnown} from '#model/file-list.ts'
import {type Procedures, type RouterDependencies, today} from './dependencies.ts'

export function directoryProcedures(deps: RouterDependencies): Procedures['directory'] {
	const open = deps.directories.open
	/** Answers with local data at once and refreshes stale data in the background. */
	const seen = (connection: string) => {
		const copy = open(connection)
		copy.look()
		return copy
	}
	return {
		groups: {
			tree: ({input}) => seen(input.connection).tree(),
			refreshOne: ({input, signal}) => open(input.connection).refreshGroup(input.guid, signal),
			preview: ({input, signal}) => open(input.connection).preview(input.guid, input.policies, signal),
			ways: ({input}) => seen(input.connection).ways()
		},
		policies: {
			list: ({input}) => seen(input.connection).policies(),
			detail: ({input}) => seen(input.connection).policy(input.guid),
			refreshOne: ({input, signal}) => open(input.connection).refreshPolicy(input.guid, signal),
			xml: ({input, signal}) => open(input.connection).xml(input.guid, signal)
		},
		fileLists: fileListProcedures(deps, open, seen),
		state: ({input}) => open(input.connection).state(),
		refresh: ({input, signal}) => open(input.connection).refresh({details: input.details}, signal)
	}
}

type Open = (connection: string) => Directory

function fileListProcedures(deps: RouterDependencies, open: Open, seen: Open): Procedures['directory']['fileLists'] {
	return {
		list: ({input}) => seen(input.connection).fileLists(),
		items: ({input: {connection, guid, ...query}}) => seen(connection).items(guid, query),
		position: ({input: {connection, guid, sha256, ...order}}) => open(connection).position(guid, order, sha256),
		export: async function* ({input: {connection, guid, ...query}, signal}) {
			const {list, cut} = yield* open(connection).exportItems(guid, query, signal)
			const part = cut || itemsKnown(list) !== 'whole' ? 'partial-' : ''
			return {name: `${listFileName(list.name)}-${part}${today(deps)}.${query.format}`, cut}
		},
		refreshItems: ({input, signal}) => open(input.connection).refreshItems(input.guid, signal),
		coverage: ({input}) => seen(input.connection).coverage(input.guid),
		ages: ({input}) => open(input.connection).ages(input.guid),
		holding: ({input}) => open(input.connection).holding(input.sha256),
		hash: ({input: {connection, sha256}}) => {
			const known = seen(connection).hash(sha256)
			const facts = deps.knownHashes(connection, [known.sha256]).get(known.sha256)
			return {...known, systemFile: facts?.systemFile ?? null}
		}
	}
}
