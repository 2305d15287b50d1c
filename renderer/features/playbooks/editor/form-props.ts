import type {WorkflowStep} from '#model/playbook-document.ts'
import type {PlaybookIssue} from '#model/playbook.ts'

import {t} from '../text.ts'
import type {Draft} from './edit.ts'
import type {Change} from './use-draft.ts'

export interface FormProps {
	readonly draft: Draft
	readonly issues: readonly PlaybookIssue[]
	readonly isFocused: boolean
	readonly onChange: Change
}

export interface StepFormProps extends FormProps {
	readonly id: string
	readonly onChoose: (step: string | null) => void
}

export type OfStep = StepFormProps & {step: WorkflowStep}

/** As written in texts. */
export function variablesOf(draft: Draft): string {
	const names = Object.keys(draft.playbook_variables ?? {})
	return t.variablesHere(names.map(name => `${name}:value`).join(', '))
}
