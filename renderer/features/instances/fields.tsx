import {omitUndefined} from '#shared/omit-undefined.ts'
import type {ReactNode} from 'react'

import {TextField, Checkbox} from '#ui/Field.tsx'
import type {Draft, NumberField, SwitchField} from './draft.ts'
import type {Problem} from './read-draft.ts'

/** Props of every part of the form. */
export interface PartProps {
	draft: Draft
	set: (change: Partial<Draft>) => void
	problem: Problem | null
}

/** The problem of a field or within it; `null` without one. */
export function errorAt(problem: Problem | null, field: string): string | null {
	if (problem === null) return null
	return problem.field === field || problem.field.startsWith(`${field}.`) ? problem.message : null
}

interface NumberProps extends PartProps {
	field: NumberField
	label: string
	description?: ReactNode
}

export function NumberInput({draft, set, problem, field, label, description}: NumberProps) {
	return (
		<TextField
			label={label}
			value={draft.numbers[field]}
			onChange={value => set({numbers: {...draft.numbers, [field]: value}})}
			error={errorAt(problem, field)}
			autoComplete="off"
			{...omitUndefined({description})}
		/>
	)
}

interface SwitchProps extends PartProps {
	field: SwitchField
	children: ReactNode
}

export function Option({draft, set, field, children}: SwitchProps) {
	return (
		<Checkbox isSelected={draft.switches[field]} onChange={value => set({switches: {...draft.switches, [field]: value}})}>
			{children}
		</Checkbox>
	)
}
