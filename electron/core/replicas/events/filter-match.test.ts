import fc from 'fast-check'
import type {EventRow} from '#contract/events.ts'
import type {ServiceEvent} from '#model/event.ts'

import {anything, eventAt, makeEventWorld, type EventWorld} from './testing/world.ts'
import {addressesOf, valueAt, hashesOf, textAt} from './words.ts'

const hour = 3_600_000
const finance = '11111111-1111-4222-8333-000000000001'
const groups = [finance, '11111111-1111-4222-8333-000000000002']
const hosts = ['FIN-WS-01', 'FIN-WS-012', 'Müller-PC', 'srv.example.net', '']
const users = ['m.keller@FIN-WS-01', 'Administrator', 'Not Available', '']
const files = ['invoice.pdf.exe', 'WINWORD.EXE', 'naïve file (1).tmp', 'microsoft_update.exe', 'micro.exe']
const paths = [String.raw`\\?\C:\Users\m.keller\Downloads`, 'file:///C%3A/Temp', '/home/kim/.cache']
const hashes = ['ab12'.repeat(16), 'ab13'.repeat(16), '00ff'.repeat(16)]
const addresses = ['10.3.0.7', '10.31.0.7', '198.51.100.40', 'fe80::1']
const types: readonly (readonly [number, string])[] = [
	[1_090_519_054, 'Threat Detected'],
	[553_648_143, 'Threat Quarantined'],
	[2_164_260_880, 'Quarantine Failure'],
	[553_648_147, 'Retrospective Detection'],
	[553_648_155, 'Cloud Recall Quarantine Successful'],
	[554_696_714, 'Scan Started']
]
const severities = ['Low', 'Medium', 'High', 'Critical', 'Odd']

let world: EventWorld
let events: readonly ServiceEvent[]
let rows: ReadonlyMap<string, EventRow>

function madeEvents(seed: number) {
	const some = <T>(list: readonly T[]) => fc.option(fc.constantFrom(...list), {nil: undefined})
	const one = fc.record({
		ago: fc.integer({min: 1, max: 72 * 4}),
		type: fc.constantFrom(...types),
		severity: some(severities),
		host: some(hosts),
		user: some(users),
		group: some(groups),
		detection: some(['W32.GenericKD:ZVETJ', 'Win.Ransomware.Eicar::95.sbx.tg', 'PUA "quoted"']),
		chain: some(['901', '902', '903', '904', '905', '906', '907']),
		file: some(files),
		path: some(paths),
		hash: some(hashes),
		parent: some(hashes),
		address: some(addresses),
		url: some(['http://bad.example.net/gate.php?a=1', 'https://10.3.0.7/x']),
		line: some(['powershell.exe -enc AAAA', 'cmd /c "echo *"'])
	})
	return fc.sample(one, {numRuns: 300, seed}).map(
		made =>
			// A service omits unknown values.
			JSON.parse(
				JSON.stringify({
					...eventAt(world.clock, made.ago * (hour / 4)),
					id: undefined,
					threat: made,
					event_type_id: made.type[0],
					event_type: made.type[1],
					severity: made.severity,
					detection: made.detection,
					detection_id: made.chain,
					connector_guid: made.host === undefined ? undefined : `guid-${hosts.indexOf(made.host)}`,
					group_guids: made.group === undefined ? undefined : [made.group],
					computer: {hostname: made.host, user: made.user, network_addresses: [{ip: made.address}]},
					file: {
						file_name: made.file,
						file_path: made.path === undefined ? undefined : `${made.path}/${made.file ?? ''}`,
						identity: {sha256: made.hash},
						parent: {identity: {sha256: made.parent}}
					},
					network_info: {dirty_url: made.url},
					command_line: {arguments: made.line}
				})
			) as ServiceEvent
	)
}

beforeAll(async () => {
	world = makeEventWorld()
	events = madeEvents(7)
	world.service.events = [...events]
	await world.store.refresh()
	const {rows: all} = world.store.query({...anything, offset: 0, limit: 500})
	rows = new Map(all.map(row => [row.key, row]))
})
afterAll(() => world.close())

/** Letters and digits, without accents and case: how people compare words. */
function wordsOf(text: string) {
	const bare = text.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase()
	return bare.match(/[\p{L}\p{N}]+/gu) ?? []
}

/** Whether the typed words occur side by side, the last one perhaps incomplete. */
function says(text: string, typed: string) {
	const [known, wanted] = [wordsOf(text), wordsOf(typed)]
	const begun = /[\p{L}\p{N}]$/u.test(typed)
	return known.some((_, at) =>
		wanted.every((word, place) => {
			const found = known[at + place] ?? '\0'
			return place === wanted.length - 1 && begun ? found.startsWith(word) : found === word
		})
	)
}

interface Case {
	typed: string
	holds: (event: ServiceEvent, row: EventRow) => boolean
}

const mark = (typed: string, holds: Case['holds']): Case => ({typed, holds})
const text = (event: ServiceEvent, ...path: readonly string[]) => textAt(event, ...path) ?? ''
const known = <T>(values: readonly T[]) => fc.constantFrom(...values)

const words: fc.Arbitrary<Case> = fc
	.tuple(
		known([
			['host', ['computer', 'hostname']],
			['user', ['computer', 'user']],
			['file', ['file', 'file_name']],
			['path', ['file', 'file_path']],
			['detection', ['detection']],
			['type', ['event_type']],
			['url', ['network_info', 'dirty_url']]
		] as const),
		known(
			[...hosts, ...users, ...files, ...paths, 'Win.Ransom', 'W32', 'quoted', 'micr', 'mull', 'gate.php', 'Threat'].filter(
				word => word !== '' && word !== 'Not Available'
			)
		),
		fc.nat(30)
	)
	.map(([[field, path], value, length]) => {
		const typed = value.slice(0, length + 1).trim()
		const usable = /[\p{L}\p{N}]/u.test(typed) ? typed : 'fin'
		return {
			typed: `${field}:"${usable.replaceAll(/["*\\]/g, String.raw`\$&`)}"`,
			// Some systems report no user name.
			holds: event => says(text(event, ...path).replace('Not Available', ''), usable)
		}
	})

const marks: fc.Arbitrary<Case> = fc.oneof(
	known(types).map(([id]) => mark(`type:${id}`, event => event.event_type_id === id)),
	known(types).map(([, name]) => mark(`type="${name.toUpperCase()}"`, event => event.event_type === name)),
	fc.tuple(known(['', '>', '>=', '<', '<=']), known(['low', 'medium', 'high', 'critical', 'unknown'])).map(([operator, severity]) =>
		mark(`severity${operator === '' ? ':' : operator}${severity}`, (_event, row) => {
			const order = ['none', 'low', 'medium', 'high', 'critical']
			const [a, b] = [order.indexOf(row.severity), order.indexOf(severity)]
			// An unknown severity is neither higher nor lower than another.
			const both = a >= 0 && b >= 0
			const is = row.severity === severity
			const tests = {'': is, '>': both && a > b, '>=': is || (both && a >= b), '<': both && a < b, '<=': is || (both && a <= b)}
			return tests[operator as keyof typeof tests]
		})
	),
	known(['open', 'quarantined', 'failed', 'recalled']).map(outcome => mark(`outcome:${outcome}`, event => outcomeByHand(event) === outcome)),
	known(hosts.filter(host => host !== '')).map(host =>
		mark(`host="${host.toLowerCase()}"`, event => text(event, 'computer', 'hostname') === host)
	),
	known(hashes).map(hash => mark(`sha256:${hash}`, event => hashesOf(event).includes(hash))),
	fc
		.tuple(known(hashes), fc.integer({min: 4, max: 31}))
		.map(([hash, length]) =>
			mark(`hash:${hash.slice(0, length)}`, event => hashesOf(event).some(other => other.startsWith(hash.slice(0, length))))
		),
	known([
		['10.3.0.7', /^10\.3\.0\.7$/],
		['10.3.', /^10\.3\./],
		['10.0.0.0/8', /^10\./],
		['10.3.0.0/16', /^10\.3\./],
		['10.0.0.0-10.3.255.255', /^10\.3\./],
		['0.0.0.0/0', /^[\d.]+$/],
		['fe80::', /^fe80/]
	] as const).map(([typed, form]) => mark(`ip:${typed}`, event => addressesOf(event).some(address => form.test(address)))),
	known([...groups, 'Finance', 'finance servers', 'nothing']).map(group =>
		mark(`group:"${group}"`, event => (event.group_guids ?? []).some(guid => guid === group || (guid === finance && /finance/i.test(group))))
	),
	known(['901', '905']).map(id => mark(`id:${id}`, event => event.detection_id === id)),
	known([0, 1, 2]).map(host => mark(`guid:GUID-${host}`, event => event.connector_guid === `guid-${host}`)),
	known(['901', '905']).map(id => mark(`detection_id:${id}`, event => event.detection_id === id)),
	known([
		['user', (event: ServiceEvent) => /^$|not available/i.test(text(event, 'computer', 'user'))],
		['host', (event: ServiceEvent) => text(event, 'computer', 'hostname') === ''],
		['hash', (event: ServiceEvent) => hashesOf(event).length === 0],
		['file', (event: ServiceEvent) => text(event, 'file', 'file_name') === ''],
		['group', (event: ServiceEvent) => event.group_guids === undefined],
		['outcome', (event: ServiceEvent) => outcomeByHand(event) === null]
	] as const).map(([field, holds]) => mark(`${field}:empty`, holds)),
	fc.tuple(known(['<', '>']), fc.integer({min: 1, max: 70})).map(([operator, hours]) =>
		mark(`time${operator}${hours}h`, (_event, row) => {
			const edge = world.clock.now() - hours * hour
			return operator === '<' ? Date.parse(row.at) >= edge : Date.parse(row.at) < edge
		})
	),
	fc.tuple(known([':', '<', '>', '>=', '<=']), known(['2026-01-14', '2026-01-14T06:15', '2026-01'])).map(([operator, day]) =>
		mark(`time${operator}${day}`, (_event, row) => {
			const cut = row.at.slice(0, day.length)
			const tests = {':': cut === day, '<': cut < day, '>': cut > day, '>=': cut >= day, '<=': cut <= day}
			return tests[operator as keyof typeof tests]
		})
	)
)

const bare: fc.Arbitrary<Case> = known(['keller', 'FIN-WS', 'powershell', 'micro', 'eicar', 'bad.example', 'scan']).map(typed => ({
	typed,
	holds: event =>
		[
			text(event, 'computer', 'hostname'),
			text(event, 'computer', 'user'),
			text(event, 'file', 'file_name'),
			text(event, 'file', 'file_path'),
			text(event, 'detection'),
			text(event, 'event_type'),
			text(event, 'network_info', 'dirty_url'),
			text(event, 'command_line', 'arguments'),
			...addressesOf(event)
		].some(value => says(value, typed))
}))

/** From all events of a detection, by the ids of the API reference. */
function outcomeByHand(event: ServiceEvent) {
	const id = event.detection_id
	if (id === undefined) return null
	const seen = new Set(events.filter(other => other.detection_id === id).map(other => other.event_type_id))
	if (seen.has(553_648_143)) return 'quarantined'
	if (seen.has(553_648_155)) return 'recalled'
	if (seen.has(2_164_260_880)) return 'failed'
	return seen.has(1_090_519_054) || seen.has(553_648_147) ? 'open' : null
}

const cases = fc.oneof(words, marks, bare)

function expected(terms: readonly (Case & {negated: boolean})[]) {
	return [...rows.values()]
		.filter(row => {
			const event = recordOf(row)
			return terms.every(({holds, negated}) => holds(event, row) !== negated)
		})
		.map(({key}) => key)
}

const records = new Map<string, ServiceEvent>()
function recordOf(row: EventRow) {
	const found = records.get(row.key) ?? (JSON.parse(world.store.detail(row.key)?.json ?? '{}') as ServiceEvent)
	records.set(row.key, found)
	return found
}

describe('a filter finds what a look at each event finds', () => {
	test('with one condition', () => {
		fc.assert(
			fc.property(cases, term => {
				expect(world.keys(term.typed)).toEqual(expected([{...term, negated: false}]))
			}),
			{numRuns: 400}
		)
	})

	test('with several, some of them negated, and grouped by detections', () => {
		const terms = fc.array(fc.tuple(cases, fc.boolean()), {minLength: 1, maxLength: 3})
		fc.assert(
			fc.property(terms, list => {
				const filter = list.map(([{typed}, negated]) => `${negated ? '-' : ''}${typed}`).join(' ')
				const wanted = expected(list.map(([term, negated]) => ({...term, negated})))
				expect(world.keys(filter)).toEqual(wanted)
				const met = new Set<string>()
				const newest = wanted.filter(key => {
					const id = rows.get(key)?.detectionId ?? null
					return id === null || (!met.has(id) && met.add(id))
				})
				expect(world.keys(filter, {grouping: 'detections'})).toEqual(newest)
				const {matching} = world.store.query({...anything, filter, grouping: 'detections', offset: 0, limit: 1})
				expect(matching).toEqual({count: newest.length, exact: true})
			}),
			{numRuns: 300}
		)
	})

	test('its histogram and facets count the same events', () => {
		fc.assert(
			fc.property(cases, fc.integer({min: 10, max: 60}), (term, steps) => {
				const wanted = expected([{...term, negated: false}])
				const {counts, exact} = world.store.histogram({...anything, filter: term.typed, steps})
				expect(exact).toBe(true)
				expect(
					Object.values(counts)
						.flat()
						.reduce((sum, count) => sum + count, 0)
				).toBe(wanted.length)
				const {severity, counted} = world.store.facets({...anything, filter: term.typed})
				expect(counted).toEqual({events: wanted.length, exact: true})
				expect(severity.reduce((sum, {count}) => sum + count, 0)).toBe(wanted.length)
			}),
			{numRuns: 100}
		)
	})
})

test('the sums over all events are those of the events', () => {
	const {type, severity, outcome, group, detection, counted} = world.store.facets(anything)
	const byHand = (values: readonly (string | null | undefined)[]) =>
		Object.fromEntries(
			[
				...Map.groupBy(
					values.filter(value => value !== null && value !== undefined),
					value => value
				)
			].map(([value, list]) => [value, list.length])
		)
	const all = [...rows.values()]
	const given = (list: readonly {value: string; count: number}[]) => Object.fromEntries(list.map(({value, count}) => [value, count]))
	expect(given(type)).toEqual(byHand(all.map(({typeId}) => String(typeId))))
	expect(given(severity)).toEqual(byHand(all.map(row => row.severity)))
	expect(given(outcome)).toEqual(byHand(all.map(row => row.outcome)))
	expect(given(group)).toEqual(byHand(all.flatMap(({groupGuids}) => groupGuids)))
	expect(given(detection)).toEqual(byHand(all.map(row => row.detection)))
	expect(counted).toEqual({events: all.length, exact: true})
	expect(group.find(({value}) => value === finance)?.label).toBe('Finance Servers')
})

test('every row is found at its place', () => {
	for (const grouping of ['none', 'detections'] as const)
		for (const filter of ['', 'severity>=medium', '-type:scan'])
			for (const [place, key] of world.keys(filter, {grouping}).entries())
				expect(world.store.position({...anything, filter, grouping, key})).toBe(place)
	expect(world.store.position({...anything, key: 'nobody'})).toBe(-1)
})

test('a detail has the events of its detection in the order of time', () => {
	const row = [...rows.values()].find(({detectionId}) => detectionId === '901')
	const chain = world.store.detail(row?.key ?? '')?.chain ?? []
	expect(chain.map(({key}) => key)).toEqual(world.keys('detection_id:901').toReversed())
})

test('a filter with a problem is refused, never ignored', () => {
	expect(() => world.keys('hst:x')).toThrow('Did you mean “host”?')
	expect(() => world.store.histogram({...anything, filter: 'severity:urgent', steps: 10})).toThrow('no severity')
})

test('typed text is never parsed as an index query', () => {
	for (const filter of ['"NEAR(a b)"', 'a AND b', '"x" OR y', '^fin', 'host:{file}', "o'hara", '(((', 'fin*', '\u{E000}all'])
		expect(() => world.keys(filter.includes('(((') ? 'x' : filter)).not.toThrow()
	expect(world.keys('\u{E000}all x')).toEqual(world.keys('all x'))
})

test('each event is stored once, and unknown fields are counted', () => {
	expect(rows.size).toBe(new Set(events.map(event => JSON.stringify(event))).size)
	expect(valueAt(events[0], 'threat', 'type')).toBeDefined()
	expect(world.store.state().unknownFields).toEqual([{field: 'threat', count: rows.size}])
})
