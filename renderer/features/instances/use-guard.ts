import {useQueryClient} from '@tanstack/react-query'
import {useRef, useState} from 'react'

import type {CordonError} from '#shared/contract/errors.ts'

import {useApi} from '../../api/ApiProvider.tsx'
import {asCordonError} from '../../api/errors.ts'

/** A change, with what was typed to confirm it where the host asked for that. */
type Call<T> = (confirmation: {readonly confirm?: string}) => Promise<T>

export interface Asked {
	/** What would happen, in the host's words. */
	readonly message: string
	/** What has to be typed. */
	readonly text: string
}

export interface Guard {
	/** Set while the host waits for a typed confirmation. */
	readonly asked: Asked | null
	readonly isPending: boolean
	readonly error: CordonError | null
	/** Resolves with the answer, or `undefined` when it failed or has to be confirmed first. */
	run<T>(call: Call<T>, after?: (answer: T) => void): void
	/** Sends the change again with what was typed. */
	confirm(typed: string): void
	clear(): void
}

/** Carries out changes of forwarding: the host says when one needs a typed confirmation, and what to type. */
export function useGuard(): Guard {
	const {queries} = useApi()
	const cache = useQueryClient()
	const [asked, setAsked] = useState<Asked | null>(null)
	const [isPending, setPending] = useState(false)
	const [error, setError] = useState<CordonError | null>(null)
	const again = useRef<((confirm: string) => void) | null>(null)

	const send = async <T>(call: Call<T>, after: ((answer: T) => void) | undefined, confirm: string | undefined) => {
		setPending(true)
		setError(null)
		try {
			const answer = await call(confirm === undefined ? {} : {confirm})
			setAsked(null)
			await cache.invalidateQueries({queryKey: queries.instances.key()})
			after?.(answer)
		} catch (thrown) {
			const failure = asCordonError(thrown)
			if (failure.code === 'confirmation_needed') {
				again.current = typed => void send(call, after, typed)
				setAsked({message: failure.message, text: failure.details.field ?? ''})
			} else {
				setAsked(null)
				setError(failure)
			}
		}
		setPending(false)
	}
	return {
		asked,
		isPending,
		error,
		run: (call, after) => void send(call, after, undefined),
		confirm: typed => again.current?.(typed),
		clear: () => {
			setAsked(null)
			setError(null)
		},
	}
}
