/** Local results for a text: the local copies of one connection and the log, searched together. */
import type {ActivityOffer, SearchGroup, SearchHit, SearchKind, SearchResults} from '#contract/search.ts'
import type {ComputerRow} from '#model/computer.ts'
import {askableAs, type Indicator, readIndicator} from '#model/indicator.ts'
import {counted} from '#text/numbers.ts'
import {nouns} from '#text/terms.ts'
import {address, computersWith} from '../overview/words.ts'
import {eventParts, tellingOf} from './events.ts'
import {computerFilterOf} from './filters.ts'
import type {Part, SearchSources} from './types.ts'

/** Groups, policies, file lists and the incident log. */
interface Named {
	guid: string
	name: string
}

/** Objects of that name or GUID; names that begin with the text come first. */
function named<T extends Named>(all: readonly T[], {kind, value}: {kind: string; value: string}) {
	const typed = value.toLowerCase()
	if (kind === 'guid') return all.filter(({guid}) => guid.toLowerCase() === typed)
	if (kind !== 'name' && kind !== 'text' && kind !== 'file' && kind !== 'domain') return []
	const place = ({name}: T) => name.toLowerCase().indexOf(typed)
	return all.filter(each => place(each) >= 0).toSorted((one, other) => Math.sign(place(one)) - Math.sign(place(other)))
}

function group(kind: SearchKind, title: string, found: readonly SearchHit[], limit: number): readonly SearchGroup[] {
	return [{kind, title, count: found.length, exact: true, hits: found.slice(0, limit), open: null}]
}

const groupsPart: Part = ({inventory}, {indicator, limit}) => {
	const found = named(inventory.groups(), indicator).map(({guid, name, path, computers}) => ({
		key: guid,
		label: name,
		detail: [path.slice(0, -1).join(' › '), counted(computers, nouns.computer)].filter(part => part !== '').join(' · '),
		open: `/groups/${guid}`
	}))
	return group('group', 'Groups', found, limit)
}

const policiesPart: Part = ({directory}, {indicator, limit}) => {
	const found = named(directory.policies().policies, indicator).map(({guid, name, product, computers}) => ({
		key: guid,
		label: name,
		detail: `${product} · ${counted(computers, nouns.computer)}`,
		open: `/policies/${guid}`
	}))
	return group('policy', 'Policies', found, limit)
}

/** Lists of that name; for a hash, lists that contain it. */
const listsPart: Part = ({directory}, {indicator, limit}) => {
	if (indicator.kind === 'sha256') {
		const holding = directory
			.holding(indicator.value)
			.map(({list, item}) => ({
				key: list.guid,
				label: list.name,
				detail: [list.type, item.description].filter(part => part !== '').join(' · '),
				open: address(`/file-lists/${list.guid}`, {search: indicator.value})
			}))
		return group('file_list', 'File lists that hold it', holding, limit)
	}
	const found = named(directory.fileLists().lists, indicator).map(({guid, name, type, items}) => ({
		key: guid,
		label: name,
		detail: items === null ? type : `${type} · ${counted(items, nouns.hash)}`,
		open: `/file-lists/${guid}`
	}))
	return group('file_list', 'File lists', found, limit)
}

const logPart: Part = async ({log}, {indicator, limit}) => {
	const {value} = indicator
	const {entries, matching} = await log.query({text: value, limit})
	const hits = entries.map(entry => ({
		key: entry.id,
		label: entry.message,
		detail: `${entry.at.slice(0, 16).replace('T', ' ')} · ${entry.operator}`,
		open: address('/log', {text: value, entry: entry.id})
	}))
	return [{kind: 'log', title: 'Incident log', count: matching, exact: true, hits, open: address('/log', {text: value})}]
}

/** Limit of counting. */
const mostCounted = 10_000

/** Computers of that name, address, MAC, GUID or group. */
const computersPart: Part = ({inventory}, {indicator, limit}) => {
	const filter = computerFilterOf(indicator)
	if (filter === null) return []
	const known = indicator.kind === 'guid' ? inventory.row(indicator.value) : undefined
	if (known?.vanishedAt === null) return groupWith([known], {title: 'Computers', filter, matching: 1, exact: true})
	const title = indicator.kind === 'ip' || indicator.kind === 'network' ? 'Computers with this address' : 'Computers'
	return groupOf(inventory, {filter, title, limit, best: indicator.kind === 'name' ? indicator.value : null})
}

/** Computers behind an external address, such as a branch office. */
const externalPart: Part = ({inventory}, {indicator, limit}) => {
	if (indicator.kind !== 'ip' && indicator.kind !== 'network') return []
	const filter = `external_ip:${indicator.value}`
	return groupOf(inventory, {filter, title: 'Computers behind this external address', limit, best: null})
}

interface GroupOptions {
	filter: string
	title: string
	limit: number
	/** The name for ranking hits. */
	best: string | null
}

function groupOf(inventory: SearchSources['inventory'], {filter, title, limit, best}: GroupOptions) {
	const {rows, matching, exact} = inventory.few(filter, limit, mostCounted)
	const found = matching > limit && best !== null ? nearest(inventory, best, limit) : []
	return groupWith(found.length > 0 ? found : rows, {title, filter, matching, exact})
}

function groupWith(
	rows: readonly ComputerRow[],
	{title, filter, matching, exact}: Readonly<{title: string; filter: string; matching: number; exact: boolean}>
): readonly SearchGroup[] {
	const hits = rows.map(hitOf)
	return [{kind: 'computer', title, count: matching, exact, hits, open: computersWith(filter)}]
}

function nearest(inventory: SearchSources['inventory'], name: string, limit: number) {
	return inventory
		.find(name, limit)
		.flatMap(({kind, guid}) => (kind === 'computer' ? [inventory.row(guid)] : []))
		.filter(row => row !== undefined)
}

function hitOf({guid, hostname, internalIps, groupName, os}: ComputerRow): SearchHit {
	const detail = [internalIps[0] ?? '', groupName, os].filter(part => part !== '').join(' · ')
	return {key: guid, label: hostname === '' ? guid : hostname, detail, open: `/computers/${guid}`}
}

/** In display order. */
const parts: readonly Part[] = [
	computersPart,
	externalPart,
	eventParts.users,
	eventParts.hashes,
	eventParts.files,
	eventParts.addresses,
	eventParts.urls,
	listsPart,
	groupsPart,
	policiesPart,
	eventParts.events,
	logPart
]

/** Throws the problem of a local copy that cannot be searched. */
export async function searchLocally(sources: SearchSources, text: string, limit: number): Promise<SearchResults> {
	const indicator = readIndicator(text)
	const {rows, completeAt} = sources.inventory.state()
	const {stored, oldest, readAt} = sources.events.state()
	return {
		text,
		indicator,
		groups: indicator === null ? [] : await groupsOf(sources, indicator, limit),
		offers: indicator === null ? [] : offersFor(indicator, rows, completeAt !== null),
		computers: {count: rows, readAt: completeAt},
		events: {count: stored, oldest, readAt}
	}
}

async function groupsOf(sources: SearchSources, indicator: Indicator, limit: number) {
	const asked = {indicator, limit, telling: tellingOf(sources, indicator, limit)}
	const found = await Promise.all(parts.map(part => part(sources, asked)))
	return found.flat().filter(({count}) => count > 0)
}

/** Computers per page (API reference, "Pagination"). */
export const pageSize = 500
/** The service searches at most this many records of activity (API reference, 4.7). */
const searched = 5000

function offersFor(indicator: Indicator, computers: number, isKnown: boolean): readonly ActivityOffer[] {
	return askableAs(indicator).map(kind => {
		const most = kind === 'activity' ? Math.min(searched, computers) : computers
		return {kind, least: 1, most: isKnown ? Math.max(1, Math.ceil(most / pageSize)) : null}
	})
}
