/** Warnings before a computer is isolated or released. Pure. */
import type {ComputerRow} from '#model/computer.ts'
import type {ComputerRole} from '#model/guard.ts'
import {formatLeft} from '#text/durations.ts'
import {plainState} from '#text/isolation.ts'

/** Agents report every few minutes; after this long without contact the computer counts as offline. */
const offlineAfterMs = 30 * 60_000

/** `now` in Unix milliseconds. */
export function isolateWarnings(row: ComputerRow, now: number): readonly string[] {
	return present([offline(row, now), role(row), duplicate(row), pending(row), vanished(row)])
}

export function releaseWarnings(row: ComputerRow, now: number): readonly string[] {
	return present([compromised(row), offline(row, now), duplicate(row), vanished(row)])
}

function present(texts: readonly (string | null)[]) {
	return texts.filter(text => text !== null)
}

function offline(row: ComputerRow, now: number) {
	const seen = Date.parse(row.lastSeen ?? '')
	if (Number.isNaN(seen)) return 'Never seen by the service: takes effect once it reports.'
	if (now - seen < offlineAfterMs) return null
	// A plan keeps this text for days, and is exported.
	const at = new Date(seen).toISOString().slice(0, 16).replace('T', ' ')
	return `Last seen at ${at} UTC, ${formatLeft(now - seen)} before this check: takes effect once it is online.`
}

/** The effect on others by the computer's role, and how it is known where nobody said so; the first role counts. */
const roleTexts: Readonly<Record<ComputerRole, readonly [guess: string, text: string]>> = {
	domain_controller: ['Named like', 'a domain controller: all who sign in through it are cut off.'],
	hypervisor: ['Looks like', 'a host of virtual machines: they are cut off with it.'],
	infrastructure: ['Named like', 'a DNS or DHCP server: other computers depend on it.'],
	jump_host: ['Named like', 'a jump host: all who work through it are cut off.'],
	server: ['Looks like', 'a server: its services are cut off with it.'],
	vip: ['It is', 'the computer of an important person.']
}

const mostTelling = ['domain_controller', 'hypervisor', 'infrastructure', 'jump_host', 'server', 'vip'] as const

function role({roles, guessedRoles}: ComputerRow) {
	const found = mostTelling.find(each => roles.includes(each) || guessedRoles.includes(each))
	if (found === undefined) return null
	const [guess, text] = roleTexts[found]
	return `${roles.includes(found) ? 'It is' : guess} ${text}`
}

function duplicate(row: ComputerRow) {
	return row.duplicate ? 'Another computer has the same host name: compare the GUID.' : null
}

function pending(row: ComputerRow) {
	const waits = row.isolation === 'pending_start' || row.isolation === 'pending_stop'
	return waits ? `It is already ${plainState(row.isolation)}.` : null
}

function vanished(row: ComputerRow) {
	return row.vanishedAt === null ? null : 'Not in the last complete listing: it may have been deleted elsewhere.'
}

function compromised(row: ComputerRow) {
	return row.compromised ? 'It is still marked as compromised.' : null
}
