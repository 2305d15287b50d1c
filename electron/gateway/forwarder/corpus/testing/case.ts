/** The raw-socket corpus as data (route description, 3.3 and 4.3): bytes in, and the required result. */

export interface MalformedCase {
	name: string
	/** Latin-1. */
	bytes: string
	/** Any of these is correct. */
	status: readonly number[]
	/** Where the fault is detectable: in the head, in the framing of the body, or only by the rules behind the parser. */
	where: 'head' | 'body' | 'rules'
}

export interface WellFormedCase {
	name: string
	bytes: string
	/** Expected at the instance. */
	method: string
	target: string
	body: string
	/** Expected fields at the instance; `null`: must be absent. */
	fields?: Readonly<Record<string, string | null>>
}

/** Path of the corpus' instance. */
export const route = '/instance/execute/edl'
