/** What the window may do, as pure decisions; nothing here knows Electron. */

/** The page's own scheme and origin: no file:, no http:, so nothing else in the world shares its origin. */
export const scheme = 'cordon'
export const pageOrigin = `${scheme}://app`

/**
 * Screens live behind the `#`, so that the page is loaded once and goes there by itself. `null` where nothing is to be
 * loaded: the address that is shown already would load the page anew, with all that was typed.
 */
export function addressToLoad(path: string | null, current: string) {
	const address = `${pageOrigin}/#${path ?? ''}`
	return path === null || address === current ? null : address
}

export function isOwnPage(url: string) {
	if (!URL.canParse(url)) return false
	const {protocol, host} = new URL(url)
	// `origin` of a scheme that URL does not know is the text "null".
	return protocol === `${scheme}:` && host === 'app'
}

/** Consoles and documentation of the service, where "Open in web console" leads. */
const externalHosts: readonly RegExp[] = [/^console(\.(eu|apjc))?\.amp\.cisco\.com$/, /^developer\.cisco\.com$/, /^docs\.amp\.cisco\.com$/]

/** `https:` to a listed host, on its usual port, without credentials, as it was understood; `null` for anything else, which stays inside. */
export function addressOutside(text: string) {
	if (!URL.canParse(text)) return null
	const url = new URL(text)
	const plain = url.protocol === 'https:' && url.port === '' && url.username === '' && url.password === ''
	return plain && externalHosts.some(host => host.test(url.hostname)) ? url.href : null
}

/** Linux reads a notification's body as markup. */
export function notificationBody(text: string, platform: NodeJS.Platform) {
	return platform === 'linux' ? text.replaceAll('&', '&amp;').replaceAll('<', '&lt;') : text
}

/** Exports and pictures are made by the page itself; nothing is ever fetched from elsewhere into a file. */
export function mayDownload(url: string) {
	return url.startsWith(`blob:${pageOrigin}/`)
}

/** Of everything a page can ask the system for, only copying is needed, and a look whether a copied unlock code is still there. */
export function mayHavePermission(permission: string, requestingUrl: string) {
	return ['clipboard-sanitized-write', 'clipboard-read'].includes(permission) && isOwnPage(requestingUrl)
}

interface WireRequest {
	/** The frame that asks, from Electron; `null` when it is gone already. */
	frame: {url: string; parent: unknown} | null
	sender: unknown
	/** The contents of our one window. */
	window: unknown
}

/** The wire goes to the top frame of our window, while it shows our page. */
export function mayHaveWire(request: WireRequest) {
	const {frame} = request
	return frame !== null && frame.parent === null && request.sender === request.window && isOwnPage(frame.url)
}

/** Chromium's own switches that weaken the window; they reach us through the command line. */
export const weakeningSwitches = [
	'no-sandbox',
	'disable-web-security',
	'remote-debugging-port',
	'remote-debugging-pipe',
	'ignore-certificate-errors'
] as const

/** Why this process must not run at all, or `undefined`. */
export function refuseToRun(refused: readonly string[], hasSwitch: (name: string) => boolean) {
	const found = refused.find(name => hasSwitch(name))
	return found === undefined ? undefined : `Cordon does not run with --${found}: it would switch protection off.`
}
