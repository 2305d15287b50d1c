/** The raw-socket corpus as data (route description, 3.3 and 4.3): bytes in, what must come of them. */

export interface MalformedCase {
	readonly name: string
	/** Latin-1. */
	readonly bytes: string
	/** Any of these is right. */
	readonly status: readonly number[]
	/** Where the fault can be seen: in the head, in the framing of the body, or only by the rules behind the parser. */
	readonly where: 'head' | 'body' | 'rules'
}

export interface WellFormedCase {
	readonly name: string
	readonly bytes: string
	/** What the instance must see. */
	readonly method: string
	readonly target: string
	readonly body: string
	/** What it must see of the head beside; `null`: the field must be missing. */
	readonly fields?: Readonly<Record<string, string | null>>
}

/** Where the corpus' instance stands. */
export const route = '/instance/execute/edl'
