/** What `read` gave, until this turn of the event loop ends: requests that came together ask once. */
export function perTurn<T>(read: () => T) {
	let kept: {value: T} | undefined
	return () => {
		if (kept === undefined) {
			kept = {value: read()}
			setImmediate(() => (kept = undefined))
		}
		return kept.value
	}
}
