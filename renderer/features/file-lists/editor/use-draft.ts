import {useMutation, useQueryClient} from '@tanstack/react-query'
import {useEffect} from 'react'

import type {DraftState, DraftView, HashSource, ListOperation} from '#model/list-draft.ts'

import {useConnected, useAsked} from '#api/hooks.tsx'
import {usePaged} from '#api/pages.ts'

export function useDraft(list: string) {
	const {queries, connection} = useConnected()
	const cache = useQueryClient()
	const input = {connection, list}
	const {data, error, refetch} = useAsked(q => q.editor.state, {
		input,
		// Local files are compared in the background, without progress events.
		refetchInterval: ({state}) => (isComparing(state.data) ? compareEveryMs : false)
	})
	const compared = data?.systemFiles.known
	useEffect(() => {
		if (compared !== undefined && compared > 0) void cache.invalidateQueries({queryKey: queries.editor.rows.key({input: {connection, list}})})
	}, [cache, queries, connection, list, compared])
	return {state: data, error, retry: refetch}
}

const compareEveryMs = 2000

function isComparing(state: DraftState | undefined) {
	if (state === undefined) return false
	const {known, of} = state.systemFiles
	return state.rows > 0 && (of === null || known < of)
}

export function useDraftRows(list: string, view: DraftView) {
	const {connection} = useConnected()
	return usePaged(q => q.editor.rows, {connection, list, view})
}

/** Maximum keys of one call. */
const mostPrevalence = 200

export type DraftChanges = ReturnType<typeof useDraftChanges>

/** Changes of the draft. Only the prevalence query reaches the service. */
export function useDraftChanges(list: string) {
	const {client, queries, connection} = useConnected()
	const cache = useQueryClient()
	const draft = {connection, list}
	const took = <T extends DraftState>(state: T) => {
		cache.setQueryData(queries.editor.state.queryKey({input: draft}), state)
		void cache.invalidateQueries({queryKey: queries.editor.rows.key({input: draft})})
		return state
	}
	return {
		stage: async (operation: ListOperation, source: HashSource) => {
			const staged = await client.editor.stage({...draft, operation, source})
			took(staged.state)
			return staged
		},
		annotate: async (keys: readonly string[], change: {note?: string; reason?: string | null}) =>
			took(await client.editor.annotate({...draft, keys: [...keys], ...change})),
		drop: async (keys: readonly string[]) => took(await client.editor.drop({...draft, keys: [...keys]})),
		discard: async () => took(await client.editor.discard(draft)),
		/** One call each. `signal` ends it between calls; earlier answers are kept. */
		prevalence: async (keys: readonly string[], signal: AbortSignal) => {
			for (let from = 0; from < keys.length && !signal.aborted; from += mostPrevalence)
				took(await client.editor.prevalence({...draft, keys: keys.slice(from, from + mostPrevalence)}, {signal}))
		},
		keysOf: (view: DraftView) => client.editor.keys({...draft, view})
	}
}

/** State of a dialog's action: running, or failed with a reason. */
export function useAct<T>(act: () => Promise<T>, onDone: (result: T) => void) {
	const {mutate, isPending, error, reset} = useMutation({mutationFn: act, onSuccess: onDone})
	return {run: () => mutate(), isRunning: isPending, error, reset}
}
