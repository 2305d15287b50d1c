/** A partial object in which a field is either there with a value or not there at all. */
type OmitUndefined<T> = {readonly [K in keyof T]?: Exclude<T[K], undefined>}

/** What was really given: a field that is `undefined` counts as left out. */
export function omitUndefined<T extends object>(value: T): OmitUndefined<T> {
	// Only fields without a value are taken away.
	return Object.fromEntries(Object.entries(value).filter(([, field]) => field !== undefined)) as OmitUndefined<T>
}
