import {omitUndefined} from '#shared/omit-undefined.ts'

import {TextField, Checkbox} from '#ui/Field.tsx'
import type {Form} from '#ui/form.ts'
import type {Draft, NumberField} from './draft.ts'
import styles from './form.module.css'

export type PartProps = Form<Draft>

type NumberLine = readonly [name: NumberField, label: string, description?: string]

export function NumberInputs({within, lines}: PartProps & {lines: readonly NumberLine[]}) {
	return lines.map(([name, label, description]) => (
		<TextField key={name} label={label} {...within('numbers').field(name)} autoComplete="off" {...omitUndefined({description})} />
	))
}

interface ChecksProps<Place> {
	check(name: Place): {isSelected: boolean; onChange: (selected: boolean) => void}
	words: readonly (readonly [Place, string])[]
}

/** Checkboxes below one another. */
export function Checks<Place extends string>({check, words}: ChecksProps<Place>) {
	return (
		<div className={styles.checks}>
			{words.map(([name, text]) => (
				<Checkbox key={name} {...check(name)}>
					{text}
				</Checkbox>
			))}
		</div>
	)
}
