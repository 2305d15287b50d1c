import type {GuardJudgement} from '#model/guard.ts'

import {TextField} from '#ui/Field.tsx'
import {t} from '../text.ts'

interface TypedConfirmationProps {
	confirmation: GuardJudgement['confirmation'] | undefined
	/** The target is a hash, or several are. */
	ofHash?: boolean
	typed: string
	onType: (text: string) => void
	problem: string | null
	autoFocus?: boolean
}

/** The host name, the beginning of the hash or the number of targets, where the tier requires it. */
export function TypedConfirmation({confirmation, ofHash = false, ...field}: TypedConfirmationProps) {
	if (confirmation?.kind !== 'name' && confirmation?.kind !== 'count') return null
	const what = confirmation.kind === 'count' ? 'the number of targets' : ofHash ? 'the beginning of the hash' : 'the name'
	return <ConfirmationField label={t.type(what, confirmation.expected)} {...field} />
}

type FieldProps = Omit<TypedConfirmationProps, 'confirmation' | 'ofHash'> & {label: string}

export function ConfirmationField({typed, onType, problem, ...rest}: FieldProps) {
	return <TextField {...rest} value={typed} onChange={onType} isRequired mono autoComplete="off" error={problem} description={t.requiredGuard} />
}
