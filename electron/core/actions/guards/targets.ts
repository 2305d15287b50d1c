/** Computers and groups as the guard rules see them. */
import {guessRoles} from '#model/computer-role.ts'
import {isBelow} from '#model/group.ts'
import type {ComputerRole, GuardRules, GuardTarget} from '#model/guard.ts'
import type {HashFacts} from '#model/hash-marks.ts'
import {readWindow} from '#model/window.ts'

import type {Inventory} from '#core/replicas/computers/inventory.ts'
import type {CopyForGuards} from './types.ts'

/** Roles that a person assigned to a computer. */
export type GivenRoles = (connection: string, guid: string) => readonly ComputerRole[]

export function computerTargets(
	connection: string,
	guids: readonly string[],
	copy: CopyForGuards | undefined,
	given: GivenRoles
): readonly GuardTarget[] {
	return guids.map(guid => {
		const row = copy?.row(guid)
		const roles = given(connection, guid)
		if (row === undefined) return {id: guid, label: guid, roles, guessedRoles: [], groups: []}
		return {
			id: guid,
			label: row.hostname === '' ? guid : row.hostname,
			roles,
			guessedRoles: guessRoles(row).filter(role => !roles.includes(role)),
			groups: copy?.ancestryOf(row.groupGuid) ?? [row.groupGuid]
		}
	})
}

export function groupTarget(guid: string, copy: Pick<Inventory, 'groups' | 'ancestryOf'> | undefined): GuardTarget {
	const groups = copy?.groups() ?? []
	const own = groups.find(group => group.guid.toLowerCase() === guid.toLowerCase())
	const below = own === undefined ? 0 : groups.filter(group => isBelow(group, own)).length
	return {id: guid, label: own?.name ?? guid, roles: [], guessedRoles: [], groups: copy?.ancestryOf(guid) ?? [guid], below}
}

/** Whether a rule names groups, which hold with those below them. */
export function groupsMatter({protected: {groups}, windows}: GuardRules) {
	return groups.length > 0 || windows.some(text => (readWindow(text)?.groups.length ?? 0) > 0)
}

/** Local knowledge about files by their hashes, and how many of its facts count on a list. */
export type KnownHashes = (connection: string, hashes: readonly string[], list?: string) => ReadonlyMap<string, HashFacts>

export function hashTarget(sha256: string, facts: HashFacts = {}): GuardTarget {
	return {...facts, id: sha256.toLowerCase(), label: sha256.slice(0, 8), roles: [], guessedRoles: [], groups: []}
}
