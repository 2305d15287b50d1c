import {useState} from 'react'

import type {GuardJudgement} from '#model/guard.ts'
import {typedProblem} from '#model/typed.ts'

export type AgreementFields = ReturnType<typeof useAgreement>

/** What an operator enters before a change: reason, ticket, and the typed confirmation where the tier requires it. */
export function useAgreement(given: {needsReason?: boolean; confirm?: string | undefined} = {}) {
	const needsReason = given.needsReason ?? true
	const [reason, setReason] = useState('')
	const [ticket, setTicket] = useState('')
	const [confirm, setConfirm] = useState(given.confirm ?? '')
	const [tried, setTried] = useState<GuardJudgement['confirmation'] | 'untyped' | null>(null)
	const reasonProblem = needsReason && reason.trim() === '' ? sayWhy : null
	const wrong = tried === null || tried === 'untyped' ? null : typedProblem(tried, confirm)
	return {
		reason,
		ticket,
		confirm,
		setReason,
		setTicket,
		setConfirm,
		problems: {reason: tried === null ? null : reasonProblem, confirm: wrong},
		/** Shows what is missing and returns `null`, or returns what goes with the change. */
		submit: (judgement: GuardJudgement | undefined) => {
			const asked = judgement?.confirmation
			setTried(asked ?? 'untyped')
			if (reasonProblem !== null || (asked !== undefined && typedProblem(asked, confirm) !== null)) return null
			return {
				...(reason.trim() !== '' && {reason: reason.trim()}),
				...(ticket.trim() !== '' && {ticket: ticket.trim()}),
				...(confirm.trim() !== '' && {confirm: confirm.trim()})
			}
		}
	}
}

const sayWhy = 'Say why: the incident log keeps the reason.'
