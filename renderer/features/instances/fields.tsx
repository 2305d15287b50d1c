import {omitUndefined} from '#shared/omit-undefined.ts'
import type {ReactNode} from 'react'

import {TextField, Checkbox} from '#ui/Field.tsx'
import type {Form} from '#ui/form.ts'
import type {Draft, NumberField, SwitchField} from './draft.ts'

/** Props of every part of the form. */
export type PartProps = Form<Draft>

interface NumberProps extends PartProps {
	name: NumberField
	label: string
	description?: ReactNode
}

export function NumberInput({within, name, label, description}: NumberProps) {
	return <TextField label={label} {...within('numbers').field(name)} autoComplete="off" {...omitUndefined({description})} />
}

interface SwitchProps extends PartProps {
	name: SwitchField
	children: ReactNode
}

export function Option({within, name, children}: SwitchProps) {
	return <Checkbox {...within('switches').check(name)}>{children}</Checkbox>
}
