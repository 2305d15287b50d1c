import type {Generation, OsRelease, Platform} from './platforms.ts'
import type {Role} from './organisation.ts'

/** A generated computer. Times are seconds before the start of the sandbox, so that a tenant has no date. */
export interface Host {
	index: number
	guid: string
	hostname: string
	/** For case-insensitive search. */
	lowerName: string
	platform: Platform
	role: Role
	generation: Generation
	os: OsRelease
	connectorVersion: string
	/** Processor id on Windows, hardware UUID on macOS, else empty. */
	hardwareId: string
	mac: string
	/** In the service's form: from the second on they may begin with a blank. */
	ips: readonly string[]
	externalIp: string
	/** Index into the groups. */
	group: number
	online: boolean
	/** Seconds since last contact; for online hosts the phase of their heartbeat. */
	silentFor: number
	installedFor: number
	/** Whether the connector is still installed. */
	active: boolean
	isolationAvailable: boolean
	isolation: InitialIsolation | undefined
	compromised: boolean
	demo: boolean
	risk: number
	/** Account of its user; empty on servers. */
	user: string
}

export interface InitialIsolation {
	status: 'isolated' | 'pending_start' | 'pending_stop'
	unlockCode: string
	comment: string | null
	by: string
	/** Seconds before the start. */
	since: number
}

/** Seconds between two contacts of an online connector. */
export const heartbeatSeconds = 300

/** The address inside the company: behind a home network it is the second one. */
export function addressOf(host: Host) {
	return (host.ips.at(-1) ?? '').trim()
}
