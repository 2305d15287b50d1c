import type {DetectionGroup, EventRow} from '#contract/events.ts'
import {eventSeverities} from '#model/event.ts'
import {saysClean, saysMalicious} from '#model/hash-marks.ts'
import {counted} from '#text/numbers.ts'
import {nouns} from '#text/terms.ts'
import {breaths, ownTurn} from '#base/breaths.ts'
import type {Database} from '#core/store/database.ts'
import {plainMark} from './marks.ts'
import {outcomeOf} from './outcome.ts'
import {rowsOf} from './rows.ts'

/** The newest events of detections, and as many indicators; older ones are in no group. */
const most = 3000
const [hour, day] = [3_600_000, 86_400_000]
/** Accounts of many computers. */
const common = /^(system|local service|network service|root|administrator|admin|.*\$)$/i

export type DetectionGroups = ReadonlyMap<string, DetectionGroup>

const piece = 200

/** The groups as they are now, made in turns. An event never changes but for the outcome of its detection: each is read once. */
export function makeGroups(database: Database): () => Promise<DetectionGroups> {
	const known = new Map<number, EventRow>()
	let last: {of: string; groups: DetectionGroups} = {of: '', groups: new Map()}
	const read = (ids: readonly number[]) => {
		rowsOf(
			database,
			ids.filter(id => !known.has(id)),
			(id, row) => {
				known.set(id, row)
				return {}
			}
		)
		return database.all<Grouped>(outcomes, JSON.stringify(ids)).flatMap(({id, kinds}) => {
			const row = known.get(id)
			return row === undefined ? [] : {...row, outcome: outcomeOf(kinds ?? 0)}
		})
	}
	return async () => {
		const ids = newest(database)
		const rows: EventRow[] = []
		for (let at = 0; at < ids.length; at += piece) {
			await ownTurn()
			rows.push(...read(ids.slice(at, at + piece)))
		}
		const still = new Set(ids)
		for (const id of known.keys()) if (!still.has(id)) known.delete(id)
		const of = rows.map(({key, outcome}) => `${key} ${outcome}`).join()
		if (of !== last.of) last = {of, groups: await groupsOf(rows.filter(isGrouped))}
		return last.groups
	}
}

function isGrouped({detectionId, severity}: EventRow) {
	return detectionId !== null || severity !== 'none'
}

interface Grouped {
	id: number
	kinds: number | null
}

const outcomes = `SELECT id, kinds FROM event LEFT JOIN detection USING (detection_id) WHERE id IN (SELECT value FROM json_each(?))`

/** Indicators (their types have the top byte 0x42) have a severity, but no detection id. */
function newest(database: Database) {
	const types = database.all<{value: string}>("SELECT value FROM facet WHERE kind = 'type' AND value / 16777216 = 66")
	const marks = ['none', ...types.map(({value}) => value)].map(value => `"${plainMark('type', value)}"`)
	const sql = `SELECT id FROM (SELECT id FROM chain ORDER BY id DESC LIMIT ?)
    UNION SELECT id FROM (SELECT rowid AS id FROM words WHERE words MATCH ? ORDER BY rowid DESC LIMIT ?)`
	return database.all<{id: number}>(sql, most, `mark : (${marks.join(' OR ')})`, most).map(({id}) => id)
}

/**
 * The groups of detections by the keys of their events. Two belong together when they are of one detection; within 24 hours, when
 * they share a hash, one's parent is the other's file, or one computer has one parent of both; within an hour, when they are of one
 * computer or user. A parent on several computers is no link: most are clean. Order does not matter.
 */
export async function groupsOf(rows: readonly EventRow[]): Promise<DetectionGroups> {
	const breath = breaths()
	const events = rows.toSorted((a, b) => order(a.at, b.at) || order(a.key, b.key))
	const firsts = [...events.keys()]
	const firstOf = (index: number) => {
		let at = index
		while (firsts[at] !== at) at = firsts[at] = firsts[firsts[at] ?? 0] ?? 0
		return at
	}
	const last = new Map<string, {index: number; ms: number}>()
	for (const [index, event] of events.entries()) {
		const ms = Date.parse(event.at)
		for (const [clue, within, left = clue] of cluesOf(event)) {
			const before = last.get(clue)
			if (before !== undefined && ms - before.ms <= within) {
				const [one, other] = [firstOf(before.index), firstOf(index)]
				firsts[Math.max(one, other)] = Math.min(one, other)
			}
			last.set(left, {index, ms})
		}
		await breath()
	}
	const groups = new Map<string, DetectionGroup>()
	for (const members of Map.groupBy(events, (_event, index) => firstOf(index)).values()) {
		const group = groupOf(members)
		for (const {key} of members) groups.set(key, group)
		await breath()
	}
	return groups
}

/** What to look for, how far back, and what to leave instead. */
type Clue = readonly [string, number, string?]

function cluesOf({key, detectionId, sha256, parent, guid, user}: EventRow) {
	const name = user?.replace(/^.*\\/, '').toLowerCase() ?? ''
	const clues: readonly (false | Clue)[] = [
		detectionId !== null && [`d${detectionId}`, Infinity],
		sha256 !== null && [`f${sha256}`, day],
		sha256 !== null && [`c${sha256}`, day, ''],
		parent !== null && [`f${parent}`, day, `c${parent}`],
		parent !== null && [`p${guid ?? key}${parent}`, day],
		guid !== null && [`g${guid}`, hour],
		name !== '' && !common.test(name) && [`u${name}`, hour]
	]
	return clues.filter(clue => clue !== false)
}

function groupOf(events: readonly EventRow[]): DetectionGroup {
	const worst = events.toSorted((a, b) => rank(a) - rank(b))
	const named = worst.find(({detection, about}) => (detection ?? about) !== null) ?? worst[0]
	const computers = new Map(events.flatMap(({guid, hostname}) => (guid === null ? [] : [[guid, {guid, hostname}] as const])))
	const where = computers.size === 1 ? named?.hostname : counted(computers.size, nouns.computer)
	const outcomes = events.flatMap(({outcome}) => outcome ?? [])
	return {
		title: `${named?.detection ?? named?.about ?? named?.type} on ${where}`,
		severity: worst[0]?.severity ?? 'none',
		since: events[0]?.at ?? '',
		until: events.at(-1)?.at ?? '',
		keys: events.map(({key}) => key),
		computers: [...computers.values()],
		...filesOf(events),
		stopped: outcomes.length > 0 && outcomes.every(outcome => outcome === 'quarantined' || outcome === 'recalled')
	}
}

function filesOf(events: readonly EventRow[]): Pick<DetectionGroup, 'hashes' | 'suspect'> {
	const files = [...Map.groupBy(events, ({sha256}) => sha256)].flatMap(([hash, rows]) => {
		const words = rows.flatMap(({disposition}) => disposition ?? [])
		return hash === null ? [] : [{hash, badness: saysMalicious(words) ? 2 : saysClean(words) ? 0 : 1}]
	})
	const sorted = files.toSorted((a, b) => b.badness - a.badness)
	return {hashes: sorted.map(({hash}) => hash), suspect: sorted.find(({badness}) => badness > 0)?.hash ?? null}
}

/** The worst first, then the largest. */
export function worstFirst(groups: DetectionGroups): readonly DetectionGroup[] {
	return [...new Set(groups.values())].toSorted((a, b) => rank(a) - rank(b) || b.keys.length - a.keys.length || order(b.until, a.until))
}

function rank({severity}: Pick<EventRow, 'severity'>) {
	return eventSeverities.indexOf(severity)
}

function order(a: string, b: string) {
	return a < b ? -1 : Number(a > b)
}
