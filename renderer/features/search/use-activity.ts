import {useQuery} from '@tanstack/react-query'
import {useCallback, useEffect, useRef, useState} from 'react'

import type {CordonError} from '#contract/errors.ts'
import type {ActivityAnswer, ActivityComputer} from '#contract/search.ts'
import type {ActivityKind} from '#model/indicator.ts'

import {useConnected} from '#api/hooks.tsx'
import {asCordonError} from '#api/errors.ts'

export type Activity = ReturnType<typeof useActivity>

/** The service's answer to one query, page by page. Leaving the screen stops the query. */
export function useActivity(text: string, kind: ActivityKind | null) {
	const {client, queries, cache, connection} = useConnected()
	const input = {connection, text, kind: kind ?? 'activity'} as const
	const options = queries.search.asked.queryOptions({input, enabled: kind !== null && text !== ''})
	const {data} = useQuery(options)
	const question = JSON.stringify(input)
	const [state, setState] = useState<{question: string; error: CordonError | null} | null>(null)
	const [asking, setAsking] = useState<string | null>(null)
	const control = useRef<AbortController | null>(null)
	useEffect(() => () => control.current?.abort(), [question])

	const ask = useCallback(
		async (further: boolean) => {
			// The same object as above.
			const asked = JSON.parse(question) as typeof input
			const queryKey = queries.search.asked.queryKey({input: asked})
			const abort = new AbortController()
			control.current?.abort()
			control.current = abort
			setState(null)
			setAsking(question)
			const computers: ActivityComputer[] = further ? [...(cache.getQueryData(queryKey)?.computers ?? [])] : []
			try {
				await cache.cancelQueries({queryKey})
				const stream = await client.search.activity({...asked, further}, {signal: abort.signal})
				for await (const {facts, fresh} of stream) {
					computers.push(...fresh)
					// A copy, so that displayed data never changes.
					const answer: ActivityAnswer = {...facts, computers: computers.slice()}
					cache.setQueryData(queryKey, answer)
				}
			} catch (error) {
				if (!abort.signal.aborted) setState({question, error: asCordonError(error)})
			} finally {
				if (control.current === abort) {
					control.current = null
					setAsking(null)
				}
				void cache.invalidateQueries({queryKey})
			}
		},
		[client, cache, queries, question]
	)
	return {
		/** `undefined` while unknown whether it was queried; `null`: not in this session. */
		answer: data,
		isAsking: asking === question,
		/** Why there is no answer; a partial answer reports its failure itself. */
		error: state?.question === question ? state.error : null,
		/** Queries the service; `further` continues an answer that stopped early. */
		ask: (further: boolean) => void ask(further),
		/** Loads no further page. Earlier pages stay. */
		stop: () => control.current?.abort()
	}
}
