import type {Connection, ConnectionInput, OpeningAgreement, TestResult} from '#model/connection.ts'
import type {ImportedConnection} from '#model/connections-file.ts'
import type {WriteMode} from '#model/frame.ts'
import type {Settings} from '#model/settings.ts'

import type {ApiClient, QuotaLedger} from '../api/types.ts'

/** Stored connections, their keys and their clients. Keys go in by `add` and `update` and never come out. */
export interface Connections {
	list(): readonly Connection[]
	/** By id, or by name regardless of case; throws `unknown_connection` or `no_connection`. */
	find(idOrName: string | undefined): Connection
	add(input: ConnectionInput): Promise<Connection>
	/** Throws `confirmation_needed` where a read-only production connection becomes read-write without its name and a reason. */
	update(id: string, change: Partial<ConnectionInput>, agreement?: OpeningAgreement): Promise<Connection>
	remove(id: string): Promise<void>
	/** Registers the embedded sandbox of this process; the returned function takes it away again. */
	registerSandbox(sandbox: {readonly url: string; readonly clientId: string; readonly apiKey: string}): Promise<() => Promise<void>>
	/** A connection that lives only as long as this process: the CLI's `--server`. */
	addTransient(input: ConnectionInput & {readonly apiKey: string}): Connection
	/** All connections of one's own with their keys, sealed; the log keeps the reason. */
	exportSealed(passphrase: string, reason: string): Promise<string>
	/** What is there already, by name or by service and account, stays as it is. */
	importSealed(text: string, passphrase: string): Promise<readonly ImportedConnection[]>
	test(
		subject: {readonly id?: string | undefined; readonly draft?: Partial<ConnectionInput> | undefined},
		signal: AbortSignal,
	): AsyncGenerator<TestResult, void>
	/** One client per connection, made on first use. */
	client(id: string): ApiClient
	mode(id: string): WriteMode
	setLocked(id: string, locked: boolean): void
	ledger(id: string): QuotaLedger
	onChange(listener: () => void): () => void
	stop(): Promise<void>
}

/** One write in flight per target, over all processes on the profile. */
export interface WriteLocks {
	/** Throws `busy`, naming the command in flight, when another live process or run holds the target. */
	acquire(lock: {readonly connection: string; readonly target: string; readonly command: string; readonly intent: string}): () => void
	/** Whether a live process holds the target. */
	isHeld(connection: string, target: string): boolean
}

export interface SettingsStore {
	get(): Settings
	set(change: Partial<Settings>): Settings
	onChange(listener: () => void): () => void
}
