/** The local copy of computers and groups as a replica. */
import type {ApiClient} from '#core/service/api/types.ts'
import type {Clock} from '#base/ports.ts'
import type {LabelReader} from '#core/service/labels/labels.ts'
import {copyPath} from '../kit/files.ts'
import {currentClient, makeReplica, type Replica, type ReplicaHost} from '../kit/replica.ts'
import {openInventory, type Inventory} from './inventory.ts'
import {inventorySource} from './source.ts'

export type Inventories = Replica<Inventory>

interface InventoriesHost extends ReplicaHost {
	/** Whether a window waits for this process: what takes long is written in the background then. */
	console: boolean
	labels: (connection: string) => LabelReader
}

export function computersReplica(host: InventoriesHost): Inventories {
	return makeReplica<Inventory>(host, {
		kind: 'computers',
		open: ({connection, path, changed}) => {
			const source = inventorySource(currentClient(host.connections, connection))
			const {clock, console: background} = host
			const copy = openInventory({path, clock, source, background, labels: host.labels(connection)})
			copy.onChange(({guid}) => changed(guid))
			return copy
		},
		revision: copy => copy.state().revision,
		records: copy => copy.counts().computers,
		refresh: {
			everyMs: 300_000,
			freshAt: copy => copy.state().completeAt,
			run: (copy, signal) => copy.refresh(signal),
			trouble: 'Local data was not refreshed.'
		}
	})
}

/** Where the local copy of a connection lies; the command line opens the same file. */
export function inventoryPath(profile: string, connection: string): string {
	return copyPath(profile, 'computers', connection)
}

/** Opens the local copy of one connection by itself, without the rest of the application. */
export function openConnectionInventory(options: {profile: string; clock: Clock; connection: string; client: ApiClient}): Inventory {
	const {profile, clock, connection, client} = options
	return openInventory({path: inventoryPath(profile, connection), clock, source: inventorySource(client)})
}
