/** Paths of files chosen or dropped in the window. The page holds a ticket for each, and no path. */
import {isAbsolute} from 'node:path'

import type {ChosenFiles} from '#base/ports.ts'

export interface FileTickets extends ChosenFiles {
	/** Asked by the preload alone. `null` for what is no path of a file. */
	grant(path: unknown): string | null
}

/** Older ones are dropped: so many files at once are unlikely. */
const mostTickets = 10_000
const ticketBytes = 16

export function createFileTickets(random: (bytes: number) => Uint8Array): FileTickets {
	const paths = new Map<string, string>()
	return {
		grant(path) {
			if (typeof path !== 'string' || !isAbsolute(path) || path.includes('\0')) return null
			const ticket = Buffer.from(random(ticketBytes)).toString('hex')
			paths.set(ticket, path)
			const [oldest] = paths.keys()
			if (paths.size > mostTickets && oldest !== undefined) paths.delete(oldest)
			return ticket
		},
		take(ticket) {
			const path = paths.get(ticket)
			paths.delete(ticket)
			return path
		}
	}
}
