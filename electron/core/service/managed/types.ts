import type {Connection, ConnectionInput} from '#model/connection.ts'
import type {GuardRules} from '#model/guard.ts'
import type {ManagedPolicy, ManagedView} from '#model/managed.ts'
import type {Settings} from '#model/settings.ts'

/**
 * What an administrator set and locked. Looked up fresh each time, so that a change holds at once, in every process.
 * Everything that refuses throws `managed` and names the field.
 */
export interface Managed {
	view(): ManagedView
	/** Changes whenever what is held changes. */
	generation(): string
	/** Keys of people; a list that is there is the only one. */
	trust(): ManagedPolicy['trust']
	/** Writes down in the incident log what is new since any process of this profile looked. */
	note(): void
	readonly settings: {
		applied(stored: Settings): Settings
		/** What of a change may be stored; throws when a held field would change. */
		admitted(change: Partial<Settings>): Partial<Settings>
	}
	readonly guards: {
		applied(stored: GuardRules): GuardRules
		/** What of new rules is stored, so that held fields keep what the operator had. */
		admitted(stored: GuardRules, wanted: GuardRules): GuardRules
	}
	readonly connections: {
		applied(stored: Connection): Connection
		/** What of a new connection or a change may be stored. `before`: where it led until now. */
		admitted<T extends Partial<ConnectionInput>>(input: T, before?: Connection): T
		/** Throws when nothing may be sent to this server, or not like this. */
		admit(way: Pick<Connection, 'url' | 'insecure'>): void
		/** Throws where keys must not leave. */
		admitExport(): void
		/** Why nothing may be changed through any connection; `null` when it is not the administrator, empty when it is by intent. */
		readOnlyBecause(): string | null
	}
}
