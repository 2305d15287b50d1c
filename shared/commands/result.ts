import type {CommandName} from './catalogue.ts'

/** A command's result on every surface. `data` contains the service's records, unlock codes masked. */
export interface CommandResult {
	readonly command: CommandName
	readonly args: Readonly<Record<string, unknown>>
	/** Records of a list, one object, a state, or `null` for mere success. */
	readonly data: unknown
	/** A sentence for the operator. */
	readonly message: string
	/** Id of the intent in the incident log. */
	readonly entry: string
	/** Lists only: total number of matches at the service. */
	readonly total?: number
	/** Lists only: offsets of the pages that could not be loaded. */
	readonly missing?: readonly number[]
	/** `svc_get_computers_isolation` with `status`: whether the computer is in that state. */
	readonly matches?: boolean
	readonly status?: number
	readonly requestId?: string
	readonly durationMs: number
}

/** Shown in place of an unlock code. */
export const maskedCode = '••••••'

/** Records of one answer: 100,000 of them would stop host and page for half a minute. */
export const mostOnScreen = 10_000

/** Options of a surface besides arguments. `wait` is in seconds. */
export interface CommandOptions {
	all?: boolean
	wait?: number
}
