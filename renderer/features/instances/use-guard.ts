import {useQueryClient} from '@tanstack/react-query'
import {useRef, useState} from 'react'

import type {CordonError} from '#contract/errors.ts'

import {useApi} from '#api/hooks.tsx'
import {asCordonError} from '#api/errors.ts'
import type {Client} from '#api/wire.ts'

/** A change, with the typed confirmation if the host required one. */
export type GuardedCall<T> = (instances: Client['instances'], confirmation: {confirm?: string}) => Promise<T>

export interface Asked {
	/** The effect, in the host's words. */
	message: string
	/** The text to type. */
	text: string
}

export type Guard = ReturnType<typeof useGuard>

/** Changes of forwarding: the host decides when one needs a typed confirmation, and its text. */
export function useGuard() {
	const {client, queries} = useApi()
	const cache = useQueryClient()
	const [asked, setAsked] = useState<Asked | null>(null)
	const [typed, type] = useState('')
	const [isPending, setPending] = useState(false)
	const [error, setError] = useState<CordonError | null>(null)
	const again = useRef<((confirm: string) => void) | null>(null)

	const send = async <T>(call: GuardedCall<T>, after: ((answer: T) => void) | undefined, confirm: string | undefined) => {
		setPending(true)
		setError(null)
		try {
			const answer = await call(client.instances, confirm === undefined ? {} : {confirm})
			setAsked(null)
			await cache.invalidateQueries({queryKey: queries.instances.key()})
			after?.(answer)
		} catch (thrown) {
			const failure = asCordonError(thrown)
			if (failure.code === 'confirmation_needed') {
				again.current = typed => void send(call, after, typed)
				type('')
				setAsked({message: failure.message, text: failure.details.field ?? ''})
			} else {
				// What was typed stays for another try.
				if (confirm === undefined) setAsked(null)
				setError(failure)
			}
		}
		setPending(false)
	}
	return {
		/** Set while the host waits for a typed confirmation. */
		asked,
		isPending,
		error: asked === null ? error : null,
		/** Why the confirmed change failed. */
		failed: asked === null ? null : error,
		typed,
		type,
		/** Calls `after` with the answer, unless it failed or must be confirmed first. */
		run: <T>(call: GuardedCall<T>, after?: (answer: T) => void) => void send(call, after, undefined),
		/** Repeats the change with the typed text. */
		confirm: () => again.current?.(typed.trim()),
		clear: () => {
			setAsked(null)
			setError(null)
		}
	}
}
