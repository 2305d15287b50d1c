import {useQueries} from '@tanstack/react-query'

import type {Trajectory} from '#contract/insight.ts'

import {useConnected} from '#api/hooks.tsx'
import {useReadings, type Attempt} from './use-readings.ts'

export interface Compared extends Attempt {
	guid: string
	hostname: string
	/** `undefined` while unknown whether one is stored. */
	trajectory: Trajectory | null | undefined
	/** Queries the service: one call. */
	read(): void
}

/** The stored trajectories of other computers for the same query, and functions to load new ones. */
export function useCompared(guids: readonly string[], query: string): readonly Compared[] {
	const {queries, connection} = useConnected()
	const readings = useReadings()
	const stored = useQueries({queries: guids.map(guid => queries.trajectory.stored.queryOptions({input: {connection, guid, query}}))})
	const details = useQueries({queries: guids.map(guid => queries.computers.detail.queryOptions({input: {connection, guid}}))})
	return guids.map((guid, place) => ({
		...readings.of(guid, query),
		guid,
		hostname: stored[place]?.data?.hostname ?? details[place]?.data?.row.hostname ?? guid,
		trajectory: stored[place]?.data,
		read: () => void readings.read(guid, query)
	}))
}
