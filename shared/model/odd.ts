/** Undocumented parts of a service record: it is shown, marked, and its text is kept. */
export interface Odd {
	/** Undocumented fields. */
	readonly fields: readonly string[]
	/** The original record as JSON, cut after 20,000 characters. */
	readonly raw: string
}

/** The member of a record that contains it. */
export const oddKey = 'cordon_odd'

/** `undefined` for a documented record. */
export function oddOf(record: unknown): Odd | undefined {
	return typeof record === 'object' && record !== null ? (Reflect.get(record, oddKey) as Odd | undefined) : undefined
}
