/**
 * Starts playbooks without an operator. The key of a scheduled run is its time, that of a rule's run its event: the engine keeps
 * one run per key, so a second process, or the next one after a crash, starts no duplicate.
 */
import {isDeepStrictEqual} from 'node:util'

import {digestOfJson} from '#base/canonical.ts'
import {ownTurn} from '#base/breaths.ts'
import {timeOrderedId} from '#base/ids.ts'
import {RunTaken} from '#core/engine/ends.ts'
import {foundConnection, sameService} from '#core/service/connections/found.ts'
import type {IncidentLog} from '#core/record/incidents/types.ts'
import {CordonError, invalidArgument, usageError, hasCode} from '#contract/errors.ts'
import type {EventQuery, EventRow, EventWindow} from '#contract/events.ts'
import {
	type Automation,
	automationSchema,
	type AutomationView,
	eventPlaceholders,
	type Firing,
	type FiringOutcome,
	type Rule,
	type RuleTrial,
	type Schedule
} from '#model/automation.ts'
import type {Connection} from '#model/connection.ts'
import type {ComputerRole} from '#model/guard.ts'
import type {Surface} from '#model/incident.ts'
import {formatCount, formOf} from '#text/numbers.ts'
import {type AutomationStore, type KeptAutomation, openAutomationStore} from './automation-store.ts'
import type {Playbooks, StartPlaybook} from './playbooks.ts'
import type {StoreDependencies} from './store.ts'
import {dueBetween, nextTimes} from './times.ts'

interface AutomationServices extends Pick<StoreDependencies, 'database' | 'clock' | 'operator'> {
	random(bytes: number): Uint8Array
	playbooks: Pick<Playbooks, 'find' | 'start' | 'head' | 'mayStartAlone' | 'forget'>
	log: Pick<IncidentLog, 'append'>
	/** Throws for an unknown connection. */
	connections: {find(id: string): Pick<Connection, 'id' | 'name' | 'url' | 'sandbox'>}
	/** Stored events; omitted where no copy is open. */
	events?: ((connection: string) => StoredEvents) | undefined
	rolesOf: (connection: string, guid: string) => readonly ComputerRole[]
	notify: (notice: {title: string; body: string}) => void
	onTrouble: (message: string, error: unknown) => void
}
interface Run extends AutomationServices {
	store: AutomationStore
}
interface StoredEvents {
	query(query: EventsAsked): EventWindow
	arrived(): {generation: string; newest: number}
	arrivals(after: number, most: number, filter: string): {events: readonly unknown[]}
}
type EventsAsked = Omit<EventQuery, 'connection'> & {offset: number; limit: number}

export type Automations = ReturnType<typeof openAutomations>

/** A time due longer than this was missed: no console ran. */
const lateMs = 60_000
const dayMs = 86_400_000
const keptMs = 90 * dayMs
/** Events arriving later than this after they happened start nothing. */
const backMs = dayMs
const page = 250
const mostPages = 20

const iso = (ms: number) => new Date(ms).toISOString()

export function openAutomations(services: AutomationServices) {
	const {clock, random, log, connections} = services
	const store = openAutomationStore(services.database)
	const run: Run = {...services, store}
	const note = async (one: Automation, what: string, surface: Surface) => {
		const found = foundConnection(connections, one.connection)
		const connection = found && {id: found.id, name: found.name, url: found.url}
		const data = {automation: one.id, digest: digestOfJson(one)}
		const message = `${one.kind === 'schedule' ? 'Schedule' : 'Rule'} ${what}: ${one.name}.`
		await log.append({kind: 'note', surface, message, data, ...(connection && {connection})})
	}
	let looking: Promise<void> | undefined
	let prunedAt = 0
	const seen = new Map<string, Seen>()
	const look = async () => {
		if (Math.abs(clock.now() - prunedAt) > dayMs) {
			prunedAt = clock.now()
			// A clock that was far ahead for a few days makes nothing old: the key of a run is what starts no duplicate.
			const day = store.seventhDay()
			if (day !== undefined) await store.prune(iso(Math.min(prunedAt, Date.parse(day)) - keptMs), services.playbooks.forget)
		}
		for (const one of store.list().filter(({enabled}) => enabled))
			try {
				const {url} = connections.find(one.connection)
				const [, ahead = ''] = [one.since, store.firings(one.id, 1)[0]?.handledAt ?? ''].toSorted()
				if (Date.parse(ahead) > clock.now() + lateMs) {
					store.setBack(one.id, iso(clock.now() - 1))
					const message = 'The clock went back. Times and events count from now on.'
					store.tell({...firingOf(run, one, `clock ${ahead}`), outcome: 'missed', message})
					continue
				}
				if (one.url === undefined) store.change(one.id, {url})
				const onHold = holdOf(services, one)
				if (onHold !== null) tellHold(run, one, `hold ${url}`, onHold)
				else if (one.kind === 'schedule') await lookAtTimes(run, one)
				else await lookAtEvents(run, one, seen)
			} catch (error) {
				// It waits while its connection is missing.
				if (!hasCode(error, 'unknown_connection')) services.onTrouble(`${one.name} could not be looked after.`, error)
			}
	}
	return {
		list: () => store.list().map(one => viewOf(run, one)),
		find: store.find,
		/** An empty ID creates a new one, unless its twin is there: the answer to that was lost. Changed, it counts from now on. `before`: what it was made from. */
		async save(given: Automation, surface: Surface, before?: Automation) {
			if (given.id !== '') refuseStale(store, given, before)
			const twin = store.list().find(each => given.id === '' && isDeepStrictEqual({...automationSchema.parse(each), id: ''}, given))
			const one = {...given, id: given.id || (twin?.id ?? timeOrderedId(clock.now(), random))}
			check(services, one)
			// It goes on counting from when it was saved, unless it waits to be saved again.
			if (twin !== undefined && holdOf(services, twin) === null) return viewOf(run, twin)
			await note(one, 'saved', surface)
			store.save({...one, url: connections.find(one.connection).url}, iso(clock.now()))
			return viewOf(run, store.find(one.id))
		},
		/** Pauses or resumes. Resumed, it counts from now on. */
		async enable(idOrName: string, enabled: boolean, surface: Surface) {
			const one = {...store.find(idOrName), enabled}
			if (enabled) check(services, one)
			await note(one, enabled ? 'resumed' : 'paused', surface)
			store.change(one.id, {enabled}, iso(clock.now()))
			return viewOf(run, store.find(one.id))
		},
		async remove(idOrName: string, surface: Surface) {
			const one = store.find(idOrName)
			await note(one, 'deleted', surface)
			store.remove(one.id)
		},
		firings: store.firings,
		test: (rule: Rule, days: number) => tried(services, rule, clock.now() - days * dayMs),
		times: (pattern: Pick<Schedule, 'times' | 'timeZone'>) => nextTimes(pattern, clock.now(), 5).map(iso),
		/** Starts what is due. Only in the process that owns the console. */
		look: () => (looking ??= look().finally(() => (looking = undefined)))
	}
}

function viewOf(run: Run, one: KeptAutomation): AutomationView {
	const onHold = holdOf(run, one)
	const isOn = one.kind === 'schedule' && one.enabled && onHold === null
	const next = isOn ? nextTimes(one, run.clock.now(), 1)[0] : undefined
	return {...one, onHold, next: next === undefined ? null : iso(next), last: run.store.firings(one.id, 1)[0] ?? null}
}

/** Why it waits, if it does. */
function holdOf({connections}: AutomationServices, {connection, url, kind}: KeptAutomation) {
	const now = foundConnection(connections, connection)
	// A sandbox has another port at each start.
	if (now === undefined || url === undefined || now.sandbox || sameService(now.url, url)) return null
	return `${now.name} leads to another service now. Save the ${kind} again to use it there.`
}

/** Once for each service. Times meanwhile are not missed. */
function tellHold(run: Run, one: KeptAutomation, key: string, message: string) {
	const due = one.kind === 'schedule' ? dueBetween(one, Date.parse(one.since), run.clock.now()) : null
	const isNew = run.store.tell({...firingOf(run, one, key), outcome: 'skipped', message}, due ? iso(due.at) : undefined)
	if (isNew) run.notify({title: `On hold: ${one.name}`, body: message})
}

/** An old form would undo what others changed. */
function refuseStale(store: AutomationStore, {id, name}: Automation, before: Automation | undefined) {
	const stored = store.list().find(one => one.id === id)
	if (stored === undefined) throw new CordonError('not_found', `${name} was deleted meanwhile.`)
	if (before === undefined || isDeepStrictEqual(before, automationSchema.parse(stored))) return
	throw new CordonError('conflict', `${name} was changed meanwhile.`, {fix: 'Nothing was saved. Open it again.'})
}

/** Refuses now what would be refused at its time. */
function check(services: AutomationServices, one: Automation) {
	services.connections.find(one.connection)
	if (one.kind === 'rule') services.events?.(one.connection).query(asked(one, services.clock.now(), 0, 1))
	else if (nextTimes(one, services.clock.now(), 1).length === 0) throw invalidArgument('These times never come. Write others.', 'times')
	if (one.playbook === null) return
	const {name, inputs} = services.playbooks.mayStartAlone(one.playbook)
	for (const key of Object.keys(one.variables))
		if (!inputs.some(input => input.name === key)) throw invalidArgument(`${name} takes no variable ${key}.`, key)
	for (const {name: key, value} of inputs)
		if (value === null && one.variables[key] === undefined) throw invalidArgument(`Give a value for ${key}.`, key)
	const wrong = one.kind === 'rule' ? unknownPlaceholder(one) : undefined
	if (wrong !== undefined) throw invalidArgument(`An event has no field ${wrong}. Use ${eventPlaceholders.join(', ')}.`, 'variables')
}

function unknownPlaceholder({variables}: Rule) {
	const names = Object.values(variables).flatMap(text => [...text.matchAll(placeholder)].map(([, name = '']) => name))
	return names.find(name => !eventPlaceholders.some(one => one === name))
}

const placeholder = /\{(\w+)\}/g

type Told = Omit<Firing, 'outcome' | 'message'>

/** Without a time it is of now. */
function firingOf({clock}: Run, {id: automation}: Automation, key: string, at = iso(clock.now())): Told {
	return {automation, key, at, handledAt: iso(clock.now()), run: null, count: 1}
}

async function lookAtTimes(run: Run, one: Schedule & KeptAutomation) {
	const {clock, store, notify} = run
	const now = clock.now()
	const due = dueBetween(one, Date.parse(one.since), now)
	if (due === null) return
	const isLate = now - due.at > lateMs
	const runs = !isLate || one.missed === 'once'
	const missed = due.count - (runs ? 1 : 0)
	const at = iso(due.at)
	const firing = runs ? await fire(run, one, firingOf(run, one, at, at), one.variables) : undefined
	if (firing === null) return
	if (missed > 0) {
		const words = formOf(missed, ['time was', 'times were'])
		const message = `${missed} ${words} missed: no console ran.`
		store.tell({...firingOf(run, one, `missed ${at}`, at), outcome: 'missed', message, count: missed}, at)
		notify({title: `Schedule missed: ${one.name}`, body: message})
	}
	const late = 'No console ran at this time. It was made up for.'
	if (firing !== undefined) store.tell({...firing, message: isLate && firing.message === '' ? late : firing.message}, at)
}

/** Of a run whose store was lost. */
function nothingLeft(error: unknown) {
	if (!hasCode(error, 'unknown_run')) throw error
}

/** `null`: not now; try again later. */
async function fire(run: Run, one: Automation, known: Told, variables: StartPlaybook['variables']) {
	const {store, playbooks, notify, operator, onTrouble} = run
	const of = (outcome: FiringOutcome, message: string, id: string | null = null): Firing => ({...known, outcome, run: id, message})
	const before = one.kind === 'schedule' ? store.lastRun(one.id) : undefined
	try {
		if (before !== undefined && (await playbooks.head(before).catch(nothingLeft))?.endedAt === null)
			return of('skipped', 'The run before it has not ended.')
		playbooks.mayStartAlone(one.playbook ?? '')
		const {id} = await playbooks.start({
			...{playbook: one.playbook ?? '', connection: one.connection, variables},
			...{alone: true, startedBy: `${one.kind} ${one.name}`, appliedBy: operator, key: `${one.kind}/${one.id}/${known.key}`}
		})
		return of('started', '', id)
	} catch (error) {
		if (error instanceof RunTaken) return of('started', '', error.run)
		const passing = ['cancelled', 'storage', 'disk_full', 'busy']
		if (!(error instanceof CordonError) || passing.includes(error.code)) {
			onTrouble(`${one.name} could not start its playbook.`, error)
			return null
		}
		notify({title: `Not started: ${one.name}`, body: error.message})
		return of('failed', error.message)
	}
}

function asked({filter}: Rule, from: number, offset: number, limit: number): EventsAsked {
	return {filter, from: iso(from), to: null, grouping: 'detections', offset, limit}
}

/** Newest first; each detection once. `onCut`: there may be more. */
function* matching(services: AutomationServices, rule: Rule, from: number, onCut?: () => void) {
	const store = services.events?.(rule.connection)
	if (store === undefined) return
	for (let offset = 0; offset < page * mostPages; offset += page) {
		const {rows} = store.query(asked(rule, from, offset, page))
		yield rows.filter(({guid}) => hasRole(services, rule, guid))
		if (rows.length < page) return
	}
	onCut?.()
}

function hasRole({rolesOf}: AutomationServices, {roles, connection}: Rule, guid: string | null) {
	if (roles.length === 0) return true
	if (guid === null) return false
	const own = rolesOf(connection, guid)
	return roles.some(role => own.includes(role))
}

/** The same on every reading of the event, also into a new copy. */
function keyOf({detectionId, id, at, typeId, guid, sha256}: EventRow) {
	return detectionId ?? digestOfJson([id, at, typeId, guid, sha256]).slice(0, 32)
}

/** The last full look of a rule, and the newest arrival checked since. */
interface Seen {
	/** Of which time and file. */
	of: string
	at: number
	upTo: number
}

/** Names and roles of computers may become known after their events. */
const allAgainMs = 600_000
const mostArrivals = 200

async function lookAtEvents(run: Run, rule: Rule & KeptAutomation, seen: Map<string, Seen>) {
	const {store, clock, events} = run
	const stored = events?.(rule.connection)
	if (stored === undefined) return
	const now = clock.now()
	const {generation, newest: upTo} = stored.arrived()
	const of = `${rule.since} ${generation}`
	const last = seen.get(rule.id)
	if (last?.of === of && Math.abs(now - last.at) < allAgainMs && !mayMatch(stored, rule, last.upTo, upTo))
		return void seen.set(rule.id, {...last, upTo})
	const fresh: EventRow[] = []
	// A detection may arrive late, behind known ones.
	for (const rows of matching(run, rule, Math.max(Date.parse(rule.since), now - backMs), () => tellCut(run, rule))) {
		fresh.push(...rows.filter(row => !store.isKnown(rule.id, keyOf(row))))
		await ownTurn()
	}
	const rows = fresh.toReversed()
	while (rows.length > 0) {
		const told = tellOnly(run, rule, rows)
		if (told === 0 && !(await react(run, rule, rows[0] as EventRow))) return // there is one
		rows.splice(0, Math.max(1, told))
		await ownTurn()
	}
	seen.set(rule.id, {of, at: now, upTo})
}

/** An event changes the outcome of earlier ones of its detection. */
function mayMatch(stored: StoredEvents, {filter}: Rule, after: number, upTo: number) {
	if (upTo === after) return false
	return upTo - after > mostArrivals || /outcome/i.test(filter) || stored.arrivals(after, mostArrivals, filter).events.length > 0
}

/** Once a day. */
function tellCut(run: Run, rule: Rule) {
	const day = iso(run.clock.now()).slice(0, 10)
	const message = `Only the newest ${formatCount(page * mostPages)} matches of a day are looked at. Narrow the filter.`
	if (run.store.tell({...firingOf(run, rule, `cut ${day}`), outcome: 'limited', message}))
		run.notify({title: `Rule at its limit: ${rule.name}`, body: message})
}

/** Settles those up to the first that starts a playbook, in one write; notices follow it. Returns their number. */
function tellOnly({notify, ...run}: Run, rule: Rule & KeptAutomation, rows: readonly EventRow[]) {
	const notices: Parameters<typeof notify>[] = []
	const all = {...run, notify: (...notice: Parameters<typeof notify>) => void notices.push(notice)}
	const first = run.store.together(() => rows.slice(0, page).findIndex(row => !isTold(all, rule, row)))
	for (const notice of notices) notify(...notice)
	return first === -1 ? Math.min(rows.length, page) : first
}

const whatOf = ({type, hostname, guid}: EventRow) => `${type} on ${hostname === '' ? (guid ?? 'no computer') : hostname}`

/** `false`: it starts a playbook. */
function isTold(run: Run, rule: Rule & KeptAutomation, row: EventRow) {
	const {store, clock, notify} = run
	const known = firingOf(run, rule, keyOf(row), row.at)
	const message = whatOf(row)
	if (store.acted(rule.id, iso(clock.now() - rule.minutes * 60_000)) >= rule.most) {
		const isFirst = store.firings(rule.id, 1)[0]?.outcome !== 'limited'
		const isNew = store.tell({...known, outcome: 'limited', message})
		const body = `More than ${rule.most} in ${rule.minutes} min. The others are listed and start nothing.`
		if (isNew && isFirst) notify({title: `Rule at its limit: ${rule.name}`, body})
		return true
	}
	if (rule.playbook !== null) return false
	const isNew = store.tell({...known, outcome: 'notified', message})
	if (isNew) notify({title: `${rule.name}: ${message}`, body: row.detection ?? row.about ?? row.type})
	return true
}

/** Whether the event is settled. */
async function react(run: Run, rule: Rule & KeptAutomation, row: EventRow) {
	const variables = Object.fromEntries(Object.entries(rule.variables).map(([name, text]) => [name, filled(text, row)]))
	const firing = await fire(run, rule, firingOf(run, rule, keyOf(row), row.at), variables)
	if (firing === null) return false
	const what = whatOf(row)
	run.store.tell({...firing, message: firing.message === '' ? what : `${what}: ${firing.message}`})
	return true
}

/** In one pass: placeholders within event data are never expanded. */
function filled(text: string, row: EventRow) {
	return text.replaceAll(placeholder, (_whole, name: string) => String(row[name as 'hostname'] ?? ''))
}

function tried(services: AutomationServices, rule: Rule, from: number): RuleTrial {
	if (services.events === undefined) throw usageError('The stored events are open in a console. Start one, then test the rule.')
	check(services, rule)
	const rows = [...matching(services, rule, from)].flat()
	const acted: number[] = []
	const told = rows.toReversed().map(({at, hostname, type}) => {
		const time = Date.parse(at)
		const isOver = acted.filter(one => one > time - rule.minutes * 60_000).length >= rule.most
		if (!isOver) acted.push(time)
		const outcome: FiringOutcome = isOver ? 'limited' : rule.playbook === null ? 'notified' : 'started'
		return {at, hostname, type, outcome}
	})
	return {from: iso(from), rows: told.toReversed().slice(0, 200), cut: rows.length > 200}
}
