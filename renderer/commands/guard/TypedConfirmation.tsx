import {TextField} from '../../ui/Field.tsx'
import {t} from '../text.ts'
import type {AgreementFields} from './use-agreement.ts'
import type {JudgementView} from './use-judgement.ts'

/** The host name or the number of targets, where the tier requires it. */
export function TypedConfirmation({view, fields}: {view: JudgementView; fields: AgreementFields}) {
	const confirmation = view.answer?.judgement.confirmation
	if (view.refusal !== null || (confirmation?.kind !== 'name' && confirmation?.kind !== 'count')) return null
	const what = confirmation.kind === 'name' ? 'the name' : 'the number of targets'
	return (
		<TextField
			label={t.type(what, confirmation.expected)}
			value={fields.confirm}
			onChange={fields.setConfirm}
			isRequired
			mono
			autoComplete="off"
			error={fields.problems.confirm}
			description={t.requiredGuard}
		/>
	)
}
