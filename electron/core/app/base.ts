import type {Bus} from '#base/bus.ts'
import type {ProgramLog} from '#base/log.ts'
import type {Ports} from '#base/ports.ts'
import type {Connections} from '#core/service/connections/types.ts'
import type {Gateway} from './gateway.ts'
import type {Profile} from './profile.ts'
import type {Shown} from './shown.ts'

export interface AppOptions {
	version: string
	/** Instances and the forwarding server, which the host supplies. */
	gateway: Gateway
	/** Changes with every start of the host; random by default. */
	instance?: string | undefined
	/** The embedded sandbox that the entry started; it is a connection for as long as the app runs. */
	sandbox?: {url: string; clientId: string; apiKey: string} | undefined
	/** Starts the embedded sandbox on demand. */
	startSandbox?: (() => Promise<void>) | undefined
	console?: boolean | undefined
	/** Background work starts then if there are connections: stored rows are shown first. Default: at once. */
	shown?: Promise<unknown> | undefined
	/** Whether incident log and runs are stored in a thread of their own. Default: false. */
	storageThread?: boolean | undefined
	/** Default: stderr. */
	programLog?: ProgramLog | undefined
	/** The last lines of `programLog`, newest last; default: none. */
	lastLines?: (() => readonly string[]) | undefined
}

export interface Base {
	readonly ports: Ports
	readonly profile: Profile
	readonly bus: Bus
	/** The profile's own; changes of API limit, link and clock go to the bus. */
	readonly connections: Connections
	readonly isConsole: boolean
	readonly pages: Shown
	/** What no first screen needs waits for it. */
	readonly shown: Promise<unknown> | undefined
	readonly programLog: ProgramLog
	readonly lastLines: () => readonly string[]
	readonly onTrouble: (message: string, error: unknown) => void
	readonly ended: AbortController
}
