import type {NamedReference} from '#contract/directory.ts'

export interface MoveRequest {
	guid: string
	hostname: string
	/** GUID of a group chosen already, such as by dropping the computer there. */
	to?: string | undefined
}

/** What the service has just accepted. */
export interface Moved {
	hostname: string
	from: NamedReference
	to: NamedReference
	at: string
	/** Its intent in the incident log. */
	entry: string
}
