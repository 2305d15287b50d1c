/**
 * Who is at the other end of a connection on loopback, where the system tells: Linux lists the owner of every socket
 * (proc_net(5)). Another user of this machine may have read a link before it was used.
 */
import {readFileSync} from 'node:fs'
import type {Socket} from 'node:net'
import {endianness} from 'node:os'

export type PeerUser = 'own' | 'other' | 'unknown'

/** A table is read while sockets come and go; a line may be missed once. */
const looks = 3

/** The ends of a connection, as the listener sees them. */
export type Ends = Pick<Socket, 'remoteAddress' | 'remotePort' | 'localAddress' | 'localPort'>

export function peerUser(
	{remoteAddress, remotePort, localAddress, localPort}: Ends,
	{own = process.getuid?.(), read = readTable}: {own?: number | undefined; read?: (name: string) => string} = {}
): PeerUser {
	if (own === undefined) return 'unknown'
	const ends = {peer: endOf(remoteAddress, remotePort), here: endOf(localAddress, localPort)}
	for (let look = 0; look < looks; look += 1) {
		const tables = ['tcp', 'tcp6'].map(read)
		if (tables.every(table => table === '')) return 'unknown'
		const owner = tables.map(table => ownerIn(table, ends)).find(uid => uid !== undefined)
		if (owner !== undefined) return owner === own ? 'own' : 'other'
	}
	return 'other'
}

/** As in the tables: `0100007F:1F90`. At another address of loopback, another user may have the same ports. */
function endOf(address = '', port = 0) {
	const bytes = Buffer.from(address.split('.').map(Number))
	if (endianness() === 'LE') bytes.reverse()
	return `${bytes.toString('hex')}:${port.toString(16).padStart(4, '0')}`.toUpperCase()
}

/** Its own line is the one whose local end is the peer's and whose remote end is ours. */
function ownerIn(table: string, {peer, here}: {peer: string; here: string}) {
	for (const line of table.split('\n').slice(1)) {
		const [, local = '', remote = '', , , , , uid] = line.trim().split(/\s+/)
		if (local.endsWith(peer) && remote.endsWith(here)) return Number(uid)
	}
	return undefined
}

function readTable(name: string) {
	try {
		return readFileSync(`/proc/self/net/${name}`, 'utf8')
	} catch {
		return ''
	}
}
