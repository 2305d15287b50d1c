/**
 * How an attack developed, from any of its events: along parents up to the first file from outside (a mail, a browser, another
 * computer), and down to what it reached and its outcome. Pure.
 */
import type {TrajectoryLane, TrajectoryPoint} from './contract/insight.ts'

const storyRoles = ['document', 'program', 'shell', 'payload', 'address', 'detection', 'stopped', 'failed'] as const
export type StoryRole = (typeof storyRoles)[number]

export interface StoryStep {
	readonly point: TrajectoryPoint
	readonly role: StoryRole
	/** File name or address, for the short form. */
	readonly name: string
	/** No event contains the link: it follows from times and from what the program opens. */
	readonly inferred: boolean
}

export interface AttackStory {
	/** In time order. */
	readonly steps: readonly StoryStep[]
	readonly origin: StoryStep
	/** Whether the origin came from outside; otherwise it is only the first known one. */
	readonly fromOutside: boolean
	/** MITRE ATT&CK tactics and techniques named by the service. */
	readonly mitre: readonly string[]
}

interface Told {
	lanes: readonly TrajectoryLane[]
	points: readonly TrajectoryPoint[]
}

/** Programs that bring files in, open them, run commands, or are behind everything a user starts. */
const gateway =
	/^(outlook|olk|thunderbird|microsoft outlook|mail|chrome|google chrome|msedge|microsoft edge|firefox|safari|brave|opera|iexplore|teams|ms-teams|slack|zoom|telegram|whatsapp)(\.exe)?$/i
const opener =
	/^(winword|excel|powerpnt|onenote|acrobat|acrord32|foxitreader|wscript|cscript|mshta|7zfm|winrar|preview|microsoft (word|excel))(\.exe)?$/i
const shell = /^(powershell|pwsh|cmd|wscript|cscript|mshta|rundll32|regsvr32|bash|zsh|sh|osascript|python3?)(\.exe)?$/i
/** They start whatever a user or the system starts, so they are no cause. */
const host = /^(explorer|userinit|services|svchost|runtimebroker|taskhostw|wininit|system|finder|launchd|systemd|init)(\.exe)?$/i
const documents = /\.(docx?|docm|dotm|rtf|xlsx?|xlsm|xlsb|pptx?|pptm|one|pdf|zip|7z|rar|iso|img|lnk|js|vbs|hta|html?|eml|msg)$/i

const minute = 60_000
const mostLinks = 20

/** `undefined` without a chain: a system event, or a network event without its program. */
export function storyOf(told: Told, from: TrajectoryPoint): AttackStory | undefined {
	const names = new Map(told.lanes.map(({id, label}) => [id, label]))
	const last = isFile(from.lane) ? from.lane : (from.parent ?? laneBehind(told, from))
	if (last === null) return undefined
	const links = linksTo(told, names, last, from.index)
	const opened = documentBefore(told, links, names)
	const chain = [...(opened === undefined ? [] : [opened]), ...links]
	const points = new Set([...chain, ...addressesOf(told, links, last), ...alarmsOf(told, chain, from)])
	const steps = [...points]
		.toSorted((a, b) => a.index - b.index)
		.map(point => stepOf(point, told, names, point === opened && !isNamed(point, links, names)))
	const [first = stepOf(from, told, names, false)] = steps
	// A connection before the first file is the origin; otherwise that file is.
	const origin = first.role === 'address' ? first : (steps.find(({point}) => point === chain[0]) ?? first)
	const fromOutside = origin.role === 'address' || isFromOutside(origin.point)
	const mitre = [...new Set(steps.flatMap(({point}) => point.mitre))]
	return {steps, origin, fromOutside, mitre}
}

/** So many of the newest detections are compared. */
const mostTold = 30

/** The story that tells most: of the newest detections the one with the most kinds of steps, of equal ones the newest. */
export function mainStory(told: Told): AttackStory | undefined {
	const alarms = told.points.filter(isAlarm).slice(-mostTold).toReversed()
	const stories = alarms.flatMap(point => storyOf(told, point) ?? [])
	const kinds = ({steps}: AttackStory) => new Set(steps.map(({role}) => role)).size
	return stories.reduce<AttackStory | undefined>((best, each) => (best === undefined || kinds(each) > kinds(best) ? each : best), undefined)
}

/** The cause of an event: its file's own arrival, then the start of the parent, then what that opened. */
export function causeOf(told: Told, point: TrajectoryPoint): TrajectoryPoint | undefined {
	const chain = storyOf(told, point)?.steps.filter(({role}) => role !== 'detection' && role !== 'stopped' && role !== 'failed')
	return chain?.findLast(step => step.point.index < point.index && step.role !== 'address')?.point
}

/** An alarm without a file is attributed to the last malicious program before it, else to a shell or a parent of something bad. */
function laneBehind({points, lanes}: Told, {index, shape, lane}: TrajectoryPoint) {
	if (shape !== 'detect' && shape !== 'quarantine' && shape !== 'fail') return null
	const lastOf = (some: readonly TrajectoryLane[]) => {
		const ids = new Set(some.map(({id}) => id))
		return points.findLast(each => each.index < index && each.shape === 'execute' && ids.has(each.lane) && isBeside(each.lane, lane))?.lane
	}
	const bad = lanes.filter(({disposition}) => disposition === 'malicious' || disposition === 'blocked')
	return lastOf(bad) ?? lastOf(lanes.filter(({keeps, label}) => keeps || shell.test(label))) ?? null
}

/** Arrivals and starts along the parents, oldest first: up to what came from outside, or what opened it. */
function linksTo({points, lanes}: Told, names: Names, last: string, until: number) {
	const dispositions = new Map(lanes.map(({id, disposition}) => [id, disposition]))
	const links: TrajectoryPoint[] = []
	const seen = new Set<string>()
	let [lane, before]: [string | null, number] = [last, until]
	while (lane !== null && !seen.has(lane) && links.length < mostLinks) {
		const name = names.get(lane) ?? ''
		if (links.length > 0 && host.test(name)) break
		seen.add(lane)
		const own = points.filter(each => each.lane === lane && each.index <= before)
		const start = own.findLast(({shape}) => shape === 'execute')
		const arrival = own.find(({shape}) => shape === 'create' || shape === 'move')
		// A known clean program did not arrive with the attack; any other file did.
		const born: TrajectoryPoint | undefined = dispositions.get(lane) === 'clean' ? start : (arrival ?? start)
		const link: TrajectoryPoint | undefined = born ?? own.findLast(({parent}) => parent !== null)
		if (link === undefined) break
		links.unshift(...(start !== undefined && start.index > link.index ? [link, start] : [link]))
		if (isFromOutside(link) || opener.test(name)) break
		;[lane, before] = [link.parent, link.index]
	}
	return links
}

function isFromOutside({shape, parentName}: TrajectoryPoint) {
	return shape === 'create' && parentName !== null && gateway.test(parentName)
}

type Names = ReadonlyMap<string, string>

/**
 * The document opened by the first program of the chain: named in its command line, or the last such file from outside within a
 * day.
 */
function documentBefore({points, lanes}: Told, links: readonly TrajectoryPoint[], names: Names) {
	const [top] = links
	if (top === undefined || isFromOutside(top) || !opener.test(names.get(top.lane) ?? '')) return undefined
	const day = Date.parse(top.at) - 24 * 60 * minute
	// A file's creator is often missing; a document that is not clean counts anyway.
	const bad = new Set(lanes.flatMap(({id, disposition}) => (disposition === 'clean' ? [] : [id])))
	const arrived = points.filter(
		each =>
			each.shape === 'create' &&
			each.index < top.index &&
			isBeside(each.lane, top.lane) &&
			Date.parse(each.at) >= day &&
			documents.test(names.get(each.lane) ?? '') &&
			(isFromOutside(each) || (each.parentName === null && bad.has(each.lane)))
	)
	return arrived.findLast(each => isNamed(each, [top], names)) ?? arrived.findLast(({lane}) => bad.has(lane)) ?? arrived.at(-1)
}

function isNamed({lane}: TrajectoryPoint, links: readonly TrajectoryPoint[], names: Names) {
	const name = names.get(lane) ?? ''
	return links.some(({text, shape}) => shape === 'execute' && name !== '' && text.includes(name))
}

/** The address each program of the chain connected to just before its next step, and the last program's address. */
function addressesOf({points}: Told, links: readonly TrajectoryPoint[], last: string) {
	const network = points.filter(({shape, parent}) => shape === 'network' && parent !== null)
	const before = links.flatMap(link => {
		const at = Date.parse(link.at)
		const found = network.findLast(each => each.parent === link.parent && each.index < link.index && at - Date.parse(each.at) <= 10 * minute)
		return found === undefined ? [] : [found]
	})
	const start = links.findLast(({lane}) => lane === last)?.index ?? -1
	const called = network.find(each => each.parent === last && each.index > start)
	return called === undefined ? before : [...before, called]
}

/** Alarms about files of the chain, and those without a file in its time; one per detection and outcome. */
function alarmsOf({points}: Told, chain: readonly TrajectoryPoint[], from: TrajectoryPoint) {
	const lanes = new Set(chain.map(({lane}) => lane))
	const [first, end] = [chain[0]?.index ?? from.index, Date.parse(chain.at(-1)?.at ?? from.at) + 60 * minute]
	const seen = new Set<string>()
	return points.filter(each => {
		if (!isAlarm(each) || each.index < first || !isBeside(each.lane, from.lane)) return false
		const isNear = !isFile(each.lane) && Date.parse(each.at) <= end
		if (each !== from && !lanes.has(each.lane) && !isNear) return false
		const key = `${each.detectionId ?? each.index} ${each.shape}`
		if (seen.has(key)) return false
		seen.add(key)
		return true
	})
}

function isAlarm({shape, detectionId}: TrajectoryPoint) {
	return shape === 'detect' || shape === 'quarantine' || (shape === 'fail' && detectionId !== null)
}

function stepOf(point: TrajectoryPoint, {lanes}: Told, names: Names, inferred: boolean): StoryStep {
	const lane = lanes.find(({id}) => id === point.lane)
	const name = point.shape === 'network' ? (point.remote ?? 'an unknown address') : nameOf(point, names)
	return {point, role: roleOf(point, name, lane), name, inferred}
}

function nameOf({lane, text}: TrajectoryPoint, names: Names) {
	return (isFile(lane) ? names.get(lane) : undefined) ?? text
}

function roleOf({shape}: TrajectoryPoint, name: string, lane: TrajectoryLane | undefined) {
	if (shape === 'network') return 'address'
	if (shape === 'detect') return 'detection'
	if (shape === 'quarantine') return 'stopped'
	if (shape === 'fail') return 'failed'
	if (shell.test(name)) return 'shell'
	if (documents.test(name)) return 'document'
	return lane?.disposition === 'clean' ? 'program' : 'payload'
}

/** Lanes of several computers have their number before the file. */
function isBeside(one: string, other: string) {
	return partOf(one) === partOf(other)
}

function partOf(lane: string) {
	return lane.includes(':') ? lane.slice(0, lane.indexOf(':')) : ''
}

function isFile(lane: string) {
	return lane.length - (lane.indexOf(':') + 1) === 64
}
