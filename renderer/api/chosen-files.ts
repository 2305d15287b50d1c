/** The host knows these files' paths, because the operator chose or dropped them in its own window. */

interface FilesBridge {
	ticketFor: (file: File) => Promise<unknown>
}

/** With this ticket the host hashes the file from its path, which stays on the host; `null` where the page reads the file. */
export async function ticketFor(file: File) {
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
	// The cast is safe: the caller checks the answer.
	return typeof ask === 'function' ? {ticketFor: ask as FilesBridge['ticketFor']} : null
}
