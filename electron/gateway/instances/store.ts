import type {ZodType} from 'zod'

import type {SaveInput} from '#core/app/gateway.ts'
import type {Clock, SecretStore} from '#base/ports.ts'
import type {NewEntry} from '#core/record/incidents/types.ts'
import {createListeners} from '#core/service/connections/listeners.ts'
import type {Database} from '#core/store/database.ts'
import {CordonError, usageError, invalidArgument} from '#contract/errors.ts'
import type {ParameterRow} from '#contract/instances.ts'
import type {Surface} from '#model/incident.ts'
import {type Instance, type InstanceDefinition, instanceDefinitionSchema, type InstanceSecrets, instanceSecretsSchema} from '#model/instance.ts'
import {exposeKey, exposureOf, instanceOfKey, parameterMeaning, parameterProblem, readParameters} from '#model/server-parameter.ts'
import {addedEntry, changedEntry, confirmed, type Described, entry, parameterEntry, removedEntry} from './changes.ts'
import {withoutValues, withStoredValues} from './environment.ts'
import {
	askForRestart,
	countChange,
	deleteAlias,
	deleteInstance,
	listInstances,
	listParameters,
	putAlias,
	putInstance,
	putParameter,
	revisionOf
} from './rows.ts'
import {
	demandConfirmation,
	refuseChanged,
	refuseExposedCertificate,
	refuseOwnPort,
	refuseTaken,
	refuseUselessAccess,
	type Stock
} from './rules.ts'
import {openSigningKeys} from './signing-keys.ts'
import type {InstanceStore, Snapshot, StoredInstance, Verifiers} from './types.ts'

/** Opens nothing: the database is read at first use, and closed by its owner. */
export function openInstanceStore(options: StoreOptions): InstanceStore {
	const {database, clock} = options
	const listeners = createListeners(clock, () => String(revisionOf(database)))
	const deps: StoreDependencies = {...options, changed: listeners.changed}
	let known: Snapshot | undefined
	const snapshot = () => {
		if (known?.revision !== revisionOf(database)) known = database.transaction(() => takeSnapshot(database))
		return known
	}
	const find = (idOrName: string) => findAmong(snapshot().instances, idOrName)
	const parameterRows = (): readonly ParameterRow[] => {
		const {instances, parameters: rows} = snapshot()
		const names = instances.map(({name}) => name)
		return Object.entries(rows).map(([key, value]) => ({key, value, meaning: parameterMeaning(key, names)}))
	}
	return {
		list: () => snapshot().instances,
		find,
		save: async input => withoutValues(await save(deps, input.id === undefined ? input : {...input, id: find(input.id).id})),
		remove: async id => remove(deps, find(id).id),
		setEnabled: (id, enabled) => withoutValues(change(deps, find(id).id, {enabled})),
		setExposed: (id, exposed, confirm) => withoutValues(setExposed(deps, find(id).id, exposed, confirm)),
		setOpenPort: (id, open, confirm) => withoutValues(change(deps, openable(find(id)).id, {openPort: open}, confirm)),
		restart: id => withoutValues(restart(deps, find(id).id)),
		parameters: () => snapshot().parameters,
		settings: snapshot,
		parameterRows,
		setParameter: (key, value, confirm) => {
			setParameter(deps, key, value, confirm)
			return parameterRows()
		},
		note: (message, data) =>
			database.transaction(
				() => {
					countChange(database)
					options.log(entry(options.surface, message, data))
				},
				{durable: true}
			),
		snapshot,
		onChange: listener => listeners.add(listener),
		stop: () => listeners.stop()
	}
}

/** Of one moment: another process may write between two queries. */
function takeSnapshot(database: Database): Snapshot {
	const stored = listInstances(database)
	const instances = stored.map(({instance}) => withoutValues(instance))
	const parameters = listParameters(database)
	const read = readParameters(
		parameters,
		instances.map(({name}) => name)
	)
	return {revision: revisionOf(database), stored, instances, parameters, ...read}
}

function openable(instance: Instance) {
	if (instance.program.kind !== 'external') return instance
	throw usageError(`Someone else runs the instance ${instance.name}: where it listens is not for Cordon to say.`)
}

function findAmong(list: readonly Instance[], idOrName: string) {
	const name = idOrName.normalize('NFC')
	const found = list.find(one => one.id === idOrName) ?? list.find(one => one.name === name) ?? list.find(({aliases}) => aliases.includes(name))
	if (found !== undefined) return found
	const known = list.length === 0 ? 'There is none yet.' : `Instances: ${list.map(one => one.name).join(', ')}.`
	throw new CordonError('unknown_instance', `There is no instance ${idOrName}.`, {field: 'id', fix: known})
}

/** Changes of instances and server parameters: each is one transaction with its incident log entry. */
async function save(deps: StoreDependencies, input: SaveInput) {
	const given = parse(instanceDefinitionSchema, input.definition)
	const secrets = parse(instanceSecretsSchema, input.secrets ?? {})
	const id = input.id ?? Buffer.from(deps.random(8)).toString('hex')
	const known = listInstances(deps.database)
	const old = input.id === undefined ? undefined : storedBy(known, input.id).instance
	const listenPort = given.listenPort ?? old?.listenPort ?? (await freePort(deps, given.host))
	const definition = {...given, listenPort}
	// Checked before the slow part, and again within the transaction.
	refuseTaken(
		{id, ...definition},
		known.map(({instance}) => instance)
	)
	refuseOwnPort(definition, listParameters(deps.database))
	const verifiers = await verifiersOf(deps, secrets)
	const newSecrets = Object.entries(secrets).flatMap(([name, value]) => (value === undefined ? [] : [name]))
	await openSigningKeys(deps.secrets).during(id, secrets.signingKey, () =>
		commit(deps, input.confirm, () => {
			const before = input.id === undefined ? undefined : described(deps, id)
			refuseChanged(before?.instance, input.revision)
			const stored = merged(deps, id, definition, verifiers, secrets.signingKey !== undefined)
			write(deps, stored, before?.instance, input.exposed)
			const after = described(deps, id)
			if (before === undefined) return addedEntry(after, newSecrets, deps.surface)
			return changedEntry(before, after, newSecrets, deps.surface)
		})
	)
	deps.changed()
	return described(deps, id).instance
}

async function remove(deps: StoreDependencies, id: string) {
	const {instance} = described(deps, id)
	await openSigningKeys(deps.secrets).during(id, instance.secrets.signingKey ? null : undefined, () =>
		commit(deps, undefined, () => {
			const before = described(deps, id)
			deleteInstance(deps.database, id)
			// Otherwise a later instance of that name would be exposed unintentionally.
			putParameter(deps.database, exposeKey(before.instance.name), null)
			return removedEntry(before, deps.surface)
		})
	)
	deps.changed()
}

/** Changes some fields of the definition. */
function change(deps: StoreDependencies, id: string, fields: Partial<Pick<Instance, 'enabled' | 'openPort'>>, confirm?: string) {
	commit(deps, confirm, () => {
		const before = described(deps, id)
		const stored = storedBy(listInstances(deps.database), id)
		putInstance(deps.database, {...stored, instance: {...stored.instance, ...fields}})
		return changedEntry(before, described(deps, id), [], deps.surface)
	})
	deps.changed()
	return described(deps, id).instance
}

function setExposed(deps: StoreDependencies, id: string, exposed: boolean | null, confirm?: string) {
	const {instance} = described(deps, id)
	setParameter(deps, exposeKey(instance.name), exposed === null ? null : String(exposed), confirm)
	return instance
}

function setParameter(deps: StoreDependencies, key: string, value: string | null, confirm?: string) {
	const problem = parameterProblem(key, value ?? '')
	const isUnknown = problem?.startsWith('There is no') === true
	// An unknown key that is set, by another version, can be removed.
	if (problem !== null && (value !== null || (isUnknown && !Object.hasOwn(listParameters(deps.database), key))))
		throw invalidArgument(problem, isUnknown ? 'key' : 'value')
	const name = instanceOfKey(key)
	const normalised = name === null ? key : exposeKey(name.normalize('NFC'))
	commit(deps, confirm, () => {
		const before = listParameters(deps.database)[normalised] ?? null
		if (before === value) return undefined
		putParameter(deps.database, normalised, value)
		return parameterEntry(normalised, before, value, deps.surface)
	})
	deps.changed()
}

function restart(deps: StoreDependencies, id: string) {
	const {instance} = described(deps, id)
	const {name, program, enabled} = instance
	if (program.kind === 'external') throw usageError(`Someone else runs the instance ${name}: Cordon cannot restart it.`)
	if (!enabled) throw usageError(`The instance ${name} is switched off: switch it on instead.`)
	deps.database.transaction(() => {
		askForRestart(deps.database, id)
		countChange(deps.database)
	})
	deps.changed()
	return instance
}

/** The change and its entry succeed or fail together; rules are checked with the whole state after it. */
function commit(deps: StoreDependencies, typed: string | undefined, work: () => NewEntry | undefined) {
	const {database} = deps
	database.transaction(
		() => {
			const before = stockOf(deps)
			const made = work()
			if (made === undefined) return
			const after = stockOf(deps)
			refuseExposedCertificate(after)
			const wasAsked = demandConfirmation(before, after, typed)
			countChange(database)
			deps.log(wasAsked ? confirmed(made) : made)
		},
		{durable: true}
	)
}

/** The instance, its aliases and its override. */
function write({database}: StoreDependencies, stored: StoredInstance, before: Instance | undefined, exposed: boolean | undefined) {
	const {instance} = stored
	refuseTaken(
		instance,
		listInstances(database).map(other => other.instance)
	)
	refuseOwnPort(instance, listParameters(database))
	refuseUselessAccess(instance)
	putInstance(database, stored)
	deleteAlias(database, instance.name)
	if (before !== undefined && before.name !== instance.name) {
		putAlias(database, before.name, instance.id)
		moveParameter({database}, exposeKey(before.name), exposeKey(instance.name))
	}
	if (exposed !== undefined && exposureOf(listParameters(database), instance.name).exposed !== exposed)
		putParameter(database, exposeKey(instance.name), String(exposed))
}

function moveParameter({database}: Pick<StoreDependencies, 'database'>, from: string, to: string) {
	const value = listParameters(database)[from]
	if (value === undefined) return
	putParameter(database, from, null)
	putParameter(database, to, value)
}

/** The stored form: secrets that were not given stay unchanged. */
function merged(
	{database, clock}: StoreDependencies,
	id: string,
	definition: InstanceDefinition & {listenPort: number},
	given: Partial<Verifiers>,
	newKey: boolean
): StoredInstance {
	const old = listInstances(database).find(({instance}) => instance.id === id)
	const verifiers = {users: [], tokens: [], ...old?.verifiers, ...given}
	const secrets = {
		users: verifiers.users.map(({name}) => name),
		tokens: verifiers.tokens.length,
		signingKey: newKey || old?.instance.secrets.signingKey === true
	}
	const createdAt = old?.instance.createdAt ?? new Date(clock.now()).toISOString()
	return {
		instance: {...withStoredValues(definition, old?.instance), id, aliases: [], secrets, createdAt, revision: 0},
		verifiers,
		restarts: old?.restarts ?? 0
	}
}

function stockOf({database}: StoreDependencies): Stock {
	return {instances: listInstances(database).map(({instance}) => instance), parameters: listParameters(database)}
}

function described({database}: StoreDependencies, id: string): Described {
	const {instance} = storedBy(listInstances(database), id)
	return {instance, exposed: exposureOf(listParameters(database), instance.name).exposed}
}

function storedBy(known: readonly StoredInstance[], id: string) {
	const found = known.find(({instance}) => instance.id === id)
	if (found !== undefined) return found
	throw new CordonError('unknown_instance', `There is no instance ${id}.`, {field: 'id'})
}

/* Prepares the input of a change: checked, hashed, with a port. */

/** Secrets are stored as hashes; those not given are omitted. */
async function verifiersOf({hashers}: StoreDependencies, {users, tokens}: InstanceSecrets): Promise<Partial<Verifiers>> {
	if (users === undefined && tokens === undefined) return {}
	const {password, token} = hashers
	const hashed = users?.map(async user => ({name: user.name, verifier: await password(user.password)}))
	return {...(hashed !== undefined && {users: await Promise.all(hashed)}), ...(tokens !== undefined && {tokens: tokens.map(token)})}
}

/** Below the system's ephemeral ports, so that no outgoing connection takes it while the instance is stopped. */
async function freePort({database, random, isFree}: StoreDependencies, host: string) {
	const own = readParameters(listParameters(database), []).settings.listen.port
	for (let attempt = 0; attempt < 200; attempt += 1) {
		const [high = 0, low = 0] = random(2)
		const port = 20_000 + ((high * 256 + low) % 10_000)
		const taken = port === own || listInstances(database).some(({instance}) => instance.listenPort === port)
		if (!taken && (await isFree(host, port))) return port
	}
	throw new CordonError('taken', 'No free port was found between 20000 and 29999.', {field: 'listenPort'})
}

/** Throws `invalid_argument` with the field. */
function parse<T>(schema: ZodType<T>, value: unknown) {
	const result = schema.safeParse(value)
	if (result.success) return result.data
	const [issue] = result.error.issues
	const field = issue?.path.map(String).join('.') ?? ''
	throw invalidArgument(`${field} ${issue?.message ?? 'is not valid'}.`.trimStart(), field)
}

/** Makes verifiers of secrets. */
interface Hashers {
	/** An scrypt string. */
	password(plain: string): Promise<string>
	/** SHA-256, hex. */
	token(plain: string): string
}

interface StoreOptions {
	/** `profile.db`. */
	database: Database
	secrets: SecretStore
	clock: Clock
	random(bytes: number): Uint8Array
	/** Receives the entries about changes. */
	log: (entry: NewEntry) => void
	/** The surface of changes here. */
	surface: Surface
	hashers: Hashers
	/** Whether nothing listens on the port of this address. */
	isFree: (host: string, port: number) => Promise<boolean>
}

/** The parts for changes of an instance. */
interface StoreDependencies extends StoreOptions {
	changed: () => void
}
