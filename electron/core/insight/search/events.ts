/** Search hits in stored events: users, files, hashes, addresses and URLs, and the events themselves. */
import type {EventValues, NewestEvents} from '#core/replicas/events/newest.ts'
import type {SearchGroup, SearchHit, SearchKind} from '#contract/search.ts'
import {parseExact} from '#model/exact-json.ts'
import {quoteText} from '#model/filter-format.ts'
import type {Indicator} from '#model/indicator.ts'
import {counted} from '#text/numbers.ts'
import {nouns} from '#text/terms.ts'
import {address} from '../overview/words.ts'
import {eventFilterOf} from './filters.ts'
import type {Asked, Part, SearchSources} from './types.ts'

/** Newest events searched for distinct values. */
const looked = 400

/** Count limit, for all events and for each value: enough to tell rare from frequent, and quick. */
const mostCounted = 1000

function eventsWith(filter: string) {
	return address('/events', {...(filter === '' ? {} : {filter}), span: 'all'})
}

interface Kept {
	value: string
	note: string
}

interface Wanted {
	kind: SearchKind
	title: string
	/**
	 * Whether the indicator can be such a value. All parts search the same events: an index query for one column takes 100 ms
	 * when a frequent word never occurs in it.
	 */
	fits: (indicator: Indicator) => boolean
	pick: (row: EventValues, asked: Asked, sources: SearchSources) => Kept | null
	/** All events with such values, for the screen; default: all matching events. */
	all?: (indicator: Indicator) => string
	/** The events with exactly this value. */
	exact: (value: string) => string
	/** Address of a hit; default: its events. */
	open?: (value: string) => string
}

function distinct(wanted: Wanted): Part {
	return (sources, asked) => {
		if (!wanted.fits(asked.indicator)) return []
		const {values, matching} = asked.telling()
		const found = new Map<string, Kept>()
		for (const row of values) {
			const kept = wanted.pick(row, asked, sources)
			if (kept !== null && !found.has(kept.value.toLowerCase())) found.set(kept.value.toLowerCase(), kept)
		}
		const hits = [...found.values()].slice(0, asked.limit).map(kept => hitOf(sources, wanted, kept))
		const open = eventsWith((wanted.all ?? eventFilterOf)(asked.indicator))
		const exact = matching.exact && matching.count <= values.length
		return [{kind: wanted.kind, title: wanted.title, count: found.size, exact, hits, open}]
	}
}

/** The newest matching events, queried once. */
export function tellingOf({events}: SearchSources, indicator: Indicator, rows: number) {
	let known: NewestEvents | undefined
	const filter = eventFilterOf(hashBeginning(indicator))
	return () => (known ??= events.newest({filter, rows, values: looked, most: mostCounted}))
}

function hitOf({events}: SearchSources, wanted: Wanted, {value, note}: Kept): SearchHit {
	const filter = wanted.exact(value)
	const matching = events.count(filter, mostCounted)
	const many = `${matching.exact ? '' : '≥ '}${counted(matching.count, nouns.event)}`
	return {key: value, label: value, detail: note === '' ? many : `${note} · ${many}`, open: (wanted.open ?? (() => eventsWith(filter)))(value)}
}

/** A hexadecimal word is the beginning of a hash. */
function hashBeginning(indicator: Indicator): Indicator {
	const isHash = indicator.kind === 'name' && /^[0-9a-f]{6,63}$/i.test(indicator.value)
	return isHash ? {...indicator, kind: 'sha256', value: indicator.value.toLowerCase()} : indicator
}

const isWord = ({kind}: Indicator) => kind === 'name' || kind === 'text'
const isHash = (indicator: Indicator) => {
	const {kind} = hashBeginning(indicator)
	return kind === 'sha256' || kind === 'sha1' || kind === 'md5'
}
const searchFor = (value: string) => address('/search', {q: value})

/** The value if it contains every word of the query; the event may match elsewhere. */
function holding(value: string | null, {indicator}: Asked): Kept | null {
	const words = indicator.value.toLowerCase().split(/\s+/)
	const text = value?.toLowerCase()
	return value !== null && words.every(word => text?.includes(word)) ? {value, note: ''} : null
}

const users: Wanted = {
	kind: 'user',
	title: 'Users',
	fits: indicator => indicator.kind === 'user' || isWord(indicator),
	pick: ({user}, asked) => holding(user, asked),
	exact: value => `user=${quoteText(value)}`,
	all: ({value}) => `user:${quoteText(value)}`
}

const hashes: Wanted = {
	kind: 'hash',
	title: 'Hashes',
	fits: indicator => isHash(indicator) || indicator.kind === 'file',
	pick: (row, {indicator}, {events: store}) => {
		const {kind, value} = hashBeginning(indicator)
		if (kind === 'sha1' || kind === 'md5') return sha256Of(store.detail(row.key)?.json ?? '', kind, value)
		const {sha256, fileName, disposition} = row
		// The match may be the parent of the file.
		const isMeant = kind === 'file' ? fileName?.toLowerCase() === value.toLowerCase() : sha256?.startsWith(value)
		if (sha256 === null || isMeant !== true) return null
		return {value: sha256, note: [fileName, disposition].filter(part => part !== null).join(', ')}
	},
	exact: value => `hash:${value}`,
	open: searchFor
}

const files: Wanted = {
	kind: 'file',
	title: 'Files',
	fits: indicator => isHash(indicator) || indicator.kind === 'file' || isWord(indicator),
	pick: ({fileName, sha256}, asked) => {
		if (!isHash(asked.indicator)) return holding(fileName, asked)
		const isMeant = sha256?.startsWith(hashBeginning(asked.indicator).value) === true
		return fileName !== null && isMeant ? {value: fileName, note: ''} : null
	},
	exact: value => `file=${quoteText(value)}`
}

const addresses: Wanted = {
	kind: 'ip',
	title: 'Remote addresses',
	fits: ({kind}) => kind === 'ip' || kind === 'network' || kind === 'ipv6',
	pick: ({remote}) => {
		const value = remote === null ? null : (/^\d{1,3}(?:\.\d{1,3}){3}/.exec(remote)?.[0] ?? remote)
		return value === null ? null : {value, note: ''}
	},
	exact: value => `ip:${quoteText(value)}`
}

const urls: Wanted = {
	kind: 'url',
	title: 'URLs',
	fits: indicator => ['url', 'domain', 'ip'].includes(indicator.kind) || isWord(indicator),
	pick: ({url}, asked) => (isWord(asked.indicator) ? holding(url, asked) : url === null ? null : {value: url, note: ''}),
	exact: value => `url=${quoteText(value)}`
}

const events: Part = (_sources, {indicator, telling}): readonly SearchGroup[] => {
	const filter = eventFilterOf(hashBeginning(indicator))
	const {rows, matching} = telling()
	const hits = rows.map(row => ({
		key: row.key,
		label: row.detection ?? row.about ?? row.type,
		detail: [row.at.slice(0, 16).replace('T', ' '), row.hostname, (row.detection ?? row.about) === null ? '' : row.type]
			.filter(part => part !== '')
			.join(' · '),
		open: address('/events', {filter, span: 'all', event: row.key})
	}))
	const {count, exact} = matching
	return [{kind: 'event', title: 'Events', count, exact, hits, open: eventsWith(filter)}]
}

export const eventParts = {
	users: distinct(users),
	hashes: distinct(hashes),
	files: distinct(files),
	addresses: distinct(addresses),
	urls: distinct(urls),
	events
}

/** The SHA-256 that a record of the service gives together with a SHA-1 or MD5: the service cannot be queried by these. */
function sha256Of(json: string, kind: 'sha1' | 'md5', hash: string) {
	if (json === '') return null
	const found = identityIn(parseExact(json), kind, hash)
	return found === null ? null : {value: found.toLowerCase(), note: `has the ${kind === 'md5' ? 'MD5' : 'SHA-1'}`}
}

function identityIn(value: unknown, kind: 'sha1' | 'md5', hash: string): string | null {
	if (typeof value !== 'object' || value === null) return null
	const [own, sha256]: readonly unknown[] = [Reflect.get(value, kind), Reflect.get(value, 'sha256')]
	if (typeof own === 'string' && own.toLowerCase() === hash && typeof sha256 === 'string') return sha256
	for (const inner of Object.values(value)) {
		const found = identityIn(inner, kind, hash)
		if (found !== null) return found
	}
	return null
}
