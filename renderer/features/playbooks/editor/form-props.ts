import type {WorkflowStep} from '#model/playbook-document.ts'
import type {PlaybookIssue} from '#model/playbook.ts'

import {t} from '../text.ts'
import type {Draft} from './edit.ts'
import type {Change} from './use-draft.ts'

export interface FormProps {
	draft: Draft
	issues: readonly PlaybookIssue[]
	isFocused: boolean
	onChange: Change
}

export interface StepFormProps extends FormProps {
	id: string
	onChoose: (step: string | null) => void
}

export type OfStep = StepFormProps & {step: WorkflowStep}

/** As written in texts. */
export function variablesOf(draft: Draft) {
	const names = Object.keys(draft.playbook_variables ?? {})
	return t.variablesHere(names.map(name => `${name}:value`).join(', '))
}
