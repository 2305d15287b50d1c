interface Kept<T> {
	of(key: string, make: () => T): T
}

/** Values last computed, kept until the revision changes. */
export function makeKept<T>(revision: () => number, most: number): Kept<T> {
	const kept = new Map<string, {readonly value: T}>()
	let known = -1
	return {
		of: (key, make) => {
			const current = revision()
			if (current !== known) kept.clear()
			known = current
			const found = kept.get(key) ?? {value: make()}
			kept.delete(key)
			kept.set(key, found)
			const [oldest] = kept.keys()
			if (kept.size > most && oldest !== undefined) kept.delete(oldest)
			return found.value
		},
	}
}
