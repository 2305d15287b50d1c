import {useCallback, useState} from 'react'

import type {CordonError} from '#contract/errors.ts'

import {useConnected} from '#api/hooks.tsx'
import {asCordonError} from '#api/errors.ts'

export interface Underway {
	/** Unix milliseconds. */
	since: number
	/** Cancels it: an older chart stays. */
	stop(): void
}

export interface Attempt {
	/** `null`: none. */
	underway: Underway | null
	/** Why the last reading failed; a cancelled one did not. */
	error: CordonError | null
}

const none: Attempt = {underway: null, error: null}

export function useReadings() {
	const {client, queries, cache, connection} = useConnected()
	const [attempts, setAttempts] = useState<ReadonlyMap<string, Attempt>>(new Map())

	/** Queries the service: one call. */
	const read = useCallback(
		async (guid: string, query: string) => {
			const input = {connection, guid, query}
			const key = JSON.stringify(input)
			const abort = new AbortController()
			const underway = {since: Date.now(), stop: () => abort.abort()}
			const end = (error: CordonError | null) =>
				setAttempts(old => (old.get(key)?.underway === underway ? new Map(old).set(key, {underway: null, error}) : old))
			setAttempts(old => new Map(old).set(key, {underway, error: null}))
			try {
				const fresh = await client.trajectory.read(input, {signal: abort.signal})
				cache.removeQueries({queryKey: queries.trajectory.record.key({input})})
				cache.setQueryData(queries.trajectory.stored.queryKey({input}), fresh)
				end(null)
			} catch (error) {
				end(abort.signal.aborted ? null : asCordonError(error))
			}
		},
		[client, cache, queries, connection]
	)
	const of = (guid: string, query: string) => attempts.get(JSON.stringify({connection, guid, query})) ?? none
	return {of, read}
}
