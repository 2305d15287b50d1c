import {hash, timingSafeEqual} from 'node:crypto'

export interface Credential {
	clientId: string
	apiKey: string
	/** Shown as `isolated_by`. */
	name: string
	scope: 'read' | 'write'
}

/** Parses HTTP Basic; the scheme is case-insensitive. Anything malformed is no credential. */
function basicOf(header: string | undefined) {
	const match = /^basic +([A-Za-z0-9+/_-]+={0,2}) *$/i.exec(header ?? '')
	const text = Buffer.from(match?.[1] ?? '', 'base64').toString('utf8')
	const colon = text.indexOf(':')
	return colon < 0 ? undefined : {id: text.slice(0, colon), key: text.slice(colon + 1)}
}

export function credentialFor(header: string | undefined, known: readonly Credential[]) {
	const given = basicOf(header)
	if (given === undefined) return undefined
	const credential = known.find(candidate => candidate.clientId === given.id)
	return credential !== undefined && sameSecret(credential.apiKey, given.key) ? credential : undefined
}

/** Compares in constant time, as a real service would. */
export function sameSecret(a: string, b: string) {
	const digest = (text: string): Buffer => hash('sha256', text, 'buffer')
	return timingSafeEqual(digest(a), digest(b))
}
