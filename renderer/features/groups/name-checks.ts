/** Names that cause mistakes when a group is chosen by name: pure. */
import type {GroupNode} from '#contract/directory.ts'

/** Problems of group names, in sentences, by GUID; only for names with problems. */
export function oddNames(groups: readonly GroupNode[]): ReadonlyMap<string, readonly string[]> {
	const present = groups.filter(({vanishedAt}) => vanishedAt === null)
	const alike = Map.groupBy(present, ({name}) => folded(name))
	return new Map(
		present.flatMap(group => {
			const others = (alike.get(folded(group.name)) ?? []).filter(({guid}) => guid !== group.guid)
			const found = [...oddInItself(group.name), ...likeOthers(group.name, others)]
			return found.length === 0 ? [] : [[group.guid, found] as const]
		})
	)
}

/** Equal for readers: ignores case, spaces and letter forms. */
function folded(name: string) {
	return name
		.normalize('NFKC')
		.replace(unseen, '')
		.replace(/[\s_-]+/gu, ' ')
		.trim()
		.toLowerCase()
}

/** Control characters, and zero-width ones. */
const unseen = /[\p{Cc}\p{Cf}]/gu

function oddInItself(name: string) {
	return [
		...(name.trim() === '' ? ['The name is empty.'] : []),
		...(name !== name.trim() && name.trim() !== '' ? ['The name begins or ends with a space.'] : []),
		...(/\S\s{2,}\S/u.test(name) ? ['The name has several spaces in a row.'] : []),
		...(name.search(unseen) >= 0 ? ['The name holds characters that cannot be seen.'] : [])
	]
}

function likeOthers(name: string, others: readonly GroupNode[]) {
	const [first] = others
	if (first === undefined) return []
	const more = others.length === 1 ? '' : ` and ${others.length - 1} more`
	return others.some(other => other.name === name)
		? [`Another group has the same name${others.length === 1 ? '' : `, ${others.length} in all`}.`]
		: [`The name is easily confused with “${first.name}”${more}.`]
}

/** The one after `current`, cyclic; `undefined` without any. */
export function nextOdd(odd: ReadonlyMap<string, unknown>, current: string | undefined) {
	const guids = [...odd.keys()]
	return guids[guids.indexOf(current ?? '') + 1] ?? guids[0]
}
