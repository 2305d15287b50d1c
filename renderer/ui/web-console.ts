/** Hosts of the service's web console. */

const hosts: Readonly<Record<string, string>> = {
	'api.amp.cisco.com': 'console.amp.cisco.com',
	'api.eu.amp.cisco.com': 'console.eu.amp.cisco.com',
	'api.apjc.amp.cisco.com': 'console.apjc.amp.cisco.com',
}

/** Address of a server's web console (API reference, "Hosts"), or of a page; `null` if unknown. */
export function consoleAddress(server: string, page = ''): string | null {
	if (!URL.canParse(server)) return null
	const host = hosts[new URL(server).hostname]
	return host === undefined ? null : `https://${host}/${page}`
}

/** The page of a computer with its trajectory, at one event if its id is given (API reference, "Console deep links"). */
export function computerPage(guid: string, event?: string): string {
	const at = event === undefined ? '' : `?id=${encodeURIComponent(event)}`
	return `computers/${encodeURIComponent(guid)}/trajectory2${at}`
}
