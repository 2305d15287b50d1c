import {useEffect, useRef, useState} from 'react'

import type {Connection, ConnectionInput, TestResult} from '#model/connection.ts'

import {useApi} from '#api/hooks.tsx'
import {asCordonError} from '#api/errors.ts'
import {each} from '#api/each.ts'
import {inputOf, problemOfTest, type Draft, type Problem} from './draft.ts'
import type {FormState} from './use-connection-form.ts'

export interface ConnectionTest {
	readonly results: readonly TestResult[]
	readonly isRunning: boolean
	/** Why the test could not run. */
	readonly failure: string | null
	start(subject: {readonly id?: string; readonly draft?: Partial<ConnectionInput>}): void
}

export interface DraftTest {
	readonly test: ConnectionTest
	tryOut(): void
	/** The problem found by the form, otherwise by the test. */
	readonly problem: Problem | null
}

/** *Test* of a form: its errors also show at the field until something is typed. */
export function useDraftTest(
	{draft, problem, check}: Pick<FormState, 'draft' | 'problem' | 'check'>,
	stored: Connection | null,
): DraftTest {
	const test = useConnectionTest()
	const [tested, setTested] = useState<Draft | null>(null)
	const tryOut = () => {
		if (!check()) return
		setTested(draft)
		test.start({...(stored !== null && {id: stored.id}), draft: inputOf(draft)})
	}
	return {test, tryOut, problem: problem ?? (tested === draft ? problemOfTest(test.results) : null)}
}

/** Runs *Test* and keeps its results as the stages end; leaving the form stops it. */
export function useConnectionTest(): ConnectionTest {
	const {client} = useApi()
	const [results, setResults] = useState<readonly TestResult[]>([])
	const [isRunning, setRunning] = useState(false)
	const [failure, setFailure] = useState<string | null>(null)
	const abort = useRef<AbortController | null>(null)
	useEffect(() => () => abort.current?.abort(), [])

	const run = async (subject: Parameters<ConnectionTest['start']>[0], signal: AbortSignal) => {
		setResults([])
		setFailure(null)
		setRunning(true)
		try {
			for await (const result of each(
				await client.connections.test({...subject, ...(subject.draft !== undefined && {draft: {...subject.draft}})}, {signal}),
			)) {
				setResults(old => [...old, result])
			}
		} catch (thrown) {
			if (!signal.aborted) setFailure(asCordonError(thrown).message)
		}
		if (!signal.aborted) setRunning(false)
	}
	return {
		results,
		isRunning,
		failure,
		start(subject) {
			abort.current?.abort()
			abort.current = new AbortController()
			void run(subject, abort.current.signal)
		},
	}
}
