import {useEffect, useRef, useState} from 'react'

import type {Connection} from '#model/connection.ts'

import {useCall} from '#api/hooks.tsx'
import {asCordonError} from '#api/errors.ts'
import {changeOf, draftOf, emptyDraft, inputOf, problemAt, problemOf, type Draft} from './draft.ts'

export type FormState = ReturnType<typeof useConnectionForm>

const agreementOf = ({confirm, reason}: Draft) => ({confirm, reason})

/** A new or edited connection; a failed save loses nothing typed. */
export function useConnectionForm(stored: Connection | null) {
	const [opened] = useState(stored)
	const [draft, setDraft] = useState<Draft>(() => (opened === null ? emptyDraft : draftOf(opened)))
	const [problem, setProblem] = useState<ReturnType<typeof problemOf>>(null)
	const [failure, setFailure] = useState<string | null>(null)
	const place = useRef<HTMLDivElement>(null)
	useEffect(() => {
		if (problem !== null) place.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus()
	}, [problem])
	const saving = useCall((client, value: Draft) => {
		return opened === null
			? client.connections.add(inputOf(value))
			: client.connections.update({id: opened.id, change: changeOf(opened, value), agreement: agreementOf(value)})
	})

	const check = () => {
		const found = problemOf(draft, opened !== null)
		setProblem(found)
		setFailure(null)
		return found === null
	}
	const save = async (): Promise<Connection | null> => {
		if (!check()) return null
		try {
			return await saving.mutateAsync(draft)
		} catch (thrown) {
			const error = asCordonError(thrown)
			const refused = problemAt(error.details.field, error.message)
			setProblem(refused)
			setFailure(refused === null ? error.message : null)
			return null
		}
	}
	return {
		draft,
		problem,
		/** A failure of no particular field. */
		failure,
		isSaving: saving.isPending,
		/** The fields: the refused one gets the focus and is scrolled into view. */
		place,
		set: (next: Draft) => {
			setDraft(next)
			setProblem(null)
			setFailure(null)
		},
		/** Shows the first problem; `true` without one. */
		check,
		/** Resolves with the stored connection, or `null` after a problem. */
		save
	}
}
