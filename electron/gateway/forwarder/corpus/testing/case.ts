/** The raw-socket corpus as data (route description, 3.3 and 4.3): bytes in, and the required result. */

export interface MalformedCase {
	readonly name: string
	/** Latin-1. */
	readonly bytes: string
	/** Any of these is correct. */
	readonly status: readonly number[]
	/** Where the fault is detectable: in the head, in the framing of the body, or only by the rules behind the parser. */
	readonly where: 'head' | 'body' | 'rules'
}

export interface WellFormedCase {
	readonly name: string
	readonly bytes: string
	/** Expected at the instance. */
	readonly method: string
	readonly target: string
	readonly body: string
	/** Expected fields at the instance; `null`: must be absent. */
	readonly fields?: Readonly<Record<string, string | null>>
}

/** Path of the corpus' instance. */
export const route = '/instance/execute/edl'
