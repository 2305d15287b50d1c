import {useMutation, useQuery} from '@tanstack/react-query'
import {useCallback, useSyncExternalStore} from 'react'

import type {RunProgress} from '#shared/contract/live.ts'
import type {Connection} from '#shared/model/connection.ts'
import type {FrameState} from '#shared/model/frame.ts'
import {nothingManaged, type ManagedView} from '#shared/model/managed.ts'
import {settingsSchema, type Settings} from '#shared/model/settings.ts'
import {useApi} from './ApiProvider.tsx'
import type {WireState} from './wire-state.ts'

export function useWireState(): WireState {
	const {wire} = useApi()
	return useSyncExternalStore(wire.subscribe, wire.state)
}

/** The frame of a connection as it was last pushed; `null` before the first one. */
export function useFrame(connection: string | null): FrameState | null {
	const {frames} = useApi().live
	return useSyncExternalStore(frames.subscribe, () => (connection === null ? null : (frames.get().get(connection) ?? null)))
}

/** What a run is doing; `null` before it says so. */
export function useProgress(run: string | null): RunProgress | null {
	const {progress} = useApi().live
	return useSyncExternalStore(progress.subscribe, () => (run === null ? null : (progress.get().get(run) ?? null)))
}

/** `undefined` while they are read for the first time. */
export function useConnections(): readonly Connection[] | undefined {
	return useQuery(useApi().queries.connections.list.queryOptions()).data
}

const defaults: Settings = settingsSchema.parse({})

/** The settings of this profile; the defaults until they are read. */
export function useSettings(): Settings {
	return useQuery(useApi().queries.settings.get.queryOptions()).data ?? defaults
}

/** The name under which this host writes the incident log; a dash until it is known. */
export function useOperator(): string {
	return useQuery(useApi().queries.app.info.queryOptions()).data?.operator ?? '–'
}

/** What an administrator holds. */
export function useManaged(): ManagedView {
	return useQuery(useApi().queries.settings.managed.queryOptions()).data ?? nothingManaged
}

/** Changes settings; what is shown changes at once, and back when it is refused. */
export function useSetSettings(): (change: Partial<Settings>) => void {
	const {queries, cache} = useApi()
	const readAgain = () => void cache.invalidateQueries({queryKey: queries.settings.key()})
	const {mutate} = useMutation(queries.settings.set.mutationOptions({onError: readAgain}))
	return useCallback(
		(change: Partial<Settings>) => {
			cache.setQueryData(queries.settings.get.queryKey(), (old: Settings | undefined) => ({...(old ?? defaults), ...change}))
			mutate(change)
		},
		[queries, cache, mutate],
	)
}
