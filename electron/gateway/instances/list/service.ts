/** The list service: a built-in instance that publishes an external dynamic list (route description, 2.2 and 5.1). */
import {mkdir, rm} from 'node:fs/promises'
import {join} from 'node:path'

import type {Clock} from '#base/ports.ts'
import {CordonError, messageOf} from '#contract/errors.ts'
import type {ListStatus} from '#contract/instances.ts'
import type {ListService} from '#model/instance.ts'
import type {ServiceOptions} from '../http-service.ts'
import {buildInThread} from './build-thread.ts'
import type {BuildFacts} from './build.ts'
import {startListServer} from './list-server.ts'
import type {Base} from './render.ts'
import {type BuildRecord, openShelf, type Shelf} from './shelf.ts'
import {type FetchFileList, localSources} from './sources.ts'

export interface ListServiceOptions extends ServiceOptions<ListService> {
	fetchFileList: FetchFileList
}

export type RunningList = Awaited<ReturnType<typeof startListService>>

/** Serves the last good list at once, if any. Rejects with `taken` when the port is in use. */
export async function startListService(options: ListServiceOptions) {
	await mkdir(options.folder, {recursive: true, mode: 0o700})
	const shelf = await openShelf(options.folder)
	const list = createList(options, shelf)
	const server = await startListServer({...options, shelf, ...list})
	const done = list.run()
	const stop = async () => {
		list.stop()
		await Promise.all([done, server.stop()])
	}
	const {status, publish, refresh, reload} = list
	return {
		/** As bound. */
		port: server.port,
		status,
		/** Publishes a list held by the shrink guard; otherwise does nothing. */
		publish,
		/** Rebuilds now. Resolves at its end in any case: see the status. */
		refresh,
		/** Replaces the definition and rebuilds at once. */
		reload,
		stop
	}
}

/** Sooner retry after a failure. */
const retryMs = 60_000

function createList({folder: _folder, clock, fetchFileList, onTrouble, ...given}: ListServiceOptions, shelf: Shelf) {
	let {definition} = given
	let problem: string | null = null
	let told = ''
	let building: Promise<void> | null = null
	let wake = new AbortController()
	let attempt = new AbortController()
	const stopping = new AbortController()
	let ids = 0
	const status = () => statusOf(shelf, definition, problem)

	/** One build at a time; callers meanwhile share the running one. */
	function rebuildNow() {
		building ??= attemptBuild().finally(() => (building = null))
		return building
	}

	async function attemptBuild() {
		const {signal} = attempt
		const id = `build-${clock.now()}-${process.pid}-${(ids += 1)}`
		try {
			await rebuild({shelf, definition, id, fetchFileList, clock, signal})
			problem = null
			const held = heldFor(shelf, definition)
			if (held?.id === id) tell(`was not published. ${heldReason(held)}`)
			else told = ''
		} catch (error) {
			if (signal.aborted) return
			problem = messageOf(error)
			tell(`stays as it is. ${problem}`, error)
		}
	}

	/** Reports once, not at every refresh. */
	function tell(what: string, error?: unknown) {
		if (what !== told) onTrouble(`The list "${given.instance.name}" ${what}`, error)
		told = what
	}

	async function run() {
		let wait = dueIn(shelf, definition, clock.now())
		while (!stopping.signal.aborted) {
			const woken = await pause(clock, wait, wake.signal)
			if (stopping.signal.aborted) return
			if (woken) wake = new AbortController()
			await rebuildNow()
			wait = problem === null ? definition.refreshS * 1000 : Math.min(retryMs, definition.refreshS * 1000)
		}
	}

	function reload(next: ListService) {
		definition = next
		restart()
	}

	/** Abandons the running build, and starts again. */
	function restart() {
		attempt.abort()
		attempt = new AbortController()
		wake.abort()
	}

	async function publish() {
		if (heldFor(shelf, definition) === null) return status()
		await shelf.release()
		// The running build was compared with the list just replaced.
		if (building !== null) restart()
		return status()
	}

	async function refresh() {
		await rebuildNow()
		return status()
	}

	function stop() {
		stopping.abort()
		attempt.abort()
		wake.abort()
	}

	return {run, reload, publish, refresh, status, stop, definition: () => definition, served: () => served(shelf, definition)}
}

/** A fresh list of the same definition is not rebuilt at startup. */
function dueIn(shelf: Shelf, definition: ListService, now: number) {
	const current = served(shelf, definition)
	if (current === null || JSON.stringify(current.definition) !== JSON.stringify(definition)) return 0
	const age = now - current.builtAt
	return age < 0 ? 0 : Math.max(0, definition.refreshS * 1000 - age)
}

/** Resolves with whether it was woken early. */
async function pause(clock: Clock, ms: number, signal: AbortSignal) {
	if (ms <= 0) return false
	try {
		await clock.sleep(ms, signal)
		return false
	} catch {
		return true
	}
}

/** The list to serve, only if of the right type. */
function served({current}: Shelf, definition: ListService) {
	return current?.definition.type === definition.type ? current : null
}

function heldFor({held}: Shelf, definition: ListService) {
	return held?.definition.type === definition.type ? held : null
}

function heldReason({facts: {difference}}: BuildRecord) {
	const {lost, before} = difference ?? {lost: 0, before: 0}
	return `It would lose ${lost} of ${before} values. Publish it if that is right; until then the last list is served.`
}

/** `problem`: why the last build was not published, if so. */
function statusOf(shelf: Shelf, definition: ListService, problem: string | null): ListStatus {
	const current = served(shelf, definition)
	const held = heldFor(shelf, definition)
	return {
		entries: current?.facts.entries ?? 0,
		dropped: current?.facts.dropped ?? 0,
		builtAt: current === null ? null : new Date(current.builtAt).toISOString(),
		etag: current === null ? null : `"${current.facts.bodies[current.definition.format]?.sha256}"`,
		problem: problem ?? (held === null ? null : heldReason(held)),
		heldBack: held === null ? null : heldBack(held)
	}
}

function heldBack({facts, builtAt}: BuildRecord): ListStatus['heldBack'] {
	return {entries: facts.entries, lost: facts.difference?.lost ?? 0, at: new Date(builtAt).toISOString()}
}

/** Decides on a finished build: published, held, or discarded. */
interface Rebuild {
	shelf: Shelf
	definition: ListService
	/** Unused before, begins with `build-`. */
	id: string
	fetchFileList: FetchFileList
	clock: Clock
	signal: AbortSignal
}

/** Builds and publishes, or holds what the shrink guard stops. Rejects when the last good list stays. */
async function rebuild(request: Rebuild) {
	const {shelf, definition, id, clock} = request
	const compared = served(shelf, definition)
	const releases = [shelf.holdId(id), ...(compared === null ? [] : [shelf.holdId(compared.id)])]
	const [builtAt, began] = [clock.now(), clock.monotonic()]
	try {
		const facts = await buildIn(shelf.folderOf(id), request, compared === null ? null : shelf.baseOf(compared))
		const seconds = (clock.monotonic() - began) / 1000
		await settle(request, {version: 1, id, definition, builtAt, changedAt: builtAt, seconds, facts}, compared)
	} finally {
		for (const release of releases) release()
	}
}

async function buildIn(folder: string, {definition, fetchFileList, signal}: Rebuild, previous: Base | null) {
	await mkdir(folder, {mode: 0o700})
	const sources = await localSources(definition.sources, fetchFileList, folder, signal)
	const facts = await buildInThread({definition, sources, folder, previous}, signal)
	await Promise.all(sources.map((_, index) => rm(join(folder, `source-${index}`), {force: true})))
	return facts
}

async function settle({shelf, definition}: Rebuild, next: BuildRecord, compared: BuildRecord | null) {
	if (next.facts.entries === 0 && !definition.allowEmpty) {
		throw new CordonError('conflict', 'The list was not published: it would be empty, which this list does not allow.')
	}
	// A held list was published meanwhile: compare the next build with that one.
	if (served(shelf, definition) !== compared) throw new CordonError('busy')
	if (compared !== null && losesTooMuch(next.facts, definition)) return shelf.put('held', next)
	if (compared !== null && isSame(compared, next)) {
		await shelf.put('current', {...next, id: compared.id, changedAt: compared.changedAt})
	} else await shelf.put('current', next)
	if (shelf.held !== null) await shelf.put('held', null)
}

function losesTooMuch({difference}: BuildFacts, {shrinkGuardPercent}: ListService) {
	return difference !== null && difference.lost * 100 > shrinkGuardPercent * difference.before
}

/** The same bytes keep their time, so that nobody downloads them again. */
function isSame(old: BuildRecord, next: BuildRecord) {
	const {difference, bodies} = next.facts
	const same = difference !== null && difference.lost + difference.gained === 0 && old.facts.invalid === next.facts.invalid
	const formats = new Set([...Object.keys(bodies), ...Object.keys(old.facts.bodies)])
	return same && [...formats].every(format => shaOf(old, format) === shaOf(next, format))
}

function shaOf(record: BuildRecord, format: string) {
	return Object.entries(record.facts.bodies).find(([name]) => name === format)?.[1].sha256
}
