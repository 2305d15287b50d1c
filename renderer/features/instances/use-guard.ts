import {useQueryClient} from '@tanstack/react-query'
import {useRef, useState} from 'react'

import type {CordonError} from '#contract/errors.ts'

import {useApi} from '#api/hooks.tsx'
import {asCordonError} from '#api/errors.ts'

/** A change, with the typed confirmation if the host required one. */
type Call<T> = (confirmation: {readonly confirm?: string}) => Promise<T>

export interface Asked {
	/** The effect, in the host's words. */
	readonly message: string
	/** The text to type. */
	readonly text: string
}

export interface Guard {
	/** Set while the host waits for a typed confirmation. */
	readonly asked: Asked | null
	readonly isPending: boolean
	readonly error: CordonError | null
	/** Why the confirmed change failed. */
	readonly failed: CordonError | null
	/** Calls `after` with the answer, unless it failed or must be confirmed first. */
	run<T>(call: Call<T>, after?: (answer: T) => void): void
	readonly typed: string
	type(text: string): void
	/** Repeats the change with the typed text. */
	confirm(): void
	clear(): void
}

/** Changes of forwarding: the host decides when one needs a typed confirmation, and its text. */
export function useGuard(): Guard {
	const {queries} = useApi()
	const cache = useQueryClient()
	const [asked, setAsked] = useState<Asked | null>(null)
	const [typed, type] = useState('')
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
		asked,
		isPending,
		error: asked === null ? error : null,
		failed: asked === null ? null : error,
		typed,
		type,
		run: (call, after) => void send(call, after, undefined),
		confirm: () => again.current?.(typed.trim()),
		clear: () => {
			setAsked(null)
			setError(null)
		},
	}
}
