import type {GuardJudgement} from '#model/guard.ts'

import {TextField} from '#ui/Field.tsx'
import {t} from '../text.ts'

interface TypedConfirmationProps {
	confirmation: GuardJudgement['confirmation'] | undefined
	typed: string
	onType: (text: string) => void
	problem: string | null
}

/** The host name or the number of targets, where the tier requires it. */
export function TypedConfirmation({confirmation, typed, onType, problem}: TypedConfirmationProps) {
	if (confirmation?.kind !== 'name' && confirmation?.kind !== 'count') return null
	const what = confirmation.kind === 'name' ? 'the name' : 'the number of targets'
	return <ConfirmationField label={t.type(what, confirmation.expected)} typed={typed} onType={onType} problem={problem} />
}

type FieldProps = Omit<TypedConfirmationProps, 'confirmation'> & {label: string}

export function ConfirmationField({label, typed, onType, problem}: FieldProps) {
	return (
		<TextField label={label} value={typed} onChange={onType} isRequired mono autoComplete="off" error={problem} description={t.requiredGuard} />
	)
}
