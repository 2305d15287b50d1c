/** The settings in the XML of two policies, side by side: pure, and over the tags that the view shows. */
import type {DiffLine} from '#commands/compare/diff-line.ts'
import {pieces} from './XmlView.tsx'

const entities: Readonly<Record<string, string>> = {amp: '&', lt: '<', gt: '>', quot: '"', apos: "'"}
/** Attributes that tell an element from those beside it. */
const identities: ReadonlySet<string> = new Set(['guid', 'id', 'name', 'key'])

function plain(text: string) {
	return text.replace(/&(\w+);/g, (whole, name: string) => entities[name] ?? whole).trim()
}

/** Each text and attribute by the path of its element, such as `policy/scan/file @size`. An empty element is `present`. */
function settingsOf(xml: string) {
	const found = new Map<string, string>()
	const counts = new Map<string, number>()
	const open: {path: string; before: number}[] = []
	const close = () => {
		const last = open.pop()
		if (last !== undefined && last.before === found.size) found.set(last.path, 'present')
	}
	for (const [piece] of xml.matchAll(pieces)) {
		const around = open.at(-1)?.path
		if (piece.startsWith('</')) close()
		else if (/^<[^!?]/.test(piece)) {
			const attributes = [...piece.matchAll(/([^\s=<>/]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g)]
			const given = attributes.map(([, key = '', one, two = '']) => ({key, value: plain(one ?? two)}))
			// That of the root always differs.
			const identity = around === undefined ? undefined : given.find(({key}) => identities.has(key))
			const own = [around, /[^\s<>/]+/.exec(piece)?.[0] ?? ''].filter(part => part !== undefined).join('/')
			const named = identity === undefined ? own : `${own} ${identity.value.replaceAll('/', '∕')}`
			const count = (counts.get(named) ?? 0) + 1
			counts.set(named, count)
			const path = count === 1 ? named : `${named} ${count}`
			open.push({path, before: found.size})
			for (const {key, value} of given) if (!identities.has(key)) found.set(`${path} @${key}`, value)
			if (piece.endsWith('/>')) close()
		} else if (around !== undefined && !/^<(?:!--|\?)/.test(piece)) {
			const value = plain(piece.replace(/^<!\[CDATA\[|\]\]>$/g, ''))
			if (value !== '') found.set(around, value)
		}
	}
	return found
}

interface SettingGroup {
	title: string
	lines: readonly DiffLine[]
}

/** By the first level at which the trees branch; a single setting stands with the others of its level. */
export function xmlDiff(a: string, b: string): readonly SettingGroup[] {
	const [one, other] = [settingsOf(a), settingsOf(b)]
	const paths = [...new Set([...one.keys(), ...other.keys()])].map(path => path.split('/')).filter(path => path.length > 1)
	const depth = Math.max(1, paths[0]?.findIndex((part, at) => paths.some(path => path[at] !== part)) ?? 1)
	const nameOf = (path: readonly string[]) => path[depth]?.split(' ')[0] ?? ''
	const named = Map.groupBy(paths, nameOf)
	const groups = Map.groupBy(paths, path => (named.get(nameOf(path))?.length === 1 ? (path[depth - 1] ?? '') : nameOf(path)))
	return Array.from(groups, ([title, own]) => ({
		title,
		lines: own.map(path => {
			const [whole, rest] = [path.join('/'), path.slice(depth).join(' / ')]
			return {title: rest, a: one.get(whole) ?? '', b: other.get(whole) ?? ''}
		})
	}))
}
