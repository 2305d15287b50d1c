import {createContext, useContext} from 'react'

import type {Connection} from '#shared/model/connection.ts'
import type {FrameState} from '#shared/model/frame.ts'
import {useFrame} from './hooks.ts'

const ActiveContext = createContext<Connection | null>(null)

/** The frame of the window says which connection its screens work on. */
export const ActiveConnectionProvider = ActiveContext.Provider

/** The connection that this window works on; `null` when there is none at all. */
export function useActiveConnectionOrNull(): Connection | null {
	return useContext(ActiveContext)
}

/** The connection that this window works on, for screens that are only shown with one. */
export function useActiveConnection(): Connection {
	const connection = useContext(ActiveContext)
	if (connection === null) throw new Error('This screen needs a connection.')
	return connection
}

export function useActiveFrame(): FrameState | null {
	return useFrame(useContext(ActiveContext)?.id ?? null)
}

/** Computers of the local copy; `null` as long as they have not been loaded yet: 0 would be a guess. */
export function useComputersCount(): number | null {
	const frame = useActiveFrame()
	const isKnown = frame !== null && (frame.counts.computers > 0 || frame.inventory.completeAt !== null)
	return isKnown ? frame.counts.computers : null
}

/** Why nothing may be changed through the active connection, in a sentence; `null` when it may. */
export function useWriteRefusal(): string | null {
	const connection = useActiveConnectionOrNull()
	const mode = useActiveFrame()?.mode
	if (connection === null) return 'There is no connection.'
	if (mode === undefined) return connection.readOnly ? 'This connection is read-only here.' : null
	if (mode.kind === 'guarded') return null
	if (mode.because === 'managed') return 'Read-only: set by your administrator.'
	return mode.because === 'locked'
		? 'You switched writing off: unlock it at the top of the window.'
		: 'This connection is read-only: change that under Connections.'
}
