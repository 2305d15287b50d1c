/** The forwarding server and its instances without a console: `cordon forward`. One thread, no database. */
import {mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'

import {z} from 'zod'

import {every} from '#base/every.ts'
import type {Clock} from '#base/ports.ts'
import {tryLockFile} from '#core/store/lock-file.ts'
import {isAlive, ownIdentity, type ProcessIdentity} from '#core/store/process-identity.ts'
import {CordonError} from '#contract/errors.ts'
import type {Instance, InstanceHealth, InstanceState} from '#model/instance.ts'
import {readParameters} from '#model/server-parameter.ts'
import type {RequestRecord} from '../forwarder/record-types.ts'
import {startForwarder} from '../forwarder/server.ts'
import {type CertificateAuthority, openAuthority, ownProblem} from '../forwarder/tls/authority.ts'
import {machineNames} from '../forwarder/tls/names.ts'
import {isPublicPem} from '../forwarder/tls/public.ts'
import type {Forwarder, Listen} from '../forwarder/types.ts'
import {createBuiltins} from './builtins.ts'
import type {FileInstance, ForwardFile} from './config-file/types.ts'
import {configOf, forwardedOf} from './forwarder-config.ts'
import {endWithin, Leaving, listenSomewhere} from './forwarder-listen.ts'
import type {FetchFileList} from './list/sources.ts'
import {endOrphan} from './orphans.ts'
import {createSupervisor, type Supervisor} from './supervisor.ts'

/** Programs started by a forwarding server without a database, so that the next one finds those left by a killed one. */
const identitySchema = z.object({pid: z.number().int().positive(), started: z.string()})
const fileSchema = z.object({owner: identitySchema, programs: z.record(z.string(), identitySchema)})
type Content = z.infer<typeof fileSchema>

type ProgramFile = ReturnType<typeof openProgramFile>

/** One file per server: several may share the folder. Written only when needed. */
export function openProgramFile(folder: string, onTrouble: (message: string, error?: unknown) => void) {
	const path = join(folder, `${process.pid}.json`)
	const content: Content = {owner: ownIdentity(), programs: {}}
	return {
		/** A program started, or ended (`undefined`). */
		put(instance: string, identity: ProcessIdentity | undefined) {
			if (identity === undefined) delete content.programs[instance]
			else content.programs[instance] = identity
			try {
				mkdirSync(folder, {recursive: true, mode: 0o700})
				writeFileSync(`${path}.new`, JSON.stringify(content), {mode: 0o600})
				renameSync(`${path}.new`, path)
			} catch (error) {
				onTrouble('Which programs were started cannot be noted: if this server is killed, they are left behind.', error)
			}
		},
		/** When nothing runs any more. */
		remove: () => rmSync(path, {force: true})
	}
}

/** Ends and removes leftovers of ended servers; returns messages. */
export async function endLeftBehind(folder: string): Promise<readonly string[]> {
	const told = await Promise.all(filesIn(folder).map(endThoseOf))
	return told.flat()
}

async function endThoseOf(path: string) {
	const content = readContent(path)
	if (content !== undefined && isAlive(content.owner)) return []
	const programs = Object.entries(content?.programs ?? {})
	const told = await Promise.all(programs.map(([instance, program]) => endOrphan({...program, instance}, patienceMs)))
	rmSync(path, {force: true})
	return told.flatMap(text => text ?? [])
}

function filesIn(folder: string) {
	try {
		return readdirSync(folder).flatMap(name => (name.endsWith('.json') ? [join(folder, name)] : []))
	} catch {
		return []
	}
}

/** `undefined`: unreadable. */
function readContent(path: string) {
	try {
		return fileSchema.safeParse(JSON.parse(readFileSync(path, 'utf8'))).data
	} catch {
		return undefined
	}
}

export interface AloneOptions {
	file: Wanted
	/**
	 * Absolute, owner-only: holds the local authority, data of built-in instances, and the running programs. Created when
	 * missing.
	 */
	folder: string
	clock: Clock
	random(bytes: number): Uint8Array
	/** Inherited by managed instances. */
	environment: Readonly<Record<string, string>>
	fetchFileList: FetchFileList
	/** Called once per finished request; must be quick and must not throw. */
	onRequest?: ((record: RequestRecord) => void) | undefined
	/** An instance changed its state. */
	onHealth?: ((name: string, health: InstanceHealth) => void) | undefined
	onTrouble: (message: string, error?: unknown) => void
}

/** Rejects when it cannot listen, or without a usable certificate. */
export async function runForwarding(options: AloneOptions) {
	const alone = new ForwardingAlone(options)
	try {
		await alone.start()
		return alone
	} catch (error) {
		await alone.stop(0)
		throw error
	}
}

/** Milliseconds of real time before a forced end; interval of checking own names. */
const patienceMs = 5000
const namesMs = 60_000

export class ForwardingAlone {
	readonly #options: AloneOptions
	readonly #supervisor: Supervisor
	readonly #programs: ProgramFile
	readonly #ended = new AbortController()
	readonly #leaving = new Leaving()
	#file: Wanted
	#authority: CertificateAuthority | undefined
	#forwarder: Forwarder | undefined
	#problem: string | null = null
	/** As told. */
	#ownProblem: string | null = null
	/** Names for the certificate. */
	#names: readonly string[] = []

	constructor(options: AloneOptions) {
		this.#options = options
		this.#file = options.file
		const {clock, folder, environment, fetchFileList, onTrouble} = options
		this.#programs = openProgramFile(`${folder}/programs`, onTrouble)
		this.#supervisor = createSupervisor({
			clock,
			environment,
			builtins: createBuiltins({folder, clock, fetchFileList, signingKey: async () => {}}),
			onHealth: (id, health) => {
				options.onHealth?.(id, health)
				this.#configure()
			},
			onProcess: (id, identity) => this.#programs.put(id, identity),
			onTrouble,
			patienceMs,
			ownPort: () => this.#forwarder?.listen.port
		})
	}

	get forwarder() {
		if (this.#forwarder === undefined) throw new Error('The forwarding server does not run.')
		return this.#forwarder
	}

	/** As bound. */
	get listen() {
		return this.forwarder.listen
	}

	/** The deviation from the request, such as another port. */
	get problem() {
		return this.#problem
	}

	/** PEM file of the local authority; `null` with the operator's own certificate. */
	get authorityPath() {
		return this.#file.listen.credentials === null ? (this.#authority?.authorityPath ?? null) : null
	}

	counters() {
		return this.forwarder.counters()
	}

	health(name: string) {
		return this.#supervisor.health(name)
	}

	async start() {
		await this.#listenAs(this.#file)
		for (const text of await endLeftBehind(`${this.#options.folder}/programs`)) this.#options.onTrouble(text)
		this.#supervise()
		void every(this.#options.clock, namesMs, this.#ended.signal, () => this.#configure())
	}

	/** Applies to new requests at once. A failure (a port in use) rejects and changes nothing. */
	async reload(file: Wanted) {
		const before = this.#file
		const isElsewhere = JSON.stringify(wantedListen(file)) !== JSON.stringify(wantedListen(before))
		try {
			const credentials = await this.#credentials(file)
			if (isElsewhere) await this.#move(file)
			else this.#forwarder?.setCredentials(credentials)
		} catch (error) {
			this.#names = namesOf(before)
			throw error
		}
		this.#file = file
		this.#supervise()
		this.#configure()
	}

	/** Refuses new connections; running requests get this many milliseconds. Then programs and services end. */
	async stop(drainMs: number) {
		this.#ended.abort()
		const all = [...this.#leaving, ...(this.#forwarder === undefined ? [] : [this.#forwarder])]
		await endWithin(all, drainMs)
		await Promise.all([this.#supervisor.stop(), this.#authority?.stop()])
		this.#programs.remove()
	}

	/** The old listener closes after the new one opened; with the same port, it closes first and is reopened on failure. */
	async #move(file: Wanted) {
		const old = this.forwarder
		const was = old.listen
		const isInTheWay = was.port === wantedListen(file).listen.port
		if (isInTheWay) this.#leaving.leave(old)
		try {
			await this.#listenAs(file)
		} catch (error) {
			if (isInTheWay) await this.#listenAs(this.#file, was)
			throw error
		}
		if (!isInTheWay) this.#leaving.leave(old)
	}

	/** `at`: exactly that address. */
	async #listenAs(file: Wanted, at?: Listen) {
		const {onRequest, onTrouble} = this.#options
		const credentials = await this.#credentials(file)
		const {listen, isFixed} = at === undefined ? wantedListen(file) : {listen: at, isFixed: true}
		const start = (where: Listen) => startForwarder({listen: where, config: this.#config(file), credentials, onRequest, onTrouble})
		const started = await listenSomewhere(listen, start, isFixed)
		if ('failure' in started) throw new CordonError('taken', started.failure, {field: 'listen.port'})
		this.#forwarder = started.forwarder
		this.#problem = started.problem
	}

	async #credentials(file: Wanted) {
		const own = file.listen.credentials
		if (own !== null) return own
		this.#names = namesOf(file)
		if (this.#authority === undefined) this.#authority = await this.#openAuthority()
		else await this.#authority.refresh()
		return this.#authority.credentials()
	}

	async #openAuthority() {
		const {folder, clock, random, onTrouble} = this.#options
		const hostnames = () => this.#names
		const opened = await openAuthority({folder, clock, random, hostnames, tryLock: tryLockFile, onTrouble})
		opened.onChange(credentials => {
			if (this.#file.listen.credentials === null) this.#forwarder?.setCredentials(credentials)
		})
		return opened
	}

	#config(file: Wanted) {
		return configOfFile(file, name => this.#supervisor.health(name)?.state ?? 'starting')
	}

	#configure() {
		this.#forwarder?.reload(this.#config(this.#file))
		const own = this.#file.listen.credentials
		const problem = own && ownProblem(own.certificate, namesOf(this.#file), this.#options.clock.now())
		if (problem !== null && problem !== this.#ownProblem) this.#options.onTrouble(problem)
		this.#ownProblem = problem
	}

	#supervise() {
		this.#supervisor.apply(this.#file.instances.map(one => ({instance: storedOf(one), restarts: 0})))
	}
}

/** What a file of `cordon forward` requires of the forwarding server and of instances. Pure except for this computer's names. */
type Wanted = Omit<ForwardFile, 'warnings'>

function configOfFile(file: Wanted, stateOf: (name: string) => InstanceState) {
	const {parameters, instances, listen} = file
	const {trustedProxies, platformVersion} = readParameters(parameters, []).settings
	return configOf({
		parameters,
		instances: instances.map(one => forwardedOf(storedOf(one), stateOf(one.definition.name), one.access)),
		settings: {hostnames: namesOf(file), trustedProxies: [...listen.trustedProxies, ...trustedProxies], platformVersion},
		own: machineNames(),
		limits: listen.limits,
		isPublic: listen.credentials !== null && isPublicPem(listen.credentials.certificate)
	})
}

/** `isFixed`: the port was given, so no other is used. */
function wantedListen({listen, parameters}: Wanted): {listen: Listen; isFixed: boolean} {
	const {settings} = readParameters(parameters, [])
	const isWide = listen.lan || settings.lan
	const host = listen.host ?? (isWide ? '::' : settings.listen.host)
	return {listen: {host, port: listen.port ?? settings.listen.port}, isFixed: listen.port !== null}
}

function namesOf({listen, parameters}: Wanted) {
	return [...listen.hostnames, ...readParameters(parameters, []).settings.hostnames]
}

/** Without a database the name identifies an instance. */
function storedOf({definition}: FileInstance): Instance {
	return {...definition, id: definition.name, aliases: [], secrets: {users: [], tokens: 0, signingKey: false}, createdAt: '', revision: 0}
}
