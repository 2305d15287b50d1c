import {directWay, type Connection} from '#model/connection.ts'

import {certificatesIn} from './network-input.ts'

type Way = Pick<Connection, 'url' | 'insecure' | 'proxy' | 'ca'>

/**
 * Why the stored key must be typed again before it goes over the changed way; `null` when it need not. Else whoever may
 * edit a connection could have its key sent to a server of their own: by the address, or by a proxy whose certificates
 * the connection was made to trust.
 */
export function keyAgainBecause(before: Way, after: Way): string | null {
	if (after.url !== before.url) return 'the address changed'
	const trusted = new Set(certificatesIn(before.ca ?? ''))
	if (certificatesIn(after.ca ?? '').some(block => !trusted.has(block))) return 'other authorities are trusted now'
	const leads = after.proxy !== null && after.proxy !== directWay
	if (!after.insecure || !leads || (before.insecure && after.proxy === before.proxy)) return null
	return 'any certificate is trusted behind a proxy'
}
