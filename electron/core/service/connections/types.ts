import type {Settings} from '#model/settings.ts'

import type {openConnections} from './connections.ts'

/** Stored connections, their keys and their clients. Keys go in by `add` and `update` and never come out. */
export type Connections = ReturnType<typeof openConnections>

/** One write in flight per target, over all processes on the profile. */
export interface WriteLocks {
	/** Throws `busy`, naming the command in flight, when another live process or run holds the target. */
	acquire(lock: {connection: string; target: string; command: string; intent: string}): () => void
	/** Whether a live process holds the target. */
	isHeld(connection: string, target: string): boolean
}

export interface SettingsStore {
	get(): Settings
	set(change: Partial<Settings>): Settings
	onChange(listener: () => void): () => void
}
