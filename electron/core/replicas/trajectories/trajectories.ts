/** Trajectories of computers: read from the service on request; the last of each is kept for offline use. */
import {getTrajectory, getUserTrajectory} from '#core/service/api/endpoints/computers.ts'
import {askedAt} from '#core/service/api/pages.ts'
import type {ApiClient, CallOptions} from '#core/service/api/types.ts'
import type {Trajectory, TrajectoryLane, TrajectoryPoint} from '#contract/insight.ts'
import type {Computer} from '#model/computer.ts'
import {stringifyExact} from '#model/exact-json.ts'
import {aboutOf, commandLineOf, mitreOf, textAt} from '../kit/fields.ts'
import {makeReplica, type ReplicaHost} from '../kit/replica.ts'
import {isBad, readEvent, type TrajectoryEvent, worse} from './event.ts'
import {severityOf, timeOf, type TrajectoryRecord} from './record.ts'
import {openTrajectoryStore, type StoredReading} from './store.ts'
import type {Disposition} from '#model/choices.ts'

export interface TrajectoryRequest {
	connection: string
	guid: string
	/** An address, SHA-256 or URL for the service's filter, `user:` with a user name; empty for everything. */
	query: string
}

/** Requested size; whether the service returns more than its usual 500 is unknown (API reference, 4.5). */
const askedFor = 5000
const usualMaximum = 500

/** An operator is waiting; the response may be several megabytes. */
const patience: CallOptions = {purpose: 'interactive', deadlineMs: 60_000, maxQuotaWaitMs: 5000}

export type Trajectories = ReturnType<typeof trajectoriesReplica>

export function trajectoriesReplica(options: ReplicaHost) {
	const stores = makeReplica(options, {kind: 'trajectories', open: ({path}) => openTrajectoryStore(path)})
	return {
		...stores,
		/** The stored trajectory of that computer and query. No API call. */
		stored: (request: TrajectoryRequest) => {
			const found = stores.open(request.connection).find(keyOf(request.guid), request.query)
			return found === undefined ? null : drawingOf(found)
		},
		/** Queries the service: one call, which includes the computer's record. */
		async read(request: TrajectoryRequest, signal?: AbortSignal) {
			const client = options.connections.client(options.connections.find(request.connection).id)
			const {guid, query} = request
			const answer = await ask(client, guid, query, {...patience, signal})
			const {data, at} = answer
			const reading = readingOf(keyOf(guid), query, data, at)
			stores.open(request.connection).keep(reading)
			return {trajectory: drawingOf(reading), computer: data.computer, at: askedAt(answer)}
		},
		/** The service's record of one point, with all digits. */
		record: ({connection, guid, query, index}: TrajectoryRequest & {index: number}) => {
			const found = stores.open(connection).find(keyOf(guid), query)
			const timed = found === undefined ? undefined : inOrder(found)[index]
			return timed === undefined ? null : {json: stringifyExact(timed.record, 2)}
		}
	}
}

const ofUser = 'user:'

/** Whether the query is for a user's activity. */
export function isOfUser(query: string) {
	return query.startsWith(ofUser)
}

async function ask(client: ApiClient, guid: string, query: string, options: CallOptions) {
	const common = {connector_guid: guid, limit: askedFor}
	if (isOfUser(query)) return getUserTrajectory(client, {...common, q: query.slice(ofUser.length).trim()}, options)
	return getTrajectory(client, {...common, ...(query === '' ? {} : {q: query})}, options)
}

function readingOf(
	guid: string,
	query: string,
	data: {computer: Computer; events: readonly StoredReading['events'][number][]},
	readAt: number
): StoredReading {
	const {computer, events} = data
	return {guid, query, hostname: computer.hostname ?? guid, readAt, cut: isCut(events.length), events}
}

/** Exactly as many as requested, or as the service usually returns: there may be older ones. */
function isCut(events: number) {
	return events >= askedFor || events === usualMaximum
}

function inOrder({events, readAt}: StoredReading) {
	return oldestFirst(events, Math.floor(readAt / 1000))
}

function drawingOf(reading: StoredReading) {
	const {guid, query, hostname, readAt, cut} = reading
	return draw({guid, query, hostname, cut, readAt: new Date(readAt).toISOString()}, inOrder(reading))
}

function keyOf(guid: string) {
	return guid.trim().toLowerCase()
}

type Reading = Pick<Trajectory, 'guid' | 'hostname' | 'query' | 'readAt' | 'cut'>

/** Pure: lanes and points from ordered events. `index` of a point is its position among them. */
export function draw(reading: Reading, records: readonly TimedRecord[]): Trajectory {
	const events = records.map(({record}) => readEvent(record))
	const places = placesOf(events)
	const {lanes, nameOf} = lanesOf(events, places)
	const points = records.flatMap((timed, index): readonly TrajectoryPoint[] => {
		const event = events[index]
		return event === undefined ? [] : [pointOf({timed, event, index, lane: places[index] ?? systemLane, nameOf})]
	})
	return {...reading, oldest: points[0]?.at ?? null, lanes, points, unknown: unknownOf(events)}
}

interface Placed {
	timed: TimedRecord
	event: TrajectoryEvent
	index: number
	lane: string
	nameOf: (sha256: string) => string | null
}

function pointOf({timed, event, index, lane, nameOf}: Placed): TrajectoryPoint {
	const {seconds, nanoseconds} = timed
	return {
		index,
		id: textAt(event.record, 'id'),
		at: new Date(seconds * 1000 + Math.floor(nanoseconds / 1e6)).toISOString(),
		nanoseconds,
		lane,
		parent: event.parent,
		parentName: event.parentName ?? (event.parent === null ? null : nameOf(event.parent)),
		remote: event.isNetwork ? endpointOf(event.record) : null,
		mitre: mitreOf(event.record),
		type: event.type,
		shape: event.shape,
		disposition: event.disposition,
		severity: severityOf(event.record),
		text: sentenceOf(event, nameOf),
		detectionId: event.detectionId,
		sha256: event.sha256
	}
}

/** Most frequent first. */
function unknownOf(events: readonly TrajectoryEvent[]) {
	const counts = new Map<string, number>()
	for (const {known, type} of events) if (!known) counts.set(type, (counts.get(type) ?? 0) + 1)
	return [...counts].map(([type, count]) => ({type, count})).toSorted((a, b) => b.count - a.count)
}

/* The description of an event in a sentence. */

/** `nameOf` gives the name of a file by its SHA-256, as known in the trajectory. */
function sentenceOf(event: TrajectoryEvent, nameOf: (sha256: string) => string | null) {
	const file = event.fileName ?? (event.sha256 === null ? null : nameOf(event.sha256)) ?? 'A file'
	const parent = event.parentName ?? (event.parent === null ? null : nameOf(event.parent)) ?? 'an unknown process'
	if (event.isNetwork) return networkSentence(event, parent)
	const verb = verbs[event.shape]
	if (verb !== undefined) return withLine(event, `${file} ${verb} ${parent}`)
	return cloudSentence(event)
}

const verbs: Readonly<Partial<Record<TrajectoryEvent['shape'], string>>> = {
	create: 'was created by',
	execute: 'was started by',
	move: 'was moved by',
	open: 'was opened by'
}

function withLine({record}: TrajectoryEvent, sentence: string) {
	const line = commandLineOf(record)
	return line === null ? sentence : `${sentence}: ${line}`
}

function networkSentence({record, type, shape}: TrajectoryEvent, parent: string) {
	const remote = endpointOf(record) ?? 'an unknown address'
	const url = textAt(record, 'network_info', 'dirty_url') ?? textAt(record, 'network_info', 'url')
	const protocol = textAt(record, 'network_info', 'nfm', 'protocol')
	const more = [protocol === null ? '' : ` over ${protocol}`, url === null ? '' : `: ${url}`].join('')
	const direction = textAt(record, 'network_info', 'nfm', 'direction')?.toLowerCase() ?? ''
	const head = shape === 'network' ? '' : `${type}: `
	if (direction.startsWith('incoming')) return `${head}${remote} connected to ${parent}${more}`
	// DFC events do not say which side started the connection.
	const verb = direction.startsWith('outgoing') ? 'connected to' : 'and'
	const end = verb === 'and' ? ' exchanged data' : ''
	return `${head}${parent} ${verb} ${remote}${end}${more}`
}

/** `address:port`; `null` for an unspecified address. */
function endpointOf(record: TrajectoryEvent['record']) {
	const ip = textAt(record, 'network_info', 'remote_ip')
	if (ip === null || ip === '0.0.0.0' || ip === '::') return null
	const port = textAt(record, 'network_info', 'remote_port')
	const shown = ip.includes(':') ? `[${ip}]` : ip
	return port === null || port === '0' ? shown : `${shown}:${port}`
}

function cloudSentence(event: TrajectoryEvent) {
	const {record, type, fileName} = event
	const detection = textAt(record, 'detection')
	const about = aboutOf(record)
	const parts = [detection, fileName === null ? null : detection === null ? fileName : `in ${fileName}`]
	const told = parts.filter(part => part !== null).join(' ')
	const head = told === '' ? type : `${type}: ${told}`
	return about === null ? withLine(event, head) : `${head}${told === '' ? ': ' : ', '}${about}`
}

interface TimedRecord {
	record: TrajectoryRecord
	seconds: number
	nanoseconds: number
}

/**
 * Oldest first, by second and nanosecond. The service returns the newest first and leaves the order within a second open; events
 * of equal or no time keep their place between their neighbours. `fallback`: Unix seconds when no event has a time.
 */
export function oldestFirst(records: readonly TrajectoryRecord[], fallback: number): readonly TimedRecord[] {
	let last: Omit<TimedRecord, 'record'> | null = null
	const timed = records.toReversed().map(record => {
		const time = timeOf(record) ?? last
		last = time
		return {record, time}
	})
	// Events before the first with a time get that time.
	const first = timed.find(({time}) => time !== null)?.time ?? {seconds: fallback, nanoseconds: 0}
	return timed.map(({record, time}) => ({record, ...(time ?? first)})).toSorted((a, b) => a.seconds - b.seconds || a.nanoseconds - b.nanoseconds)
}

const systemLane = 'system'
const networkLane = 'network'

/** The lane of each event: its file's, its detection's, the network's, or the system's. */
function placesOf(events: readonly TrajectoryEvent[]) {
	const ofDetection = new Map<string, string>()
	for (const event of events) {
		const lane = ownLane(event)
		if (event.detectionId !== null && lane !== null && !ofDetection.has(event.detectionId)) ofDetection.set(event.detectionId, lane)
	}
	return events.map(event => ownLane(event) ?? (event.detectionId === null ? null : ofDetection.get(event.detectionId)) ?? systemLane)
}

function ownLane({isNetwork, sha256}: TrajectoryEvent) {
	return isNetwork ? networkLane : sha256
}

interface LaneFacts {
	names: Map<string, number>
	disposition: Disposition
	events: number
	first: number
	keeps: boolean
}

interface NamedLanes {
	lanes: readonly TrajectoryLane[]
	/** The most common name of a file, even one that is only a parent. */
	nameOf(sha256: string): string | null
}

/** Events in order, with their lanes. */
function lanesOf(events: readonly TrajectoryEvent[], places: readonly string[]): NamedLanes {
	const facts = new Map<string, LaneFacts>()
	const parentNames = new Map<string, Map<string, number>>()
	events.forEach((event, index) => {
		const lane = laneIn(facts, places[index] ?? systemLane, index)
		lane.events += 1
		lane.disposition = worse(lane.disposition, event.disposition)
		lane.keeps ||= isBad(event)
		if (event.fileName !== null && event.sha256 !== null) count(lane.names, event.fileName)
		if (event.parent !== null && event.parentName !== null) count(within(parentNames, event.parent), event.parentName)
	})
	keepParents(events, facts)
	for (const [sha256, names] of parentNames) for (const [name] of names) addName(facts.get(sha256), name)
	const nameOf = rememberedName(sha256 => namesOf(facts.get(sha256)?.names)[0] ?? namesOf(parentNames.get(sha256))[0])
	const lanes = [...facts]
		.toSorted(([one, a], [other, b]) => placeOf(one, a) - placeOf(other, b) || a.first - b.first)
		.map(([id, lane]) => laneRow(id, lane))
	return {lanes, nameOf}
}

/** Few files have thousands of events: each is looked up once. */
function rememberedName(find: (sha256: string) => string | undefined): NamedLanes['nameOf'] {
	const known = new Map<string, string | null>()
	return sha256 => {
		const name = known.get(sha256)
		if (name !== undefined) return name
		const found = find(sha256) ?? null
		known.set(sha256, found)
		return found
	}
}

function laneIn(facts: Map<string, LaneFacts>, id: string, index: number) {
	const known = facts.get(id)
	if (known !== undefined) return known
	const made: LaneFacts = {names: new Map(), disposition: 'none', events: 0, first: index, keeps: false}
	facts.set(id, made)
	return made
}

/** A lane that started, made or moved anything bad stays visible when clean lanes are hidden. */
function keepParents(events: readonly TrajectoryEvent[], facts: ReadonlyMap<string, LaneFacts>) {
	for (const event of events) {
		const parent = event.parent !== null && isBad(event) ? facts.get(event.parent) : undefined
		if (parent !== undefined) parent.keeps = true
	}
}

/** A name from parents only ranks below names from the file's own events. */
function addName(lane: LaneFacts | undefined, name: string) {
	if (lane !== undefined && !lane.names.has(name)) lane.names.set(name, 0)
}

/** The system and the network first, then bad lanes and their causes, then the rest; each in order of the first event. */
function placeOf(id: string, lane: LaneFacts) {
	if (id === systemLane) return 0
	if (id === networkLane) return 1
	if (lane.keeps) return 2
	return lane.disposition === 'unknown' ? 3 : 4
}

function laneRow(id: string, lane: LaneFacts): TrajectoryLane {
	const [label, ...names] = namesOf(lane.names)
	const {disposition, events, keeps} = lane
	return {id, label: label ?? plainLabel(id), names, disposition, events, keeps}
}

function plainLabel(id: string) {
	return id === systemLane || id === networkLane ? id : `${id.slice(0, 8)}…`
}

/** Most frequent first; ties in order of appearance. */
function namesOf(names: ReadonlyMap<string, number> | undefined) {
	return [...(names ?? [])].toSorted(([, a], [, b]) => b - a).map(([name]) => name)
}

function count(names: Map<string, number>, name: string) {
	names.set(name, (names.get(name) ?? 0) + 1)
}

function within(all: Map<string, Map<string, number>>, key: string) {
	const known = all.get(key)
	if (known !== undefined) return known
	const made = new Map<string, number>()
	all.set(key, made)
	return made
}
