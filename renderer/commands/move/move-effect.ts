/** What a move would change for a computer. */
import type {GroupNode, NamedReference, PolicyRow} from '#contract/directory.ts'
import {changeOf} from '#shared/reference-change.ts'

interface PolicyNow {
	/** Empty when the record names no policy. */
	guid: string
	name: string
}

export interface MoveEffect {
	before: NamedReference | null
	/** The effective policy in the new group; `null` while unknown. */
	after: NamedReference | null
	/** Lists that the computer would gain and lose; `null` until both policies are loaded. */
	lists: {gained: readonly NamedReference[]; lost: readonly NamedReference[]} | null
	exclusions: MoveEffect['lists']
	missing: {kind: 'group' | 'policy'; guid: string; name: string} | null
	/** Why the new policy cannot be known at all; `null` when it is known or can be loaded. */
	problem: string | null
}

export function moveEffect(policy: PolicyNow, target: GroupNode, policies: ReadonlyMap<string, PolicyRow>): MoveEffect {
	const now = policies.get(policy.guid.toLowerCase())
	const before = policy.guid === '' ? null : {guid: policy.guid, name: policy.name}
	const nothing: MoveEffect = {before, after: null, lists: null, exclusions: null, missing: null, problem: null}
	if (target.policies === null) return {...nothing, missing: {kind: 'group', guid: target.guid, name: target.name}}
	if (now === undefined) return {...nothing, problem: 'The policy that the computer has now is not known, nor for which product it is.'}
	const use = target.policies.find(({product}) => product === now.product)
	if (use === undefined) return {...nothing, problem: `The group has no policy for ${now.product}.`}
	const after = {guid: use.guid, name: use.name}
	if (use.guid === now.guid) return {...nothing, after, lists: same, exclusions: same}
	const next = policies.get(use.guid)
	const unread = [next, now].find(row => row === undefined || row.fileLists === null)
	const name = unread === now ? now.name : use.name
	if (next === undefined || next.fileLists === null || now.fileLists === null)
		return {...nothing, after, missing: {kind: 'policy', guid: unread?.guid ?? use.guid, name}}
	return {
		...nothing,
		after,
		lists: changeOf(now.fileLists, next.fileLists),
		exclusions: changeOf(now.exclusionSets ?? [], next.exclusionSets ?? [])
	}
}

const same = {gained: [], lost: []}
