/** The managed configuration of this computer: the file, what last held, and what it makes of everything else. */
import {hash} from 'node:crypto'
import {lstatSync, readFileSync, realpathSync, type Stats, statSync} from 'node:fs'
import {dirname} from 'node:path'

import {parsedJson} from '#shared/is-record.ts'
import type {ManagedFile} from '#base/ports.ts'
import type {NewEntry} from '#core/record/incidents/types.ts'
import type {Database} from '#core/store/database.ts'
import {CordonError, systemCode} from '#contract/errors.ts'
import type {Connection, ConnectionInput} from '#model/connection.ts'
import type {GuardRules} from '#model/guard.ts'
import type {Surface} from '#model/incident.ts'
import {type ManagedPolicy, managedPolicySchema, type ManagedView, nothingManaged} from '#model/managed.ts'
import type {Settings} from '#model/settings.ts'
import {omitUndefined} from '#shared/omit-undefined.ts'
import {checkServerUrl} from '../api/url.ts'
import {
	admitExport,
	admitServer,
	admittedConnection,
	admittedRules,
	admittedSettings,
	appliedConnection,
	appliedRules,
	type Held,
	refusal
} from './held.ts'

interface ManagedOptions {
	/** Left out where a host looks for none. */
	file: ManagedFile | undefined
	/** `profile.db`: remembers what was reported last, and the policy that held last. */
	database: Database
	log: (entry: NewEntry) => void
	surface: Surface
}

/** `digest` names what was reported last, `policy` (JSON) is what held last. */
interface Remembered {
	digest: string
	policy: string
}

const emptyPolicy = managedPolicySchema.parse({}, {jitless: true})

/**
 * What an administrator set and locked. Looked up fresh each time, so that a change holds at once, in every process.
 * Everything that refuses throws `managed` and names the field.
 */
export type Managed = ReturnType<typeof openManaged>

export function openManaged(options: ManagedOptions) {
	const look = createLook(options)
	const held = () => look().held
	const whenHeld = <T>(otherwise: T, apply: (one: Held) => T) => {
		const one = held()
		return one === undefined ? otherwise : apply(one)
	}
	return {
		view: () => whenHeld<ManagedView>({...nothingManaged, path: options.file?.path ?? null}, viewOf),
		/** Changes whenever what is held changes. */
		generation: () => look().digest,
		/** Keys of people; a list that is there is the only one. */
		trust: () => whenHeld<ManagedPolicy['trust']>({}, ({policy}) => policy.trust),
		/** Writes down in the incident log what is new since any process of this profile looked. */
		note: () => note(options, look()),
		settings: {
			applied: (stored: Settings) => whenHeld(stored, ({policy}) => ({...stored, ...omitUndefined(policy.settings)})),
			/** What of a change may be stored; throws when a held field would change. */
			admitted: (change: Partial<Settings>) => whenHeld(change, one => admittedSettings(one, change))
		},
		guards: {
			applied: (stored: GuardRules) => whenHeld(stored, one => appliedRules(one, stored)),
			/** What of new rules is stored, so that held fields keep what the operator had. */
			admitted: (stored: GuardRules, wanted: GuardRules) => whenHeld(wanted, one => admittedRules(one, stored, wanted))
		},
		connections: {
			applied: (stored: Connection) => whenHeld(stored, one => appliedConnection(one, stored)),
			/** What of a new connection or a change may be stored. `before`: where it led until now. */
			admitted: <T extends Partial<ConnectionInput>>(input: T, before?: Connection) =>
				whenHeld(input, one => admittedConnection(one, input, before)),
			/** Throws when nothing may be sent to this server, or not like this. */
			admit: ({url, insecure}: Pick<Connection, 'url' | 'insecure'>) =>
				whenHeld(undefined, one => {
					if (insecure && one.policy.connections.insecure === false) throw refusal('Trust any certificate', 'insecure', one)
					admitServer(one, url)
				}),
			/** Throws where keys must not leave. */
			admitExport: () => whenHeld(undefined, admitExport),
			/** Why nothing may be changed through any connection; `null` when it is not the administrator, empty when it is by intent. */
			readOnlyBecause: () => whenHeld<string | null>(null, readOnlyBecause)
		}
	}
}

/** For profiles without such a file, as in tests. */
export const unmanaged: Managed = {
	view: () => nothingManaged,
	generation: () => 'none',
	trust: () => ({}),
	note: () => {},
	settings: {applied: stored => stored, admitted: change => change},
	guards: {applied: stored => stored, admitted: (_stored, wanted) => wanted},
	connections: {applied: stored => stored, admitted: input => input, admit: () => {}, admitExport: () => {}, readOnlyBecause: () => null}
}

interface Look {
	digest: string
	/** `undefined`: nothing is managed. */
	held: Held | undefined
}

/** Reads the file again only when its stamp changed: this is asked before every call. */
function createLook({file, database}: ManagedOptions) {
	if (file === undefined) return () => ({digest: 'none', held: undefined})
	let seen: {stamp: string; look: Look} | undefined
	let lastGood: ManagedPolicy | undefined
	return () => {
		const stamp = stampOf(file.path)
		if (seen?.stamp === stamp) return seen.look
		const read = readManagedFile(file)
		if (read.kind === 'usable') lastGood = read.policy
		const look = lookOf(read, file.path, () => lastGood ?? rememberedPolicy(database, file.path))
		seen = {stamp, look}
		return look
	}
}

/** A file that cannot be used loosens nothing: what held last holds on. */
function lookOf(read: ReadManaged, path: string, last: () => ManagedPolicy): Look {
	if (read.kind === 'none') return {digest: 'none', held: undefined}
	if (read.kind === 'usable') {
		const digest = hash('sha256', JSON.stringify(read.policy), 'hex')
		return {digest, held: {policy: read.policy, path, broken: null}}
	}
	return {digest: `broken: ${read.problem}`, held: {policy: last(), path, broken: read.problem}}
}

/** What was told of this file last. */
function remembered(database: Database, path: string) {
	const of = `SELECT digest, policy FROM managed_file WHERE path IN (?, '') ORDER BY path DESC LIMIT 1`
	return database.get<Remembered>(of, path)
}

function rememberedPolicy(database: Database, path: string) {
	const row = remembered(database, path)
	const parsed = managedPolicySchema.safeParse(row === undefined ? {} : JSON.parse(row.policy), {jitless: true})
	return parsed.success ? parsed.data : emptyPolicy
}

/**
 * One entry for each change of a file, whichever process sees it first; entry and memory stand or fall together. A process
 * that looks at another file tells of that once, and which one holds the others.
 */
function note({file, database, log, surface}: ManagedOptions, {digest, held}: Look) {
	if (file === undefined || toldOf(database, file.path) === digest) return
	database.transaction(
		() => {
			const before = toldOf(database, file.path)
			if (before === digest) return
			const others = othersHeld(database, file.path)
			const policy = JSON.stringify(held?.policy ?? emptyPolicy)
			// A profile without managed settings reports that again after this change.
			database.run(`DELETE FROM managed_file WHERE digest = 'none'`)
			const keep = 'INSERT OR REPLACE INTO managed_file (path, digest, policy) VALUES (?, ?, ?)'
			database.run(keep, file.path, digest, policy)
			log(entryOf({before, held, path: file.path, others, surface}))
		},
		{durable: true}
	)
}

/** What the log says of this file; `undefined`: nothing yet, while another one holds. */
function toldOf(database: Database, path: string) {
	const told = remembered(database, path)?.digest
	return told ?? (othersHeld(database, path).length === 0 ? 'none' : undefined)
}

/** Other files that hold processes on this profile. */
function othersHeld(database: Database, path: string) {
	const rows = `SELECT path FROM managed_file WHERE path NOT IN (?, '') AND digest <> 'none' ORDER BY path`
	return database.all<{path: string}>(rows, path).map(row => row.path)
}

interface Noted {
	before: string | undefined
	held: Held | undefined
	path: string
	others: readonly string[]
	surface: Surface
}

function entryOf({before, held, path, others, surface}: Noted): NewEntry {
	const data = held === undefined ? {path} : {path, policy: held.policy}
	const beside = others.length === 0 ? '' : ` Other processes on this profile are held by ${others.join(', ')}.`
	return {kind: 'managed.changed', surface, message: `${sentenceOf(before, held, path)}${beside}`, data}
}

function sentenceOf(before: string | undefined, held: Held | undefined, path: string) {
	if (held === undefined && before === undefined)
		return `Managed configuration taken away for this process: it looks at ${path}, and there is none.`
	if (held === undefined) return `Managed configuration taken away: ${path} sets nothing any more.`
	if (held.broken !== null)
		return `Managed configuration cannot be used. ${held.broken} What held last holds on, and every connection is read-only.`
	const verb = before === undefined || before === 'none' ? 'applied' : 'changed'
	return `Managed configuration ${verb}: ${path} (${heldNames(held.policy).join(', ') || 'it holds nothing'}).`
}

/** `settings.theme`, `guards.largestJob`, … */
function heldNames(policy: ManagedPolicy) {
	return Object.entries(policy).flatMap(([part, fields]) => Object.keys(omitUndefined(fields)).map(name => `${part}.${name}`))
}

function viewOf({policy, path, broken}: Held): ManagedView {
	const {servers, readOnly, insecure, exportKeys} = policy.connections
	return {
		state: broken === null ? 'applied' : 'broken',
		path,
		problem: broken,
		settings: Object.keys(omitUndefined(policy.settings)) as ManagedView['settings'], // the schema's own keys
		guards: Object.keys(omitUndefined(policy.guards)) as ManagedView['guards'], // likewise
		connections: {
			servers: servers ?? null,
			readOnly: readOnly === true || broken !== null,
			verified: insecure === false,
			keysStay: exportKeys === false || broken !== null
		}
	}
}

function readOnlyBecause({policy, broken}: Held) {
	if (broken !== null) return `${broken} Until it is repaired, nothing is changed.`
	return policy.connections.readOnly === true ? '' : null
}

/** The managed configuration file as it lies there: who could have written it, and whether it can be used. */
type ReadManaged =
	| {kind: 'none'}
	| {kind: 'usable'; policy: ManagedPolicy}
	/** `problem` is a sentence that names the file. */
	| {kind: 'broken'; problem: string}

/** Far more than any policy needs. */
const mostBytes = 1_048_576

/** Never throws: whatever is wrong is `broken`. A missing file is `none`, unless somebody named it. */
export function readManagedFile({path, named}: ManagedFile): ReadManaged {
	const broken = (what: string): ReadManaged => ({kind: 'broken', problem: `The file ${path} ${what}.`})
	try {
		const real = realpathSync(path)
		const unsafe = process.platform === 'win32' ? undefined : unsafeBecause(real)
		if (unsafe !== undefined) return broken(unsafe)
		const stat = statSync(real)
		if (!stat.isFile()) return broken('is not a file')
		if (stat.size > mostBytes) return broken('has more than 1 MB')
		const read = parsePolicy(readFileSync(real, 'utf8'))
		return 'policy' in read ? {kind: 'usable', policy: read.policy} : broken(read.problem)
	} catch (error) {
		const code = systemCode(error) ?? String(error)
		if (isMissing(path, code)) return named ? broken('was named and is not there') : {kind: 'none'}
		return broken(`cannot be read (${code})`)
	}
}

/** Cheap to ask for: it changes when the file, or who may write it, does. */
function stampOf(path: string) {
	try {
		const {ino, size, mtimeMs, ctimeMs, mode, uid} = statSync(path)
		return [ino, size, mtimeMs, ctimeMs, mode, uid].join(' ')
	} catch (error) {
		return systemCode(error) ?? 'unreadable'
	}
}

/** A link that leads nowhere is not the same as no file: somebody put it there. */
function isMissing(path: string, code: string) {
	if (code !== 'ENOENT' && code !== 'ENOTDIR') return false
	try {
		lstatSync(path)
		return false
	} catch {
		return true
	}
}

function unsafeBecause(real: string) {
	const file = statSync(real)
	if (mayOthersWrite(file)) return 'can be changed by others: run chmod go-w on it'
	if (isStranger(file)) return 'belongs to neither root nor you'
	const folder = statSync(dirname(real))
	const isSticky = (folder.mode & 0o1000) !== 0
	if ((mayOthersWrite(folder) && !isSticky) || isStranger(folder)) return 'lies in a folder that others can change: run chmod go-w on the folder'
	return undefined
}

function mayOthersWrite({mode}: Stats) {
	return (mode & 0o022) !== 0
}

function isStranger({uid}: Stats) {
	return uid !== 0 && uid !== process.getuid?.()
}

function parsePolicy(text: string): {policy: ManagedPolicy} | {problem: string} {
	const json = parsedJson(text)
	if (json === undefined) return {problem: 'is not JSON'}
	const parsed = managedPolicySchema.safeParse(json)
	if (!parsed.success) return {problem: `cannot be used: ${problemOf(parsed.error.issues[0])}`}
	const {connections} = parsed.data
	try {
		const servers = connections.servers?.map(server => checkServerUrl(server).origin)
		return {policy: {...parsed.data, connections: {...connections, ...(servers !== undefined && {servers})}}}
	} catch (error) {
		if (!(error instanceof CordonError)) throw error
		return {problem: 'cannot be used: connections.servers must hold addresses such as https://api.example.com'}
	}
}

interface Issue {
	path: readonly PropertyKey[]
	message: string
	code: string
	keys?: readonly string[]
}

function problemOf(issue: Issue | undefined) {
	const where = issue?.path.map(String).join('.') ?? ''
	if (issue?.code === 'unrecognized_keys')
		return `it knows no ${(issue.keys ?? []).map(key => (where === '' ? key : `${where}.${key}`)).join(', ')}`
	return where === '' ? 'it must be one object' : `${where} cannot have that value`
}
