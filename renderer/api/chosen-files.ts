/** Files whose path the host knows, because they were chosen or dropped in its own window. */

/** What the desktop's preload adds to the window; a browser has none. */
interface FilesBridge {
	readonly ticketFor: (file: File) => Promise<unknown>
}

/** A ticket with which the host hashes the file from its path; `null` where the page reads it itself. The path stays there. */
export async function ticketFor(file: File): Promise<string | null> {
	const bridge = filesBridge()
	if (bridge === null) return null
	try {
		const ticket = await bridge.ticketFor(file)
		return typeof ticket === 'string' ? ticket : null
	} catch {
		return null
	}
}

function filesBridge(): FilesBridge | null {
	const found: unknown = Reflect.get(globalThis, 'cordonFiles')
	if (typeof found !== 'object' || found === null || !('ticketFor' in found)) return null
	const {ticketFor: ask} = found
	// The preload's own function; its answer is looked at.
	return typeof ask === 'function' ? {ticketFor: ask as FilesBridge['ticketFor']} : null
}
