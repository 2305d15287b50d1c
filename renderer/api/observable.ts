/** A value outside React: who shows it subscribes. */
export interface Observed<T> {
	get(): T
	subscribe(listener: () => void): () => void
}

export interface Settable<T> extends Observed<T> {
	set(next: T): void
}

export function observable<T>(first: T): Settable<T> {
	const listeners = new Set<() => void>()
	let value = first
	return {
		get: () => value,
		set(next) {
			value = next
			for (const listener of listeners) listener()
		},
		subscribe(listener) {
			listeners.add(listener)
			return () => void listeners.delete(listener)
		}
	}
}
