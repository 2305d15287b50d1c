import type {Surface} from '#model/incident.ts'

import type {ApiClient, ClientOptions} from '../api/types.ts'
import type {NewEntry} from '#core/record/incidents/types.ts'
import type {Managed} from '../managed/managed.ts'
import type {Clock, SecretStore} from '#base/ports.ts'
import type {Database} from '#core/store/database.ts'
import type {Clients} from './clients.ts'
import type {Keys} from './keys.ts'
import type {Listeners} from './listeners.ts'
import type {Probe} from './probe.ts'
import type {Transients} from './transients.ts'

export interface ConnectionsOptions {
	/** `profile.db`. */
	database: Database
	secrets: SecretStore
	clock: Clock
	random(bytes: number): Uint8Array
	/** What an administrator holds. Default: nothing. */
	managed?: Managed | undefined
	/** Takes the entries about changed connections; without it changes leave no trace. */
	log?: ((entry: NewEntry) => void) | undefined
	/** Who changes connections here. */
	surface: Surface
	proxyEnvironment: Readonly<Record<string, string | undefined>>
	userAgent: string
	createClient: (options: ClientOptions) => ApiClient
	/** What *Test* looks with, beside a client. Default: the real network. */
	probe?: Probe | undefined
}

/** What a change of a connection works with. */
export interface Dependencies extends Omit<ConnectionsOptions, 'managed'> {
	managed: Managed
	keys: Keys
	clients: Clients
	transients: Transients
	listeners: Listeners
}
