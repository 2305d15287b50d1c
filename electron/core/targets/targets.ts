/** The targets of a profile: stored, changed, tested, and sent to. */
import {isAbsolute, join, resolve, sep} from 'node:path'

import {CordonError, invalidArgument} from '#contract/errors.ts'
import type {Surface} from '#model/incident.ts'
import {targetSchema, type TargetDefinition, type TargetInput, type TargetRow} from '#model/target.ts'

import {actingSurface} from '#base/acting.ts'
import {timeOrderedId} from '#base/ids.ts'
import type {Clock, SecretStore} from '#base/ports.ts'
import type {IncidentLog} from '#core/record/incidents/types.ts'
import type {Connections} from '#core/service/connections/types.ts'
import {checkAuthorities} from '#core/service/connections/network-input.ts'
import type {Database} from '#core/store/database.ts'
import {isHeld, lockHolder, tryLockFile} from '#core/store/lock-file.ts'
import {openSession, problemOf, startPump, type Pump, type PumpDependencies} from './pump.ts'
import type {Batch, SessionHost, Source} from './session.ts'
import {endOf, sourcesOf} from './sources.ts'
import {openTargetStore, type StoredTarget, type TargetStore} from './store.ts'
import {webhookKey} from './webhook.ts'

interface TargetsOptions {
	/** The profile's folder. */
	profile: string
	clock: Clock
	secrets: SecretStore
	random(bytes: number): Uint8Array
	database: Database
	log: IncidentLog
	connections: Pick<Connections, 'find'>
	events: PumpDependencies['events']
	surface: Surface
	onChange?(): void
	/** Notifies the operator. */
	tell(title: string, body: string): void
	onTrouble(message: string, error: unknown): void
	syslogTimes?: PumpDependencies['syslogTimes']
}

export interface SaveTarget {
	/** Default: a new one. */
	readonly id?: string | undefined
	readonly definition: TargetInput
	/** For a webhook; a new target without one gets a generated one. */
	readonly secret?: string | undefined
	/** A new target begins with the stored entries instead of later ones only. */
	readonly fromBeginning?: boolean | undefined
}

interface Sending {
	pump: Pump
	release(): void
}

interface Run extends TargetsOptions {
	store: TargetStore
	sending: Map<string, Sending>
	/** Whether this process sends: a command that only changes a target leaves sending to the console. */
	sends: boolean
}

export type Targets = ReturnType<typeof openTargets>

export function openTargets(options: TargetsOptions) {
	const run: Run = {...options, store: openTargetStore(options.database), sending: new Map(), sends: false}
	const {store} = run
	return {
		list: () => Promise.all(store.all().map(target => rowOf(run, target))),
		save: (wanted: SaveTarget) => save(run, wanted),
		/** By ID or name, like the others. */
		find: store.find,
		setEnabled: async (word: string, enabled: boolean) => {
			const {id, definition} = store.find(word)
			const wanted = {...definition, enabled}
			return await keep(run, {key: id, definition: enabled ? checked(run, wanted, definition) : wanted, before: definition})
		},
		remove: async (word: string) => {
			const target = store.find(word)
			await note(run, `Removed the target ${target.definition.name}.`, target.definition)
			store.remove(target.id)
			await run.secrets.remove(secretOf(target.id))
			await look(run)
			run.onChange?.()
		},
		/** Sends one test message. Rejects with the error. */
		test: (word: string, signal: AbortSignal) => test(run, store.find(word), signal),
		/** Newest first. */
		refused: (word: string, most: number) => store.refused(store.find(word).id, most),
		/** Sends to every enabled target, including later ones; skips those of another process. */
		sendAll: () => {
			run.sends = true
			return look(run)
		},
		/** Entries may have been stored. */
		wake: () => run.sending.forEach(({pump}) => pump.wake()),
		stop: async () => {
			run.sends = false
			await Promise.all([...run.sending.keys()].map(id => leave(run, id)))
		}
	}
}

const lockOf = ({profile}: Run, id: string) => join(profile, `target-${id}.lock`)
const isSentTo = (run: Run, id: string) => run.sending.has(id) || lockHolder(lockOf(run, id)) !== undefined

function secretOf(id: string) {
	return `target/${id}`
}

async function rowOf(run: Run, target: StoredTarget): Promise<TargetRow> {
	const {id, definition, createdAt, state} = target
	const backlogs = await Promise.all(sourcesOf(definition).map(source => backlogOf(run, target, source)))
	// The last report of an ended process is out of date.
	const phase = definition.enabled && isSentTo(run, id) ? state.phase : 'off'
	return {id, definition, createdAt, state: {...state, phase}, backlog: backlogs.reduce((sum, one) => sum + one, 0)}
}

async function backlogOf(run: Run, {id, definition}: StoredTarget, source: Source) {
	const cursor = run.store.cursor(id, source)
	const end = cursor && (await endOf(run, definition, source).catch(() => null))
	if (cursor === undefined || end === undefined || end === null) return 0
	return Math.max(0, end.position - (end.generation === cursor.generation ? cursor.position : 0))
}

async function save(run: Run, {id, definition: input, secret, fromBeginning}: SaveTarget) {
	const before = id === undefined ? undefined : run.store.find(id).definition
	const definition = checked(run, input, before)
	const key = id ?? timeOrderedId(run.clock.now(), run.random).toLowerCase()
	run.store.refuseTaken(key, definition)
	const kept = await secretFor(run, key, definition, before === undefined, secret)
	return {
		target: await keep(run, {key, definition, before, fromBeginning, secret: kept}),
		/** A new signing secret: shown only this once. */
		secret: secret === undefined ? (kept ?? null) : null
	}
}

interface Checked extends Pick<SaveTarget, 'fromBeginning' | 'secret'> {
	key: string
	definition: TargetDefinition
	before: TargetDefinition | undefined
}

async function keep(run: Run, {key, definition, before, fromBeginning, secret}: Checked) {
	const now = new Date(run.clock.now()).toISOString()
	await note(run, `${before === undefined ? 'Added' : 'Changed'} the target ${definition.name}.`, definition)
	if (secret !== undefined) await run.secrets.write(secretOf(key), secret)
	run.store.put(key, definition, now)
	const goesOn = {events: before?.events?.connection === definition.events?.connection, log: (before?.log ?? null) !== null}
	for (const source of sourcesOf(definition)) {
		if (goesOn[source] && run.store.cursor(key, source) !== undefined) continue
		const end = await endOf(run, definition, source)
		if (end !== null) run.store.setCursor(key, source, fromBeginning === true ? {...end, position: 0} : end)
	}
	await look(run)
	run.onChange?.()
	return await rowOf(run, run.store.find(key))
}

/** An authority that is stored already may have expired meanwhile. */
function checked(run: Run, input: TargetInput, before: TargetDefinition | undefined) {
	const parsed = targetSchema.safeParse(input)
	if (!parsed.success) {
		const {path = [], message = ''} = parsed.error.issues[0] ?? {}
		// Ours begin small.
		const wrong = message.replace(/^(?=[A-Z])/, 'is wrong. ')
		throw invalidArgument(`The target's ${String(path.at(-1) ?? 'definition')} ${wrong}.`, path.join('.'))
	}
	const {to, events, enabled} = parsed.data
	if (enabled && events !== null) run.connections.find(events.connection)
	if (to.kind === 'file') checkPath(run, to.path)
	else checkAuthorities(to.ca, run.clock.now(), before !== undefined && 'ca' in before.to ? before.to.ca : null)
	return parsed.data
}

/** A typing error must not overwrite the profile's own files. */
function checkPath({profile}: Run, path: string) {
	const isInside = resolve(path).startsWith(resolve(profile) + sep)
	if (isAbsolute(path) && !isInside) return
	const problem = isInside ? 'lies in the folder of the profile: name another one' : 'is not absolute'
	throw invalidArgument(`The path ${path} ${problem}.`, 'to.path')
}

/** Resolves with the secret to store, if any. */
async function secretFor(run: Run, id: string, {to}: TargetDefinition, isNew: boolean, given: string | undefined) {
	if (to.kind !== 'webhook') return undefined
	if (given === undefined && !isNew && (await run.secrets.read(secretOf(id))) !== undefined) return undefined
	if (given !== undefined && webhookKey(given).length < 16) throw invalidArgument('The signing secret has fewer than 16 bytes.', 'secret')
	const problem = await run.secrets.unavailable()
	if (problem !== null) throw new CordonError('secret_unavailable', problem)
	return given ?? `whsec_${Buffer.from(run.random(32)).toString('base64')}`
}

/** Before the change: without an entry there is no change. */
async function note({log, surface}: Run, message: string, definition: TargetDefinition) {
	const {to, events, log: entries, format, enabled} = definition
	const where = to.kind === 'file' ? to.path : to.kind === 'webhook' ? to.url : `${to.host}:${to.port}`
	const data = {target: definition.name, kind: to.kind, where, events, log: entries, format, enabled}
	await log.append({kind: 'forwarding.changed', surface: actingSurface(surface), message, data})
}

async function look(run: Run) {
	const enabled = () => run.store.all().filter(({definition}) => definition.enabled)
	const wanted = new Map(enabled().map(({id, revision}) => [id, revision]))
	for (const [id, {pump}] of run.sending) if (wanted.get(id) !== pump.revision) await leave(run, id)
	// Another change, or the end, may have come meanwhile.
	if (run.sends) for (const target of enabled()) if (!run.sending.has(target.id)) begin(run, target)
}

function begin(run: Run, target: StoredTarget) {
	const lock = tryLockFile(lockOf(run, target.id))
	if (!isHeld(lock)) return
	const pump = startPump(
		{
			...run,
			secret: id => run.secrets.read(secretOf(id)),
			onChange: () => run.onChange?.(),
			tell: ({definition: {name}}, what) => run.tell(`Target ${name}`, `The target ${name} ${what}`)
		},
		target
	)
	run.sending.set(target.id, {pump, release: () => lock.release()})
}

async function leave({sending}: Run, id: string) {
	const found = sending.get(id)
	sending.delete(id)
	await found?.pump.stop()
	found?.release()
}

/** At once, but long enough to notice a receiver that closes what it accepted. */
const testTimes = {longestMs: 0, settleMs: 1000, patienceMs: 15_000}

async function test(run: Run, {id, definition}: StoredTarget, signal: AbortSignal) {
	const {to} = definition
	const began = run.clock.monotonic()
	const {promise: arrived, resolve, reject} = Promise.withResolvers<void>()
	const host: SessionHost = {
		clock: run.clock,
		signal,
		isWritten: !run.sending.has(id) && isSentTo(run, id),
		secret: to.kind === 'webhook' ? await run.secrets.read(secretOf(id)) : undefined,
		delivered: () => resolve(),
		fail: reject,
		refuse: (_source, _item, reason) => reject(new Error(reason))
	}
	try {
		const session = await openSession(to, host, testTimes)
		await Promise.all([arrived, session.send(testBatch(run))]).finally(() => session.close())
	} catch (error) {
		throw new CordonError('unreachable', `The test of ${definition.name} failed. ${problemOf(error).whole}`, {}, {cause: error})
	}
	return {ms: Math.round(run.clock.monotonic() - began)}
}

function testBatch({clock, random}: Run): Batch {
	const at = new Date(clock.now()).toISOString()
	const id = `test-${timeOrderedId(clock.now(), random)}`
	const body = JSON.stringify({test: true, message: 'A test of Cordon. Nothing happened.', at})
	return {source: 'log', generation: '', upTo: 1, items: [{position: 1, id, kind: 'test', at, severity: 0, body}]}
}
