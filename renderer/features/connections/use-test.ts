import {useState} from 'react'

import type {Connection, ConnectionInput} from '#model/connection.ts'

import {useApi} from '#api/hooks.tsx'
import {useStages} from '#api/use-stages.ts'
import {inputOf, problemOfTest, type Draft} from './draft.ts'
import type {FormState} from './use-connection-form.ts'

export type ConnectionTest = ReturnType<typeof useConnectionTest>

export type DraftTest = ReturnType<typeof useDraftTest>

/** *Test* of a form: its errors also show at the field until something is typed. */
export function useDraftTest({draft, problem, check}: Pick<FormState, 'draft' | 'problem' | 'check'>, stored: Connection | null) {
	const test = useConnectionTest()
	const [tested, setTested] = useState<Draft | null>(null)
	const tryOut = () => {
		if (!check()) return
		setTested(draft)
		test.start({...(stored !== null && {id: stored.id}), draft: inputOf(draft)})
	}
	/** The problem found by the form, otherwise by the test. */
	return {test, tryOut, problem: problem ?? (tested === draft ? problemOfTest(test.results) : null)}
}

export function useConnectionTest() {
	const {client} = useApi()
	return useStages((subject: {id?: string; draft?: Partial<ConnectionInput>}, signal) => client.connections.test(subject, {signal}))
}
