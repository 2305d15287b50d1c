import type {Generation, OsRelease, Platform} from './platforms.ts'
import type {Role} from './organisation.ts'

/** A generated computer. Times are seconds before the start of the sandbox, so that a tenant has no date. */
export interface Host {
	readonly index: number
	readonly guid: string
	readonly hostname: string
	/** For case-insensitive search. */
	readonly lowerName: string
	readonly platform: Platform
	readonly role: Role
	readonly generation: Generation
	readonly os: OsRelease
	readonly connectorVersion: string
	/** Processor id on Windows, hardware UUID on macOS, else empty. */
	readonly hardwareId: string
	readonly mac: string
	/** In the service's form: from the second on they may begin with a blank. */
	readonly ips: readonly string[]
	readonly externalIp: string
	/** Index into the groups. */
	readonly group: number
	readonly online: boolean
	/** Seconds since last contact; for online hosts the phase of their heartbeat. */
	readonly silentFor: number
	readonly installedFor: number
	/** Whether the connector is still installed. */
	readonly active: boolean
	readonly isolationAvailable: boolean
	readonly isolation: InitialIsolation | undefined
	readonly compromised: boolean
	readonly demo: boolean
	readonly risk: number
	/** Account of its user; empty on servers. */
	readonly user: string
}

export interface InitialIsolation {
	readonly status: 'isolated' | 'pending_start' | 'pending_stop'
	readonly unlockCode: string
	readonly comment: string | null
	readonly by: string
	/** Seconds before the start. */
	readonly since: number
}

/** Seconds between two contacts of an online connector. */
export const heartbeatSeconds = 300

/** The address inside the company: behind a home network it is the second one. */
export function addressOf(host: Host) {
	return (host.ips.at(-1) ?? '').trim()
}
