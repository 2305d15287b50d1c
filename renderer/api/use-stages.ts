import {useEffect, useRef, useState} from 'react'

import {asCordonError} from './errors.ts'

/** Runs a test and keeps its results as the stages end; another start, or leaving, stops it. */
export function useStages<Subject, Result>(open: (subject: Subject, signal: AbortSignal) => Promise<AsyncIteratorObject<Result, void>>) {
	const [results, setResults] = useState<readonly Result[]>([])
	const [isRunning, setRunning] = useState(false)
	const [failure, setFailure] = useState<string | null>(null)
	const abort = useRef<AbortController | null>(null)
	useEffect(() => () => abort.current?.abort(), [])

	const run = async (subject: Subject, signal: AbortSignal) => {
		setResults([])
		setFailure(null)
		setRunning(true)
		try {
			for await (const result of await open(subject, signal)) {
				if (signal.aborted) return
				setResults(old => [...old, result])
			}
		} catch (thrown) {
			if (!signal.aborted) setFailure(asCordonError(thrown).message)
		}
		if (!signal.aborted) setRunning(false)
	}
	return {
		...{results, isRunning},
		/** Why it could not run. */
		failure,
		start(subject: Subject) {
			abort.current?.abort()
			abort.current = new AbortController()
			void run(subject, abort.current.signal)
		}
	}
}
