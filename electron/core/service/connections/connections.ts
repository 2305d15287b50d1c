import type {Database} from '#core/store/database.ts'
import {CordonError} from '#contract/errors.ts'
import type {Connection, ConnectionInput, OpeningAgreement} from '#model/connection.ts'
import type {WriteMode} from '#model/frame.ts'
import {isSameWindow, observeQuota} from '../api/quota-record.ts'
import type {QuotaLedger, QuotaRecord, ClientOptions} from '../api/types.ts'
import {unmanaged, type Managed} from '../managed/managed.ts'
import {createClients} from './clients.ts'
import {add, registerSandbox, remove, setLocked, update} from './edit.ts'
import {checkInput} from './input.ts'
import {type Keys, openKeys} from './keys.ts'
import {createListeners} from './listeners.ts'
import {certificatesIn} from './network-input.ts'
import type {ConnectionsOptions, Dependencies} from './dependencies.ts'
import {reservedCalls} from './reservations.ts'
import {listStored, lockedSince, ownStored, sandboxId, type Stored} from './rows.ts'
import type {TestSubject} from './test-connection.ts'
import {createTransients, type Transients} from './transients.ts'

/** Opens nothing by itself: the database is read with the first question, and whoever made it closes it. */
export function openConnections(options: ConnectionsOptions) {
	const {managed = unmanaged} = options
	const keys = openKeys(options.secrets, options.surface)
	const transients = createTransients(options.clock)
	const book = openBook(options, transients, managed)
	// The key is what nobody may send elsewhere: without it no call is made.
	const keyOf = async (connection: Connection) => {
		if (connection.stopped) throw new CordonError('no_connection', 'The sandbox is stopped. Start it under Connections.')
		if (!connection.sandbox) managed.connections.admit(connection)
		return transients.keyOf(connection.id) ?? keys.read(connection)
	}
	const clients = createClients(({connection}) =>
		options.createClient({...clientSettings(options, connection, keys), apiKey: () => keyOf(connection), mode: () => book.mode(connection.id)})
	)
	const listeners = createListeners(options.clock, book.shown)
	const deps: Dependencies = {...options, managed, keys, clients, transients, listeners}

	const admittedInput = <T extends ConnectionInput>(input: T) => {
		managed.connections.admit(input)
		return input
	}

	return {
		list: () => book.all().map(stored => stored.connection),
		/** By id, or by name regardless of case; throws `unknown_connection` or `no_connection`. */
		find: (idOrName: string | undefined) =>
			findAmong(
				book.all().map(stored => stored.connection),
				idOrName
			),
		add: (input: ConnectionInput) => add(deps, input),
		/** Throws `confirmation_needed` where a read-only production connection becomes read-write without its name and a reason. */
		update: (id: string, change: Partial<ConnectionInput>, agreement?: OpeningAgreement) =>
			update(deps, book.own(id).connection, change, agreement),
		remove: (id: string) => remove(deps, book.get(id).connection),
		/** Registers the embedded sandbox of this process; the returned function takes it away again. */
		registerSandbox: (sandbox: Parameters<typeof registerSandbox>[1]) => registerSandbox(deps, sandbox),
		/** A connection that lives only as long as this process: the CLI's `--server`. */
		addTransient: (input: ConnectionInput & {apiKey: string}) =>
			transients.add(checkInput(admittedInput(input), options.clock.now()), input.apiKey),
		/** All connections of one's own with their keys, sealed; the log keeps the reason. */
		exportSealed: async (passphrase: string, reason: string) => (await loadPortable()).exportSealed(deps, passphrase, reason),
		/** What is there already, by name or by service and account, stays as it is. */
		importSealed: async (text: string, passphrase: string) => (await loadPortable()).importSealed(deps, text, passphrase),
		test: ({id, draft = {}}: {id?: string | undefined; draft?: Partial<ConnectionInput> | undefined}, signal: AbortSignal) => {
			const stored = id === undefined ? undefined : book.get(id).connection
			const admit = managed.connections.admit
			const ledger = (sameServer: boolean) =>
				stored !== undefined && sameServer ? openLedger(options.database, stored.id) : createMemoryLedger()
			return testLater(options, {stored, draft, keyOf, loginOf: keys.readProxyLogin, ledger, admit}, signal)
		},
		/** One client per connection, made on first use. */
		client: (id: string) => clients.of(book.get(id)),
		mode: book.mode,
		setLocked: (id: string, locked: boolean) => setLocked(deps, book.get(id).connection, locked),
		ledger: (id: string) => openLedger(options.database, id),
		onChange: (listener: () => void) => listeners.add(listener),
		stop: async () => {
			listeners.stop()
			await clients.stop()
		}
	}
}

/** Everything that is known of connections right now, whichever process wrote it. */
function openBook({database}: ConnectionsOptions, transients: Transients, managed: Managed) {
	const applied = ({connection, revision}: Stored): Stored => ({
		connection: managed.connections.applied(connection),
		// Another policy may want another client.
		revision: `${revision} ${managed.generation()}`
	})
	const all = () => [...listStored(database), ...transients.list()].map(applied)
	const own = (id: string) => transients.get(id) ?? ownStored(database, id)
	const get = (id: string) => applied(own(id))
	return {
		all,
		/** Throws `unknown_connection`. */
		get,
		/** As the operator left it, without what an administrator holds over it. */
		own,
		mode: (id: string): WriteMode => {
			const {connection} = own(id)
			const problem = connection.sandbox ? null : managed.connections.readOnlyBecause()
			if (problem !== null) return {kind: 'read_only', because: 'managed', since: null, problem}
			if (connection.readOnly) return {kind: 'read_only', because: 'connection', since: null}
			const since = lockedSince(database, id)
			return since === undefined ? {kind: 'guarded'} : {kind: 'read_only', because: 'locked', since}
		},
		/** All that a window shows of connections, to be compared; a sandbox that ended drops out. */
		shown: () => JSON.stringify(all().map(stored => [stored, lockedSince(database, stored.connection.id)]))
	}
}

function clientSettings(options: ConnectionsOptions, connection: Connection, keys: Keys): Omit<ClientOptions, 'apiKey' | 'mode'> {
	const {clock, proxyEnvironment, userAgent} = options
	const {id, url, clientId, insecure, proxy, ca} = connection
	return {
		...{connection: id, url, clientId, insecure, clock, proxyEnvironment, userAgent},
		ledger: openLedger(options.database, id),
		...(proxy !== null && {proxy: {address: proxy, login: () => keys.readProxyLogin(connection)}}),
		...(ca !== null && {extraCa: certificatesIn(ca)})
	}
}

/** Loaded when it is needed, as few ever move. */
async function loadPortable() {
	return import('./portable.ts')
}

/** Loaded when it is needed: no other command of the command line does. */
async function* testLater(options: ConnectionsOptions, subject: TestSubject, signal: AbortSignal) {
	const [{testConnection}, {networkProbe}] = await Promise.all([import('./test-connection.ts'), import('./network-probe.ts')])
	const services = {...options, probe: options.probe ?? networkProbe, keptIn: () => options.secrets.kind}
	yield* testConnection(services, subject, signal)
}

function findAmong(list: readonly Connection[], idOrName: string | undefined) {
	if (idOrName !== undefined) {
		const wanted = idOrName.toLowerCase()
		const found = list.find(one => one.id === idOrName) ?? list.find(one => one.name.toLowerCase() === wanted)
		if (found !== undefined) return found
		throw new CordonError('unknown_connection', `There is no connection ${idOrName}.`, {
			field: 'connection',
			fix: wanted === sandboxId ? `${sandboxFix} ${knownNames(list)}` : knownNames(list)
		})
	}
	const [only, ...others] = list.filter(({stopped}) => stopped !== true)
	if (only !== undefined && others.length === 0) return only
	if (only !== undefined)
		throw new CordonError('no_connection', 'Several connections are configured: say which one.', {field: 'connection', fix: knownNames(list)})
	throw new CordonError('no_connection', undefined, {
		fix: 'Add your service with "cordon connections add", or start the console ("npm start"), which opens on a sandbox.'
	})
}

const sandboxFix =
	'The embedded sandbox is there only while its console runs: start the console ("npm start"), or add your service with "cordon connections add".'

function knownNames(list: readonly Connection[]) {
	return list.length === 0 ? 'No connection is configured.' : `Connections: ${list.map(one => one.name).join(', ')}.`
}

/** The API limit in `profile.db`: every process reads what the last answer to any of them said. */
export function openLedger(database: Database, connection: string): QuotaLedger {
	const read = () =>
		database.get<QuotaRecord>(
			`SELECT call_limit AS "limit", remaining, reset_at AS "resetAt", observed_at AS "observedAt" FROM budget WHERE connection = ?`,
			connection
		) ?? null
	return {
		read,
		observe: (record, counted = true) =>
			database.transaction(() => {
				const merged = observeQuota(read(), record)
				const {limit, remaining, resetAt, observedAt} = merged
				const values = [limit, remaining, resetAt, observedAt].map(Math.round)
				database.run(
					'INSERT OR REPLACE INTO budget (connection, call_limit, remaining, reset_at, observed_at) VALUES (?, ?, ?, ?, ?)',
					connection,
					...values
				)
				if (counted && isSameWindow(record.resetAt, resetAt)) count(database, connection, merged)
			}),
		own: windowEnd => {
			const usage = readUsage(database, connection)
			return usage !== undefined && isSameWindow(usage.windowEnd, windowEnd) ? usage.own : null
		},
		reserved: () => reservedCalls(database, connection)
	}
}

interface Usage {
	windowEnd: number
	own: number
}

function readUsage(database: Database, connection: string) {
	return database.get<Usage>('SELECT window_end AS "windowEnd", own FROM budget_usage WHERE connection = ?', connection)
}

/** One more call of ours in this window, or the first of a new one: as long as the old one lasts, it is the same. */
function count(database: Database, connection: string, {limit, remaining, resetAt, observedAt}: QuotaRecord) {
	const usage = readUsage(database, connection)
	// An answer that was held up puts the end later; what we have used before it is used anyway.
	const isNew = usage === undefined || (!isSameWindow(usage.windowEnd, resetAt) && usage.windowEnd <= observedAt)
	const own = isNew ? 0 : usage.own
	// An end before the known one: the clock was set back. Calls of another window may be counted, but no more than were used are of this one.
	const most = usage !== undefined && usage.windowEnd > resetAt ? limit - remaining - 1 : own
	database.run(
		'INSERT OR REPLACE INTO budget_usage (connection, window_end, own) VALUES (?, ?, ?)',
		connection,
		Math.round(resetAt),
		Math.min(own, most) + 1
	)
}

/** For tests of a connection that is not stored. */
export function createMemoryLedger(): QuotaLedger {
	let kept: QuotaRecord | null = null
	return {
		read: () => kept,
		observe: record => {
			kept = observeQuota(kept, record)
		},
		own: () => null,
		reserved: () => 0
	}
}
