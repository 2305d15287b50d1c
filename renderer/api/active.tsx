import {createContext, useContext} from 'react'

import type {Connection} from '#shared/model/connection.ts'
import type {FrameState} from '#shared/model/frame.ts'
import {useApi} from './ApiProvider.tsx'
import type {Api} from './client.ts'
import {useFrame} from './hooks.ts'

const ActiveContext = createContext<Connection | null>(null)

export const ActiveConnectionProvider = ActiveContext.Provider

/** `null` when there is no connection at all. */
export function useActiveConnectionOrNull(): Connection | null {
	return useContext(ActiveContext)
}

export function useActiveConnection(): Connection {
	const connection = useContext(ActiveContext)
	if (connection === null) throw new Error('This screen needs a connection.')
	return connection
}

/** For work on the connection that is active: the API and the connection's id. */
export function useConnected(): Api & {readonly connection: string} {
	const {id: connection} = useActiveConnection()
	return {...useApi(), connection}
}

export function useActiveFrame(): FrameState | null {
	return useFrame(useContext(ActiveContext)?.id ?? null)
}

/** Computers in local data; `null` until they are loaded, because 0 would be a guess. */
export function useComputersCount(): number | null {
	const frame = useActiveFrame()
	const isKnown = frame !== null && (frame.counts.computers > 0 || frame.inventory.completeAt !== null)
	return isKnown ? frame.counts.computers : null
}

/** Why this connection refuses changes, in a sentence; `null` when it allows them. */
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
