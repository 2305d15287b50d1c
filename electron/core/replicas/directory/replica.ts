import type {EventStores} from '../events/replica.ts'
import type {Inventories} from '../computers/replica.ts'
import {currentClient, makeReplica, type Replica, type ReplicaHost} from '../kit/replica.ts'
import {openDirectory, type Directory} from './directory.ts'
import {directorySource} from './source.ts'
import type {ComputerSource, SeenSource} from './types.ts'

export type Directories = Replica<Directory>

interface DirectoriesHost extends ReplicaHost {
	inventories: Pick<Inventories, 'open'>
	eventStores: Pick<EventStores, 'opened'>
}

export function directoryReplica(host: DirectoriesHost): Directories {
	const {clock, connections, onTrouble} = host
	return makeReplica<Directory>(host, {
		kind: 'directory',
		open: ({connection, path, changed}) => {
			const source = directorySource(currentClient(connections, connection))
			const computers = computerSource(host.inventories, connection)
			const seen: SeenSource = {seen: hashes => host.eventStores.opened(connection)?.seen(hashes) ?? new Map()}
			const copy = openDirectory({path, clock, source, computers, seen, onTrouble})
			copy.onChange(() => changed())
			return copy
		},
		revision: copy => copy.state().revision
	})
}

/** The local copy of computers for the directory. */
function computerSource(inventories: Pick<Inventories, 'open'>, connection: string): ComputerSource {
	const copy = () => inventories.open(connection)
	return {
		cells: () => {
			const names = new Map(
				copy()
					.groups()
					.map(({guid, name}) => [guid.toLowerCase(), name])
			)
			return copy()
				.spread()
				.map(cell => ({...cell, groupName: names.get(cell.groupGuid) ?? ''}))
		},
		complete: () => copy().state().phase === 'complete'
	}
}
