/**
 * Who is at the other end of a connection on loopback, where the system tells: Linux lists the owner of every socket
 * (proc_net(5)). Another user of this machine may have read a link before it was used.
 */
import {readFileSync} from 'node:fs'

export type PeerUser = 'own' | 'other' | 'unknown'

/** A table is read while sockets come and go; a line may be missed once. */
const looks = 3

/** `peer` and `here` are the two ports, as the listener sees them. */
export function peerUser(
	ports: {readonly peer: number; readonly here: number},
	{own = process.getuid?.(), read = readTable}: {own?: number | undefined; read?: (name: string) => string} = {},
): PeerUser {
	if (own === undefined) return 'unknown'
	for (let look = 0; look < looks; look += 1) {
		const tables = ['tcp', 'tcp6'].map(read)
		if (tables.every(table => table === '')) return 'unknown'
		const owner = tables.map(table => ownerIn(table, ports)).find(uid => uid !== undefined)
		if (owner !== undefined) return owner === own ? 'own' : 'other'
	}
	return 'other'
}

/** Its own line is the one whose local port is the peer's and whose remote port is ours. */
function ownerIn(table: string, {peer, here}: {peer: number; here: number}) {
	for (const line of table.split('\n').slice(1)) {
		const [, local = '', remote = '', , , , , uid] = line.trim().split(/\s+/)
		if (portIn(local) === peer && portIn(remote) === here) return Number(uid)
	}
	return undefined
}

function portIn(address: string) {
	return Number.parseInt(address.slice(address.lastIndexOf(':') + 1), 16)
}

function readTable(name: string) {
	try {
		return readFileSync(`/proc/self/net/${name}`, 'utf8')
	} catch {
		return ''
	}
}
