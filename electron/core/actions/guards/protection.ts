/** Which targets are never changed. Pure. */
import {computerRoleTitles, type GuardRefusal, type GuardRules, type GuardTarget} from '#model/guard.ts'
import {neverListed} from '#model/hash-marks.ts'

import {matchesName} from '#base/name-pattern.ts'

/** Why a computer is protected; `null` when it is not. Guessed roles do not protect. */
export function protectedBy(rules: GuardRules, target: GuardTarget): GuardRefusal | null {
	const {guids, names, groups, roles} = rules.protected
	const {id, label} = target
	const refusal = (rule: string, because: string) => ({id, label, rule, message: `${label} is protected: ${because}.`})
	if (guids.some(guid => guid.toLowerCase() === id.toLowerCase())) return refusal('protected_guid', 'the guard rules of this connection name it')
	const pattern = names.find(each => matchesName(each, label))
	if (pattern !== undefined) return refusal('protected_name', `its name matches ${pattern}`)
	const group = target.groups.find(each => groups.some(other => other.toLowerCase() === each.toLowerCase()))
	if (group !== undefined) return refusal('protected_group', 'it is in a protected group')
	const role = target.roles.find(each => roles.includes(each))
	if (role !== undefined) return refusal('protected_role', `it has the role ${computerRoleTitles[role]}`)
	return null
}

export function refusedHash({id, label}: GuardTarget): GuardRefusal | null {
	const mark = neverListed(id)
	return mark === null ? null : {id, label, rule: mark.kind, message: mark.message}
}
