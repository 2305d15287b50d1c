/** `waits`: after what is being shown, so that news does not cover the answer to an act. */
type InTurn = (text: string, waits?: boolean) => void

/** Tells texts by `tell`; each counts as shown for `shownMs`. */
export function inTurn(tell: (text: string) => void, shownMs: number): InTurn {
	let until = 0
	const say: InTurn = (text, waits = false) => {
		const left = until - performance.now()
		if (waits && left > 0) {
			setTimeout(() => say(text, true), left)
			return
		}
		until = performance.now() + shownMs
		tell(text)
	}
	return say
}
