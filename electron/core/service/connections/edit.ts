import {actingSurface} from '#base/acting.ts'
import type {NewEntry} from '#core/record/incidents/types.ts'
import {ownIdentity} from '#core/store/process-identity.ts'
import {CordonError, hasCode, usageError} from '#contract/errors.ts'
import {type Connection, type ConnectionInput, leadsElsewhere, type OpeningAgreement, opensProduction} from '#model/connection.ts'
import type {Surface} from '#model/incident.ts'
import {confirmOption} from '#model/typed.ts'
import {invalidField} from './input-fault.ts'
import {checkInput, refuseDuplicate} from './input.ts'
import {type SecretChange, streamSecret} from './keys.ts'
import {loginText} from './network-input.ts'
import type {Dependencies} from './dependencies.ts'
import {
	deleteStored,
	disownSandbox,
	forgetAccount,
	isSandboxOf,
	listStored,
	lockedSince,
	ownStored,
	putLocked,
	putStored,
	sandboxId
} from './rows.ts'
import {keyAgainBecause} from './trust-change.ts'

export async function add(deps: Dependencies, input: ConnectionInput): Promise<Connection> {
	const {apiKey, proxyLogin, ...checked} = checkInput(deps.managed.connections.admitted(input), deps.clock.now())
	if (apiKey === undefined) throw invalidField('apiKey', 'is missing')
	const id = Buffer.from(deps.random(8)).toString('hex')
	const connection: Connection = {
		...checked,
		id,
		hasProxyLogin: Boolean(proxyLogin),
		sandbox: false,
		createdAt: new Date(deps.clock.now()).toISOString()
	}
	refuseDuplicate(connection.name, undefined, storedConnections(deps))
	await deps.keys.during(id, {apiKey, ...(proxyLogin && {proxyLogin: loginText(proxyLogin)})}, () =>
		commit(deps, () => {
			refuseDuplicate(connection.name, undefined, storedConnections(deps))
			putStored(deps.database, connection)
			const mode = connection.readOnly ? 'read-only' : 'writing allowed'
			const words = `Connection added: ${connection.name} (${connection.url}, ${mode}).`
			return entry(connection, deps.surface, words, factsOf(connection, watched))
		})
	)
	deps.listeners.changed()
	return connection
}

export async function update(
	deps: Dependencies,
	known: Connection,
	change: Partial<ConnectionInput>,
	agreement?: OpeningAgreement
): Promise<Connection> {
	refuseFixed(deps, known)
	const {id} = known
	let edit = editOf(deps, known, change, agreement)
	const {secrets} = edit
	const store = () =>
		commit(deps, () => {
			// Another change, or the removal, may have come while the secret store was awaited.
			edit = editOf(deps, ownStored(deps.database, id).connection, change, agreement)
			const {before, after} = edit
			if (edit.secrets.proxyLogin !== secrets.proxyLogin)
				throw new CordonError('conflict', `The proxy of ${before.name} was changed meanwhile. Try again.`)
			refuseDuplicate(after.name, id, storedConnections(deps))
			putStored(deps.database, after)
			if (leadsElsewhere(before, after)) forgetAccount(deps.database, id)
			return updatedEntry(before, after, secrets, {surface: deps.surface, reason: agreement?.reason})
		})
	try {
		if (secrets.apiKey === undefined && secrets.proxyLogin === undefined) store()
		else await deps.keys.during(id, secrets, store)
	} catch (error) {
		// What came back into the store belongs to nothing now.
		if (hasCode(error, 'unknown_connection')) await deps.keys.during(id, noSecrets, () => {})
		throw error
	}
	if (leadsElsewhere(edit.before, edit.after)) await forgetStreamPassword(deps, id)
	deps.clients.drop(id)
	deps.listeners.changed()
	return edit.after
}

const noSecrets: SecretChange = {apiKey: null, proxyLogin: null}

function editOf(deps: Dependencies, before: Connection, change: Partial<ConnectionInput>, agreement?: OpeningAgreement) {
	const wanted = Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined))
	const given = deps.managed.connections.admitted<Partial<ConnectionInput>>(wanted, before)
	const {apiKey, proxyLogin: entered, ...checked} = checkInput({...before, ...given}, deps.clock.now(), before.ca)
	const proxyLogin = loginChange(before, checked.proxy, entered)
	const after: Connection = {...before, ...checked, hasProxyLogin: proxyLogin === undefined ? before.hasProxyLogin : proxyLogin !== null}
	refuseOpening(deps, before, after, agreement)
	const again = keyAgainBecause(before, after)
	if (again !== null && apiKey === undefined) throw invalidField('apiKey', `must be entered again, because ${again}`)
	return {before, after, secrets: {apiKey, proxyLogin}}
}

/** One tick must not open a production tenant for changes: whoever does it types its name, and says why. */
function refuseOpening({surface}: Dependencies, before: Connection, after: Connection, agreement: OpeningAgreement | undefined) {
	if (!opensProduction(before, after)) return
	const what = `${before.name} is a production connection, and read-only`
	const isTyped = actingSurface(surface) === 'cli'
	const fix = isTyped ? {fix: `Give --reason TEXT and ${confirmOption(before.name)}.`} : {}
	const needed = (field: string, todo: string) => new CordonError('confirmation_needed', `${what}. ${todo}`, {field, ...fix})
	if ((agreement?.reason ?? '').trim() === '') throw needed('reason', 'Say why it should become read-write.')
	if (agreement?.confirm?.trim() !== before.name) throw needed('confirm', `Type ${before.name} to make it read-write.`)
}

/** What was entered for one proxy is never sent to another. */
function loginChange(before: Connection, proxy: string | null, given: ConnectionInput['proxyLogin']) {
	if (given) return loginText(given)
	return before.hasProxyLogin && (given === null || proxy !== before.proxy) ? null : undefined
}

export async function remove(deps: Dependencies, connection: Connection) {
	if (connection.stopped !== true) refuseFixed(deps, connection)
	await deps.keys.during(connection.id, noSecrets, () =>
		commit(deps, () => {
			deleteStored(deps.database, connection.id)
			return entry(connection, deps.surface, `Connection removed: ${connection.name}.`, factsOf(connection, watched))
		})
	)
	await forgetStreamPassword(deps, connection.id)
	deps.clients.drop(connection.id)
	deps.listeners.changed()
}

/** Nobody reads its event stream now; a store that cannot forget keeps a password without use. */
async function forgetStreamPassword({secrets}: Dependencies, id: string) {
	await secrets.remove(streamSecret(id)).catch(() => {})
}

/** Switching writing off must work whatever else is broken; switching it on leaves its entry first. */
export function setLocked(deps: Dependencies, connection: Connection, locked: boolean) {
	const {database, clock} = deps
	if ((lockedSince(database, connection.id) !== undefined) === locked) return
	const words = `Changes on ${connection.name} were ${locked ? 'locked' : 'unlocked'}.`
	const logged = entry(connection, deps.surface, words, {locked})
	const store = () => putLocked(database, connection.id, locked ? new Date(clock.now()).toISOString() : undefined)
	if (!locked) {
		commit(deps, () => {
			store()
			return logged
		})
	} else {
		database.transaction(store, {durable: true})
		deps.listeners.changed()
		deps.log?.(logged)
	}
	deps.listeners.changed()
}

export async function registerSandbox(deps: Dependencies, {url, clientId, apiKey}: {url: string; clientId: string; apiKey: string}) {
	const {database, clock} = deps
	const owner = ownIdentity()
	const connection: Connection = {
		id: sandboxId,
		name: 'Sandbox',
		url,
		clientId,
		insecure: false,
		colour: 'teal',
		environment: 'sandbox',
		readOnly: false,
		proxy: null,
		hasProxyLogin: false,
		ca: null,
		sandbox: true,
		createdAt: new Date(clock.now()).toISOString()
	}
	deps.keys.hold(sandboxId, apiKey)
	await withSandboxKey(deps, apiKey, () =>
		database.transaction(() => {
			putStored(database, connection, owner)
			// A sandbox that starts is another tenant.
			forgetAccount(database, sandboxId)
		})
	)
	deps.clients.drop(sandboxId)
	deps.listeners.changed()
	return async () => {
		deps.keys.hold(sandboxId, undefined)
		if (!isSandboxOf(database, owner)) return
		const isAlone = listStored(database).length === 1
		await withSandboxKey(deps, null, () => database.transaction(() => (isAlone ? deleteStored : disownSandbox)(database, sandboxId)))
		deps.clients.drop(sandboxId)
		deps.listeners.changed()
	}
}

/**
 * Stored for the other processes of this profile. It opens nothing real: where no key can be kept, nobody may be kept
 * from looking around, and the process that runs the sandbox knows its key.
 */
async function withSandboxKey(deps: Dependencies, apiKey: string | null, work: () => void) {
	if ((await deps.secrets.unavailable()) !== null) return work()
	await deps.keys.during(sandboxId, {apiKey}, work)
}

/** The change and its entry stand or fall together: without the entry the change is rolled back. */
function commit(deps: Dependencies, work: () => NewEntry | undefined) {
	deps.database.transaction(
		() => {
			const entry = work()
			if (entry !== undefined) deps.log?.(entry)
		},
		{durable: true}
	)
}

function storedConnections({database}: Dependencies) {
	return listStored(database).map(stored => stored.connection)
}

function refuseFixed(deps: Dependencies, connection: Connection) {
	if (connection.sandbox) throw usageError('The embedded sandbox cannot be changed or removed; it goes away with its console.')
	if (deps.transients.get(connection.id) !== undefined) throw usageError('A connection given on the command line cannot be changed.')
}

/** What the incident log says about changes of connections. The key itself is never among it. */
const watched = [
	'name',
	'url',
	'clientId',
	'insecure',
	'colour',
	'environment',
	'readOnly',
	'proxy',
	'hasProxyLogin',
	'ca'
] as const satisfies readonly (keyof Connection)[]

const titles: Readonly<Record<(typeof watched)[number] | 'apiKey' | 'proxyLogin', string>> = {
	name: 'name',
	url: 'address',
	clientId: 'client ID',
	apiKey: 'API key',
	insecure: 'trust any certificate',
	colour: 'colour',
	environment: 'environment',
	readOnly: 'read-only',
	proxy: 'proxy',
	hasProxyLogin: 'credentials for the proxy',
	proxyLogin: 'credentials for the proxy',
	ca: 'own authorities'
}

/** `undefined` when nothing changed. */
function updatedEntry(
	before: Connection,
	after: Connection,
	secrets: SecretChange,
	{surface, reason}: {surface: Surface; reason?: string | undefined}
) {
	const changed = watched.filter(name => before[name] !== after[name])
	const replaced = (['apiKey', 'proxyLogin'] as const).filter(name => typeof secrets[name] === 'string')
	const names = [...new Set([...changed, ...replaced].map(name => changeWords(name, after)))]
	if (names.length === 0) return undefined
	const data = {
		before: factsOf(before, changed),
		after: factsOf(after, changed),
		...(reason !== undefined && reason.trim() !== '' && {reason: reason.trim()})
	}
	return entry(after, surface, `Connection changed: ${before.name} (${names.join(', ')}).`, data)
}

/** A switch is logged with its new value: "read-only" alone would read as its opposite when switched off. */
function changeWords(name: keyof typeof titles, after: Connection) {
	const value = name === 'apiKey' || name === 'proxyLogin' ? undefined : after[name]
	return typeof value === 'boolean' && name !== 'hasProxyLogin' ? `${titles[name]} switched ${value ? 'on' : 'off'}` : titles[name]
}

function entry(connection: Connection, surface: Surface, message: string, data: Readonly<Record<string, unknown>>): NewEntry {
	const {id, name, url} = connection
	return {kind: 'connection.changed', surface, message, connection: {id, name, url}, data}
}

function factsOf(connection: Connection, names: readonly (keyof Connection)[]): Record<string, unknown> {
	return Object.fromEntries(names.map(name => [name, connection[name]]))
}
