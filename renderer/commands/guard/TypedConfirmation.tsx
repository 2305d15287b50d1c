import type {GuardJudgement} from '#model/guard.ts'

import {TextField} from '#ui/Field.tsx'
import {t} from '../text.ts'

interface TypedConfirmationProps {
	confirmation: GuardJudgement['confirmation'] | undefined
	/** What names a single target; default: its name. */
	name?: string
	typed: string
	onType: (text: string) => void
	problem: string | null
	autoFocus?: boolean
}

/** The host name or the number of targets, where the tier requires it. */
export function TypedConfirmation({confirmation, name = 'the name', ...field}: TypedConfirmationProps) {
	if (confirmation?.kind !== 'name' && confirmation?.kind !== 'count') return null
	const what = confirmation.kind === 'name' ? name : 'the number of targets'
	return <ConfirmationField label={t.type(what, confirmation.expected)} {...field} />
}

type FieldProps = Omit<TypedConfirmationProps, 'confirmation' | 'name'> & {label: string}

export function ConfirmationField({typed, onType, problem, ...rest}: FieldProps) {
	return <TextField {...rest} value={typed} onChange={onType} isRequired mono autoComplete="off" error={problem} description={t.requiredGuard} />
}
