import type {GroupNode} from '#contract/directory.ts'
import {counted} from '#text/numbers.ts'
import {nouns} from '#text/terms.ts'

/** Paths of all groups, such as `Hospital ▸ Wards`, by GUID. */
export function pathsOf(groups: readonly GroupNode[]): ReadonlyMap<string, string> {
	const paths = new Map<string, string>()
	// Parents stand before their children.
	for (const {guid, name, parent} of groups) {
		const above = paths.get(parent ?? '')
		paths.set(guid, above === undefined ? name : `${above} ▸ ${name}`)
	}
	return paths
}

const longestList = 60

export function targetsOf(groups: readonly GroupNode[], paths: ReadonlyMap<string, string>, typed: string) {
	const wanted = typed.trim().toLowerCase()
	return groups
		.filter(({guid, vanishedAt}) => vanishedAt === null && (paths.get(guid) ?? '').toLowerCase().includes(wanted))
		.slice(0, longestList)
		.map(({guid, name, computers}) => ({value: guid, label: paths.get(guid) ?? name, detail: `${counted(computers, nouns.computer)}`}))
}

/** Why the computer cannot move there, in a sentence; `null` when it can. */
export function whyNot(target: GroupNode | undefined, present: string): string | null {
	if (target === undefined) return 'Choose the group first.'
	if (target.vanishedAt !== null) return 'This group is gone: the service no longer lists it.'
	return target.guid === present ? 'The computer is in this group already.' : null
}

export function moveWords(hostname: string, target: GroupNode | undefined) {
	return `Move ${hostname}${target === undefined ? '' : ` to ${target.name}`}`
}
