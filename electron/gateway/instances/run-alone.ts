/** The forwarding server and its instances without a console: `cordon forward`. One thread, no database. */
import { CordonError } from '#shared/contract/errors.ts';
import type { InstanceHealth } from '#shared/model/instance.ts';

import { startForwarder } from '../forwarder/server.ts';
import { openAuthority, type CertificateAuthority } from '../forwarder/tls/authority.ts';
import type { ForwarderCounters, RequestRecord } from '../forwarder/record-types.ts';
import type { Credentials, Forwarder, ForwarderConfig, Listen } from '../forwarder/types.ts';
import { every } from '#core/base/every.ts';
import type { Clock } from '#core/base/ports.ts';
import { tryLockFile } from '#core/store/lock-file.ts';
import { configOfFile, namesOf, storedOf, wantedListen, type Wanted } from './alone-config.ts';
import { createBuiltins } from './builtins.ts';
import { listenSomewhere } from './forwarder-listen.ts';
import type { FetchFileList } from './list/sources.ts';
import { endLeftBehind, openProgramFile, type ProgramFile } from './program-files.ts';
import { createSupervisor, type Supervisor } from './supervisor.ts';

export interface AloneOptions {
	readonly file: Wanted;
	/**
	 * Absolute, of the owner alone: holds the local authority, what built-in instances keep, and which programs run. Made
	 * when it is missing.
	 */
	readonly folder: string;
	readonly clock: Clock;
	random(bytes: number): Uint8Array;
	/** What managed instances inherit. */
	readonly environment: Readonly<Record<string, string>>;
	readonly fetchFileList: FetchFileList;
	/** Called once for each finished request; must be quick and must not throw. */
	readonly onRequest?: ((record: RequestRecord) => void) | undefined;
	/** An instance is in another state. */
	readonly onHealth?: ((name: string, health: InstanceHealth) => void) | undefined;
	readonly onTrouble: (message: string, error?: unknown) => void;
}

export interface ForwardingAlone {
	/** As bound. */
	readonly listen: Listen;
	/** What is not as asked for: the port that was taken instead. */
	readonly problem: string | null;
	/** PEM file of the local authority; `null` with a certificate of the operator's own. */
	readonly authorityPath: string | null;
	readonly forwarder: Forwarder;
	counters(): ForwarderCounters;
	health(name: string): InstanceHealth | undefined;
	/** For new requests at once. What cannot be done (a port that is taken) rejects, and then everything stays as it was. */
	reload(file: Wanted): Promise<void>;
	/** No new connections; running requests get so many milliseconds. Then programs and services end. */
	stop(drainMs: number): Promise<void>;
}

/** Rejects when it cannot listen, or has no certificate to show. */
export async function runForwarding(options: AloneOptions): Promise<ForwardingAlone> {
	const alone = new Alone(options);
	try {
		await alone.start();
		return alone;
	} catch (error) {
		await alone.stop(0);
		throw error;
	}
}

/** Milliseconds of real time until a program is ended by force; how often own names are looked at again. */
const patienceMs = 5000;
const namesMs = 60_000;
/** A listener that is replaced lets its requests run. */
const replacedMs = 24 * 3_600_000;

class Alone implements ForwardingAlone {
	readonly #options: AloneOptions;
	readonly #supervisor: Supervisor;
	readonly #programs: ProgramFile;
	readonly #ended = new AbortController();
	readonly #leaving = new Set<Forwarder>();
	#file: Wanted;
	#authority: CertificateAuthority | undefined;
	#forwarder: Forwarder | undefined;
	#problem: string | null = null;
	/** What the certificate is to name. */
	#names: readonly string[] = [];

	constructor(options: AloneOptions) {
		this.#options = options;
		this.#file = options.file;
		const { clock, folder, environment, fetchFileList, onTrouble } = options;
		this.#programs = openProgramFile(`${folder}/programs`, onTrouble);
		this.#supervisor = createSupervisor({
			clock,
			environment,
			builtins: createBuiltins({ folder: `${folder}/lists`, clock, fetchFileList, signingKey: async () => undefined }),
			onHealth: (id, health) => {
				options.onHealth?.(id, health);
				this.#configure();
			},
			onProcess: (id, identity) => this.#programs.put(id, identity),
			onTrouble,
			patienceMs,
			ownPort: () => this.#forwarder?.listen.port,
		});
	}

	get forwarder(): Forwarder {
		if (this.#forwarder === undefined) throw new Error('The forwarding server does not run.');
		return this.#forwarder;
	}

	get listen(): Listen {
		return this.forwarder.listen;
	}

	get problem(): string | null {
		return this.#problem;
	}

	get authorityPath(): string | null {
		return this.#file.listen.credentials === null ? (this.#authority?.authorityPath ?? null) : null;
	}

	counters(): ForwarderCounters {
		return this.forwarder.counters();
	}

	health(name: string): InstanceHealth | undefined {
		return this.#supervisor.health(name);
	}

	async start(): Promise<void> {
		await this.#listenAs(this.#file);
		for (const text of await endLeftBehind(`${this.#options.folder}/programs`)) this.#options.onTrouble(text);
		this.#supervise();
		void every(this.#options.clock, namesMs, this.#ended.signal, () => this.#configure());
	}

	async reload(file: Wanted): Promise<void> {
		const before = this.#file;
		const isElsewhere = JSON.stringify(wantedListen(file)) !== JSON.stringify(wantedListen(before));
		try {
			const credentials = await this.#credentials(file);
			if (isElsewhere) await this.#move(file);
			else this.#forwarder?.setCredentials(credentials);
		} catch (error) {
			this.#names = namesOf(before);
			throw error;
		}
		this.#file = file;
		this.#supervise();
		this.#configure();
	}

	async stop(drainMs: number): Promise<void> {
		this.#ended.abort();
		const all = [...this.#leaving, ...(this.#forwarder === undefined ? [] : [this.#forwarder])];
		const late = new Promise<void>((resolve) => setTimeout(resolve, drainMs + 200).unref());
		await Promise.race([Promise.all(all.map((forwarder) => forwarder.stop(drainMs))), late]);
		await Promise.all([this.#supervisor.stop(), this.#authority?.stop()]);
		this.#programs.remove();
	}

	/** The old listener goes when the new one is there; where both want one port, it goes first and comes back if need be. */
	async #move(file: Wanted): Promise<void> {
		const old = this.#forwarder;
		const was = old?.listen;
		const isInTheWay = was !== undefined && was.port === wantedListen(file).listen.port;
		if (isInTheWay) this.#leave(old);
		try {
			await this.#listenAs(file);
		} catch (error) {
			if (isInTheWay) await this.#listenAs(this.#file, was);
			throw error;
		}
		if (!isInTheWay) this.#leave(old);
	}

	#leave(forwarder: Forwarder | undefined): void {
		if (forwarder === undefined) return;
		this.#leaving.add(forwarder);
		void forwarder.stop(replacedMs).finally(() => this.#leaving.delete(forwarder));
	}

	/** `at`: there and nowhere else. */
	async #listenAs(file: Wanted, at?: Listen): Promise<void> {
		const { onRequest, onTrouble } = this.#options;
		const credentials = await this.#credentials(file);
		const { listen, isFixed } = at === undefined ? wantedListen(file) : { listen: at, isFixed: true };
		const start = (where: Listen): Promise<Forwarder> =>
			startForwarder({ listen: where, config: this.#config(file), credentials, onRequest, onTrouble });
		const started = await listenSomewhere(listen, start, isFixed);
		if ('failure' in started) throw new CordonError('taken', started.failure, { field: 'listen.port' });
		this.#forwarder = started.forwarder;
		this.#problem = started.problem;
	}

	async #credentials(file: Wanted): Promise<Credentials> {
		const own = file.listen.credentials;
		if (own !== null) return own;
		this.#names = namesOf(file);
		if (this.#authority === undefined) this.#authority = await this.#openAuthority();
		else await this.#authority.refresh();
		return this.#authority.credentials();
	}

	async #openAuthority(): Promise<CertificateAuthority> {
		const { folder, clock, random, onTrouble } = this.#options;
		const hostnames = (): readonly string[] => this.#names;
		const opened = await openAuthority({ folder, clock, random, hostnames, tryLock: tryLockFile, onTrouble });
		opened.onChange((credentials) => {
			if (this.#file.listen.credentials === null) this.#forwarder?.setCredentials(credentials);
		});
		return opened;
	}

	#config(file: Wanted): ForwarderConfig {
		return configOfFile(file, (name) => this.#supervisor.health(name)?.state ?? 'starting');
	}

	#configure(): void {
		this.#forwarder?.reload(this.#config(this.#file));
	}

	#supervise(): void {
		this.#supervisor.apply(this.#file.instances.map((one) => ({ instance: storedOf(one), restarts: 0 })));
	}
}
