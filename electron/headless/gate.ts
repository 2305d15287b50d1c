/**
 * Access to the console over HTTP and WebSocket: pure decisions on a request's head. The listener is on loopback, but every page
 * in the operator's browser and every program on the computer can reach it. So a request needs the right Host (against DNS
 * rebinding), the right Origin if it could change something, and the cookie that only the one-time entry URL sets.
 */

import type {PeerUser} from '#base/peer-user.ts'

export const entryPath = '/enter'
const wirePath = '/wire'

/** The input of the gate. Header values as Node gives them; `undefined` when absent. */
export type RequestHead = Readonly<{
	method: string
	/** The request target, such as `/enter?ticket=…`. */
	target: string
	host: string | undefined
	origin: string | undefined
	cookie: string | undefined
	/** `Sec-Fetch-Site`; sent by every current browser, by no other program. */
	fetchSite: string | undefined
	/** Number of `Host` fields; another reader may use a conflicting one. */
	hosts: number
	/** User of the requesting program; looked up for an entry only. */
	user: () => PeerUser
}>

/** The state of the gate. */
export type GateState = Readonly<{
	port: number
	isSession: (token: string) => boolean
	/** True once for each ticket, within its lifetime. */
	redeem: (ticket: string) => boolean
	/** The same for the typed code. */
	redeemCode: (code: string) => boolean
}>

export type Refusal = 'host' | 'origin' | 'site' | 'method' | 'session' | 'ticket' | 'code' | 'user' | 'path'

type Decision =
	| {kind: 'serve'; path: string}
	/** Set a new session cookie and go to `/`. */
	| {kind: 'enter'}
	/** Ask for the code shown in the terminal. */
	| {kind: 'ask'}
	/** The ticket was already used by this very browser. */
	| {kind: 'home'}
	| {kind: 'refuse'; reason: Refusal}

/** Cookies ignore ports: the name separates two consoles on one computer. */
export function cookieName(port: number) {
	return `cordon_${port}`
}

export function decide(head: RequestHead, state: GateState): Decision {
	const refused = refuseStranger(head, state, isEntryFromFile(head))
	if (refused !== null) return refuse(refused)
	if (head.method !== 'GET' && head.method !== 'HEAD') return refuse('method')
	const url = parseTarget(head.target)
	if (url === null) return refuse('path')
	const known = sessionToken(head, state) !== undefined
	if (url.pathname === entryPath) return decideEntry(head, url, known, state)
	return known ? {kind: 'serve', path: url.pathname} : refuse('session')
}

export function decideUpgrade(head: RequestHead, state: GateState) {
	const refused = refuseStranger(head, state)
	if (refused !== null) return refuse(refused)
	if (head.method !== 'GET') return refuse('method')
	// A browser always sends the origin of a WebSocket; the cookie alone would admit any page.
	if (head.origin === undefined) return refuse('origin')
	if (parseTarget(head.target)?.pathname !== wirePath) return refuse('path')
	return sessionToken(head, state) === undefined ? refuse('session') : ({kind: 'accept'} as const)
}

/** The three names of loopback in a browser's address. */
function authorities(port: number) {
	return [`127.0.0.1:${port}`, `localhost:${port}`, `[::1]:${port}`]
}

/** A ticket link is opened from the file in the profile, which has no site. The ticket alone decides: a page may not try codes. */
function isEntryFromFile({fetchSite, target}: RequestHead) {
	return fetchSite === 'cross-site' && /^\/enter\?ticket=[\w-]+$/.test(target)
}

function refuseStranger(head: RequestHead, state: GateState, mayCross = false) {
	if (head.hosts > 1 || head.host === undefined || !authorities(state.port).includes(head.host.toLowerCase())) return 'host'
	if (head.origin !== undefined && head.origin !== `http://${head.host.toLowerCase()}`) return 'origin'
	// `none`: typed, bookmarked, or opened by another program.
	if (head.fetchSite !== undefined && head.fetchSite !== 'same-origin' && head.fetchSite !== 'none') return mayCross ? null : 'site'
	return null
}

function decideEntry(head: RequestHead, url: URL, known: boolean, state: GateState): Decision {
	if (known) return {kind: 'home'}
	// A HEAD request is a preview and must not use up the ticket.
	if (head.method !== 'GET') return refuse('method')
	const [ticket, code] = [url.searchParams.get('ticket'), url.searchParams.get('code')]
	// Anyone who sees the terminal may enter, as any user.
	if (code !== null) return state.redeemCode(code) ? {kind: 'enter'} : refuse('code')
	if (ticket === null) return {kind: 'ask'}
	if (head.user() === 'other') return refuse('user')
	return state.redeem(ticket) ? {kind: 'enter'} : refuse('ticket')
}

/** The one that lets in: any program can send several. */
export function sessionToken(head: RequestHead, {port, isSession}: GateState) {
	return tokensOf(head, port).find(isSession)
}

function tokensOf({cookie}: RequestHead, port: number) {
	const wanted = `${cookieName(port)}=`
	const pairs = (cookie ?? '').split(';').map(pair => pair.trim())
	return pairs.flatMap(pair => (pair.startsWith(wanted) ? [pair.slice(wanted.length)] : []))
}

function parseTarget(target: string) {
	// Only the origin form: `//host/…` or an absolute URL names another host.
	if (!target.startsWith('/') || target.startsWith('//')) return null
	return URL.canParse(target, 'http://console') ? new URL(target, 'http://console') : null
}

function refuse(reason: Refusal) {
	return {kind: 'refuse', reason} as const
}
