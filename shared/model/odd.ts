/** What was odd about a record that the service sent: it is shown, marked, and its text is kept. */
export interface Odd {
	/** Fields that are not as documented. */
	readonly fields: readonly string[]
	/** The record as it came, as JSON, cut after 20,000 characters. */
	readonly raw: string
}

/** The member of a record that holds it. */
export const oddKey = 'cordon_odd'

/** `undefined` for a record as documented. */
export function oddOf(record: unknown): Odd | undefined {
	return typeof record === 'object' && record !== null ? (Reflect.get(record, oddKey) as Odd | undefined) : undefined
}
