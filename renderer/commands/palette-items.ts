/** What the palette offers, and in which order. */
import {catalogue} from '#shared/commands/catalogue.ts'
import type {FoundObject} from '#contract/contract.ts'
import type {Risk} from '#shared/commands/define.ts'
import {readIndicator} from '#model/indicator.ts'
import {screens} from '#model/screens.ts'
import {keyMap, type KeyId} from '#ui/keys/key-map.ts'
import type {PaletteItem, PaletteAction} from './palette-item.ts'

const riskWords: Readonly<Record<Risk, string>> = {read: '', change: ' · change', isolate: ' · isolates', release: ' · releases'}

const commands: readonly PaletteItem[] = catalogue.map(spec => ({
	id: `command-${spec.name}`,
	section: 'Commands',
	title: spec.title,
	detail: `${spec.name}${riskWords[spec.risk]}`,
	action: Object.keys(spec.args).length === 0 ? {kind: 'line', line: spec.name} : {kind: 'form', command: spec.name, values: {}}
}))

/** All fixed items that match the words, best match first. */
export function matchingItems(text: string): readonly PaletteItem[] {
	const words = wordsOf(text)
	return [...fixed, ...commands]
		.map(item => ({item, rank: rankOf(item, words)}))
		.filter(({rank}) => rank > 0)
		.toSorted((a, b) => b.rank - a.rank)
		.map(({item}) => item)
}

function wordsOf(text: string) {
	return text.trim().toLowerCase().split(/\s+/)
}

function rankOf(item: PaletteItem, words: readonly string[]) {
	const title = item.title.toLowerCase()
	const all = `${title} ${item.detail.toLowerCase()}`
	if (!words.every(word => all.includes(word))) return 0
	const [first = ''] = words
	if (title.startsWith(first)) return 3
	return title.split(' ').some(part => part.startsWith(first)) ? 2 : 1
}

/** Search over everything for the typed text; the last choice for words, the first when nothing else fits. */
export function searchItem(text: string): readonly PaletteItem[] {
	const value = text.trim()
	if (readIndicator(value) === null) return []
	const shown = value.length > 60 ? `${value.slice(0, 57)}…` : value
	return [
		{
			id: 'search-everything',
			section: 'Search',
			title: `Search everything for “${shown}”`,
			detail: 'local data first, the service on request',
			action: {kind: 'open', path: `/search?q=${inSearch(value)}`}
		}
	]
}

/** The router reads values as JSON where it can, so text that looks like JSON is quoted. */
export function inSearch(text: string): string {
	try {
		JSON.parse(text)
		return encodeURIComponent(JSON.stringify(text))
	} catch {
		return encodeURIComponent(text)
	}
}

/** Actions on one computer: each opens its dialog there and sends nothing. */
const verbs = {
	isolate: {title: 'Isolate', act: 'isolate'},
	release: {title: 'Release', act: 'release'},
	move: {title: 'Move', act: 'move'},
	tag: {title: 'Tags and roles of', act: 'labels'},
	note: {title: 'Add a note about', act: 'note'},
	copy: {title: 'Copy', act: 'copy'}
} as const

/** A verb and its object, in either order: "isolate fin-lt-0231". */
export function verbIn(text: string): {verb: keyof typeof verbs; object: string} | null {
	const words = text.trim().split(/\s+/)
	const at = words.findIndex(word => Object.hasOwn(verbs, word.toLowerCase()))
	if (at < 0 || words.length < 2) return null
	// Safe: the word was found among the verbs.
	return {verb: words[at]?.toLowerCase() as keyof typeof verbs, object: words.toSpliced(at, 1).join(' ')}
}

export function verbItems(verb: keyof typeof verbs, found: readonly FoundObject[]): readonly PaletteItem[] {
	const {title, act} = verbs[verb]
	return found
		.filter(({kind}) => kind === 'computer')
		.map(({guid, label, detail}) => ({
			id: `verb-${guid}`,
			section: 'Actions',
			title: `${title} ${label}…`,
			detail,
			action: {kind: 'open', path: `/computers/${guid}?act=${act}`}
		}))
}

interface KeyOf {
	id: string
	name: string
	/** Why the service refuses the API key; `null` while it accepts it. */
	refusal: string | null
}

/** Opens the form for another API key: for words that name it, and first of all while the key is refused. */
export function keyItems({id, name, refusal}: KeyOf, text: string): readonly PaletteItem[] {
	const item: PaletteItem = {
		id: 'do-replace-key',
		section: 'Actions',
		title: 'Replace the API key…',
		detail: refusal ?? `of ${name}`,
		action: {kind: 'open', path: `/connections?edit=${encodeURIComponent(id)}&replaceKey=true`}
	}
	const fits = text.trim() === '' ? refusal !== null : rankOf(item, wordsOf(text)) > 0
	return fits ? [item] : []
}

/** Shortcuts of this screen that are not global: those that match the text, without one those that open a dialog. */
export function screenItems(active: readonly KeyId[], text: string): readonly PaletteItem[] {
	const words = wordsOf(text)
	return active
		.map(id => ({id, entry: keyMap[id]}))
		.filter(({entry}) => entry.section !== 'Everywhere' && entry.section !== 'Go to')
		.filter(({entry: {section, title}}) => words[0] !== '' || (section !== 'Lists' && title.endsWith('…')))
		.filter(({entry}) => words.every(word => `${entry.section} ${entry.title}`.toLowerCase().includes(word)))
		.map(({id, entry}) => ({
			id: `key-${id}`,
			section: 'This screen',
			title: entry.title,
			detail: entry.section.toLowerCase(),
			keys: entry.keys[0],
			action: {kind: 'key', id}
		}))
}

/**
 * Sections by their best item, but actions of this screen come first and API commands after everything that opens a
 * screen. A refused key and a title typed in full come before all.
 */
export function inOrder(items: readonly PaletteItem[], text: string): readonly PaletteItem[] {
	const typed = text.trim().toLowerCase()
	const [first = ''] = wordsOf(text)
	const begins = (item: PaletteItem) => item.title.toLowerCase().startsWith(first)
	const placeOf = (section: PaletteItem['section'], members: readonly PaletteItem[]): number => {
		const isFirst = ({id, title}: PaletteItem) =>
			typed === '' ? id === 'do-replace-key' : title.toLowerCase() === typed || id.startsWith('verb-')
		if (members.some(isFirst)) return 0
		if (section === 'This screen' && members.some(begins)) return 1
		if (section === 'Commands') return 3
		return section === 'Search' ? 4 : 2
	}
	return [...Map.groupBy(items, ({section}) => section)]
		.map(([section, members]) => ({members, place: placeOf(section, members)}))
		.toSorted((a, b) => a.place - b.place)
		.flatMap(({members}) => members)
}

const sha256 = /^[0-9a-f]{64}$/i
const guid = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i
const ipv4 = /^(?:\d{1,3}\.){3}\d{1,3}$/

/** Where a pasted id, hash or address can be looked up. */
export function recognised(text: string): readonly PaletteItem[] {
	const value = text.trim()
	if (sha256.test(value)) return [activity(value, 'Which computers have seen this hash?'), ...hashItems(value.toLowerCase())]
	if (ipv4.test(value)) return [activity(value, 'Which computers have seen this address?'), filterIp(value)]
	if (guid.test(value))
		return [
			{
				id: 'guid',
				section: 'Objects',
				title: 'Open the computer of this GUID',
				detail: value,
				action: {kind: 'open', path: `/computers/${value}`}
			}
		]
	return []
}

function activity(value: string, title: string): PaletteItem {
	return {
		id: 'activity',
		section: 'Objects',
		title,
		detail: 'asks the service, 1 call',
		action: {kind: 'form', command: 'svc_get_computer_activity', values: {q: value}}
	}
}

function hashItems(value: string) {
	const item = (id: string, title: string, detail: string, path: string): PaletteItem => ({
		...{id, title, detail},
		section: 'Objects',
		action: {kind: 'open', path}
	})
	return [
		item('events', 'Which events name this hash?', 'stored events', `/events?filter=${encodeURIComponent(`hash:${value}`)}`),
		item('lists', 'Which file lists hold this hash?', 'local data', `/file-lists/hash/${value}`),
		item('block', 'Block this hash…', 'on a list that blocks or detects', `/file-lists/hash/${value}?act=block`)
	]
}

function filterIp(value: string): PaletteItem {
	return {
		id: 'ip',
		section: 'Objects',
		title: 'Computers with this address',
		detail: `ip:${value}`,
		action: {kind: 'open', path: `/computers?filter=ip:${value}`}
	}
}

/** An id, a title, a detail, what it does or which address it opens, and the shortcut that does the same. */
type Line = readonly [id: string, title: string, detail: string, does: PaletteAction | string, keys?: string]

const acts: readonly Line[] = [
	['bulk-isolate', 'Bulk: isolate many computers…', 'the selection, a list or a file', {kind: 'bulk', bulk: 'isolate'}],
	['bulk-release', 'Bulk: release many computers…', 'the selection, a list or a file', {kind: 'bulk', bulk: 'release'}],
	['bulk-move', 'Bulk: move many computers…', 'the selection, a list or a file', {kind: 'bulk', bulk: 'move'}],
	['bulk-policies', 'Bulk: assign policies to many groups…', 'the selection, a list or a file', {kind: 'bulk', bulk: 'policies'}],
	['import-plan', 'Plan from a file…', 'a saved plan of a job', '/jobs?act=import'],
	['undo', 'Undo history…', 'moves, policies and hashes of 24 hours', {kind: 'overlay', overlay: 'undo'}, 'Mod+z'],
	['notices', 'Notifications', 'problems that need action, newest first', {kind: 'overlay', overlay: 'notices'}, 'Mod+Shift+y'],
	['verify', 'Verify the chain of the incident log', 'whether anything in it was changed or removed', '/log?act=verify'],
	['diagnostics', 'Diagnostics', 'with a preview; nothing is sent', '/settings?section=diagnostics'],
	['stored', 'What is stored on this computer', 'sizes, deleting local data', '/settings?section=data'],
	['import', 'Import connections…', 'from a file without keys', '/connections?import=true'],
	['drawer', 'Open the command line', '', {kind: 'drawer'}, ':'],
	['switch', 'Switch connection', '', {kind: 'overlay', overlay: 'connection'}, 'Mod+Shift+o'],
	['mode', 'Lock or unlock writing', '', {kind: 'overlay', overlay: 'mode'}, 'Mod+Shift+l'],
	['connect', 'Connect your service', 'add a connection', '/connections?add=true'],
	['add-instance', 'Add an instance…', 'reach a local service through the route', '/instances?act=add'],
	['certificate', 'Certificate of the forwarding server…', 'export the local authority, import, renew', '/instances?act=certificate'],
	['reach', 'Who can reach the forwarding server…', 'this computer alone, or the network', '/instances?act=reach'],
	['export-groups', 'Export the groups…', 'CSV or JSON', '/groups?act=export'],
	['compare-groups', 'Compare two groups', 'policies, own or inherited, lists, computers', '/groups/compare'],
	['policies-groups', 'Which group has which policy', 'matrix of groups and products', '/policies?view=groups'],
	['policies-lists', 'Which policy uses which list', 'matrix of policies and file lists', '/policies?view=lists'],
	['compare-policies', 'Compare two policies', 'fields, lists, exclusions, groups', '/policies/compare'],
	['export-policies', 'Export the policies…', 'CSV or JSON', '/policies?act=export'],
	['block', 'Block a hash…', 'on a list that blocks or detects', '/file-lists?act=block'],
	['pending', 'Show pending changes', 'isolation:pending*', '/computers?filter=isolation:pending*'],
	['stale', 'Computers not seen for 30 days', 'last_seen>30d', '/computers?filter=last_seen%3E30d'],
	['never', 'Computers never seen', 'last_seen:empty', '/computers?filter=last_seen:empty'],
	['same-name', 'Computers with the same name', 'duplicate:yes', '/computers?filter=duplicate:yes'],
	['same-mac', 'Computers with the same MAC', 'duplicate_mac:yes', '/computers?filter=duplicate_mac:yes'],
	['keys', 'Keyboard shortcuts of this screen', '', {kind: 'overlay', overlay: 'keys'}, '?']
]

const fixed: readonly PaletteItem[] = [
	...screens.map(({id, title, detail, path, keys: [keys]}): PaletteItem => ({
		...{id: `go-${id}`, section: 'Go to', title, detail, action: {kind: 'open', path}},
		...(keys !== undefined && {keys})
	})),
	...acts.map(([id, title, detail, does, keys]): PaletteItem => ({
		...{id: `do-${id}`, section: 'Actions', title, detail, action: typeof does === 'string' ? {kind: 'open', path: does} : does},
		...(keys !== undefined && {keys})
	}))
]
