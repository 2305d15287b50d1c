import {shell} from 'electron'

import {addressOutside} from './decisions.ts'

/** A person presses one link at a time; a page that was taken over might open hundreds. */
const pauseMs = 1_000

/** Opens a listed https address in the operator's browser, and says whether it did; `now` in milliseconds. */
export function makeWayOut(now: () => number): (url: string) => boolean {
	let last = Number.NEGATIVE_INFINITY
	return url => {
		const address = addressOutside(url)
		if (address === null || now() - last < pauseMs) return false
		last = now()
		// A system without a browser has nothing to open it with, and the page shows the address.
		shell.openExternal(address).catch(() => {})
		return true
	}
}
