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

/** The frame that the host pushed last; `null` before the first. */
export function useFrame(connection: string | null): FrameState | null {
	const {frames} = useApi().live
	return useSyncExternalStore(frames.subscribe, () => (connection === null ? null : (frames.get().get(connection) ?? null)))
}

/** `null` before the run reports progress. */
export function useProgress(run: string | null): RunProgress | null {
	const {progress} = useApi().live
	return useSyncExternalStore(progress.subscribe, () => (run === null ? null : (progress.get().get(run) ?? null)))
}

export function useConnections(): readonly Connection[] | undefined {
	return useQuery(useApi().queries.connections.list.queryOptions()).data
}

const defaults: Settings = settingsSchema.parse({})

/** The defaults until the host answers. */
export function useSettings(): Settings {
	return useQuery(useApi().queries.settings.get.queryOptions()).data ?? defaults
}

/** The name under which this host writes the incident log; a dash until the host answers. */
export function useOperator(): string {
	return useQuery(useApi().queries.app.info.queryOptions()).data?.operator ?? '–'
}

export function useManaged(): ManagedView {
	return useQuery(useApi().queries.settings.managed.queryOptions()).data ?? nothingManaged
}

/** Shows the change at once, and reverts it when the host refuses. */
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
