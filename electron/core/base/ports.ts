/** What the application asks of its host. Core imports neither Electron nor a page: this is all it knows of them. */

/** Time, so that tests compress it. Milliseconds. */
export interface Clock {
	/** Unix time. */
	now(): number
	/** Never goes backwards; for durations. */
	monotonic(): number
	/** Rejects with the signal's reason when aborted. */
	sleep(ms: number, signal?: AbortSignal): Promise<void>
}

/** The host's place for secrets. Values never leave it but through `read`, which only `audit/`, `connections/`, `instances/`, `isolation/`, `playbooks/` and `streams/` call. */
export interface SecretStore {
	readonly kind: string
	/** `null` when usable, else why not, in a sentence. */
	unavailable(): Promise<string | null>
	read(name: string): Promise<string | undefined>
	write(name: string, value: string): Promise<void>
	/** Also while it is locked. Resolves with the way to put it back, for a change that fails after it. */
	remove(name: string): Promise<() => Promise<void>>
	/** Whether this is the passphrase that protects them; left out where none does. */
	checkPassphrase?(text: string): Promise<boolean>
}

/** The operating system's own way to make sure who sits there. */
export interface AskPerson {
	available(): Promise<boolean>
	/** `why` completes "Cordon wants to …". */
	ask(why: string): Promise<boolean>
}

/** Files that somebody chose or dropped in the window of the host itself. */
export interface ChosenFiles {
	/** The path that a ticket stands for, once; `undefined` for a ticket that is not known, or was used. */
	take(ticket: string): string | undefined
}

/** A browser that was let in. */
export interface EntrySession {
	readonly id: string
	/** ISO 8601. */
	readonly openedAt: string
	/** What it calls itself. */
	readonly agent: string
}

/** Browsers that were let in, of a console without a window. */
interface EntrySessions {
	list(): readonly EntrySession[]
	end(id: string): void
}

export interface Notice {
	readonly title: string
	readonly body: string
	/** Path of the screen that a click opens. */
	readonly open: string | null
}

/** The configuration that an administrator keeps for every profile of this computer. */
export interface ManagedFile {
	readonly path: string
	/** Somebody named it when the host was started: then it must be there. */
	readonly named: boolean
}

export interface Ports {
	host: 'desktop' | 'headless' | 'cli'
	/** The profile's folder, absolute, existing, 0700. */
	profile: string
	/** Who sits at the console: the operating system's user name. */
	operator: string
	secrets: SecretStore
	clock: Clock
	/** Random bytes for ids and codes. */
	random(bytes: number): Uint8Array
	/** Proxy settings as the operating system's environment gives them, upper or lower case as found. */
	proxyEnvironment: Readonly<Record<string, string | undefined>>
	/** What programs that Cordon runs inherit; nothing when left out. */
	programEnvironment?: Readonly<Record<string, string>> | undefined
	/** Left out where nothing is looked for, as in tests. */
	managedFile?: ManagedFile | undefined
	/** Left out where the host has none. */
	askPerson?: AskPerson | undefined
	/** Left out where the page is shown by a browser: that reads files itself, and names no path. */
	chosenFiles?: ChosenFiles | undefined
	/** Left out where no browser is let in. */
	sessions?: EntrySessions | undefined
	notify(notice: Notice): void
}
