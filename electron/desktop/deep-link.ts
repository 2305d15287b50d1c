/**
 * Links from outside, `cordon://open/<screen>…`: in tickets, chats and reports. Anybody can write one and get somebody
 * to press it, so a link only ever shows a screen: no dialog, no line that runs, nothing that is asked of the service.
 * Whatever is not listed here is refused as a whole.
 */
import {scheme} from './decisions.ts'

interface DeepLink {
	/** What comes behind the `#` of the page's address. */
	path: string
	/** The connection that it is about, by id; `null`: whichever is in use. */
	connection: string | null
}

type Check = (value: string) => boolean

const longest = 2000
const guid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i
const sha256 = /^[0-9a-f]{64}$/i
const id: Check = value => /^[\w-]{1,64}$/.test(value)
const words: Check = value => value.length <= 500

/** Screens by the first part of the path, with the parameters that they may be given. */
const places: Readonly<Record<string, Readonly<Record<string, Check>>>> = {
	overview: {},
	computers: {filter: words},
	groups: {search: words},
	policies: {search: words},
	'file-lists': {name: words},
	events: {filter: words},
	search: {q: words},
	log: {text: words, incident: id, entry: id},
	instances: {},
	connections: {},
	settings: {},
	'command-line': {}
}

/** Screens of one object, by its id. */
const objects: Readonly<Record<string, {id: RegExp; search: Readonly<Record<string, Check>>}>> = {
	computers: {id: guid, search: {tab: value => /^[a-z]{1,20}$/.test(value)}},
	groups: {id: guid, search: {}},
	policies: {id: guid, search: {}},
	'file-lists': {id: guid, search: {search: words}},
	hash: {id: sha256, search: {}}
}

/** The screen that a link leads to, or `null` when it is to be refused. */
export function readDeepLink(text: string): DeepLink | null {
	// The address is taken apart by hand first: a parser mends what here is a reason to refuse.
	const parts = new RegExp(`^${scheme}://open/([a-z-]+)(?:/([0-9a-fA-F-]+))?/?(?:\\?([^#]*))?$`).exec(text)
	if (parts === null || text.length > longest) return null
	const [, screen = '', object, query = ''] = parts
	const given = readQuery(query)
	if (given === null) return null
	const {connection = null, ...search} = given
	if (connection !== null && !id(connection)) return null
	const path = object === undefined ? placeOf(screen, search) : objectOf(screen, object, search)
	return path === null ? null : {path, connection}
}

/** The first link among the arguments of a start, such as the system hands over to a running program. */
export function linkAmong(argv: readonly string[]) {
	return argv.find(argument => argument.toLowerCase().startsWith(`${scheme}:`))
}

/** What is to be done with a link: shown, or why not, in a sentence. */
export function judgeLink(text: string, known: {connections: readonly string[]; active: string | null}): {open: string} | {refused: string} {
	const link = readDeepLink(text)
	if (link === null) return {refused: 'Cordon opens no links of this kind.'}
	const {connection, path} = link
	if (connection === null || connection === known.active) return {open: path}
	return known.connections.includes(connection)
		? {refused: 'The link is about another connection: switch to it first, then open the link again.'}
		: {refused: 'The link is about a connection that is not on this computer.'}
}

function placeOf(screen: string, search: Readonly<Record<string, string>>) {
	const allowed = Object.hasOwn(places, screen) ? places[screen] : undefined
	return allowed === undefined ? null : withSearch(`/${screen}`, search, allowed)
}

function objectOf(screen: string, object: string, search: Readonly<Record<string, string>>) {
	const kind = Object.hasOwn(objects, screen) ? objects[screen] : undefined
	if (kind === undefined || !kind.id.test(object)) return null
	const base = screen === 'hash' ? '/file-lists/hash' : `/${screen}`
	return withSearch(`${base}/${object.toLowerCase()}`, search, kind.search)
}

/** Values are written as the page's router writes them, always as texts. */
function withSearch(path: string, search: Readonly<Record<string, string>>, allowed: Readonly<Record<string, Check>>) {
	const entries = Object.entries(search)
	const fits = entries.every(([name, value]) => Object.hasOwn(allowed, name) && allowed[name]?.(value) === true)
	if (!fits) return null
	const query = entries.map(([name, value]) => `${name}=${encodeURIComponent(JSON.stringify(value))}`).join('&')
	return query === '' ? path : `${path}?${query}`
}

/** `null` when a name is there twice, cannot be decoded, or holds invisible characters. */
function readQuery(query: string): Readonly<Record<string, string>> | null {
	const found = new Map<string, string>()
	for (const pair of query === '' ? [] : query.split('&')) {
		const [, name, raw] = /^([a-z]+)=(.*)$/.exec(pair) ?? []
		const value = raw === undefined ? null : decoded(raw)
		if (name === undefined || value === null || value === '' || found.has(name)) return null
		found.set(name, value)
	}
	return Object.fromEntries(found)
}

function decoded(raw: string) {
	try {
		const value = decodeURIComponent(raw.replaceAll('+', ' '))
		return /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Co}\p{Cs}]/u.test(value) ? null : value
	} catch {
		return null
	}
}
