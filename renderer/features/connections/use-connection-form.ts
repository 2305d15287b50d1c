import {useEffect, useRef, useState, type RefObject} from 'react'

import type {Connection} from '#model/connection.ts'

import {useCall} from '#api/hooks.tsx'
import {asCordonError} from '#api/errors.ts'
import {changeOf, draftOf, emptyDraft, inputOf, problemAt, problemOf, type Draft, type Problem} from './draft.ts'

export interface FormState {
	readonly draft: Draft
	readonly problem: Problem | null
	/** A failure of no particular field. */
	readonly failure: string | null
	readonly isSaving: boolean
	/** The fields: the refused one gets the focus and is scrolled into view. */
	readonly place: RefObject<HTMLDivElement | null>
	set(draft: Draft): void
	/** Shows the first problem; `true` without one. */
	check(): boolean
	/** Resolves with the stored connection, or `null` after a problem. */
	save(): Promise<Connection | null>
}

const agreementOf = ({confirm, reason}: Draft) => ({confirm, reason})

/** A new or edited connection; a failed save loses nothing typed. */
export function useConnectionForm(stored: Connection | null): FormState {
	const [opened] = useState(stored)
	const [draft, setDraft] = useState<Draft>(() => (opened === null ? emptyDraft : draftOf(opened)))
	const [problem, setProblem] = useState<FormState['problem']>(null)
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
		failure,
		isSaving: saving.isPending,
		place,
		set: next => {
			setDraft(next)
			setProblem(null)
			setFailure(null)
		},
		check,
		save,
	}
}
