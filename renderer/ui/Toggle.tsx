import {Check, Minus} from 'lucide-react'
import type {ReactNode} from 'react'
import {
	Checkbox as AriaCheckbox,
	FieldError,
	Label,
	Radio,
	RadioGroup as AriaRadioGroup,
	Switch as AriaSwitch,
	Text,
} from 'react-aria-components'

import {cx} from './cx.ts'
import {fieldStyles} from './Field.tsx'
import {useHeld} from './Held.tsx'
import styles from './Toggle.module.css'

interface ToggleProps {
	children: ReactNode
	isSelected: boolean
	onChange: (selected: boolean) => void
	isDisabled?: boolean
	autoFocus?: boolean
	className?: string | undefined
	'aria-label'?: string
}

export function Checkbox({
	children,
	isIndeterminate = false,
	isDisabled = false,
	className,
	...rest
}: ToggleProps & {readonly isIndeterminate?: boolean}) {
	const held = useHeld()
	return (
		<AriaCheckbox
			{...rest}
			isDisabled={isDisabled || held}
			isIndeterminate={isIndeterminate}
			className={cx(styles.toggle, className)}
		>
			<span className={styles.box} aria-hidden>
				{isIndeterminate ? <Minus size={11} strokeWidth={3} /> : <Check size={11} strokeWidth={3} />}
			</span>
			{children}
		</AriaCheckbox>
	)
}

export function Switch({children, className, isDisabled = false, ...rest}: ToggleProps) {
	const held = useHeld()
	return (
		<AriaSwitch {...rest} isDisabled={isDisabled || held} className={cx(styles.toggle, className)}>
			<span className={styles.track} aria-hidden>
				<span className={styles.thumb} />
			</span>
			{children}
		</AriaSwitch>
	)
}

export interface RadioOption<V extends string> {
	readonly value: V
	readonly label: ReactNode
	readonly detail?: ReactNode
}

export interface RadioGroupProps<V extends string> {
	label: string
	/** Keeps the label for assistive technology only. */
	hideLabel?: boolean
	options: readonly RadioOption<V>[]
	value: V | null
	onChange: (value: V) => void
	description?: ReactNode
	error?: string | null
	orientation?: 'horizontal' | 'vertical'
	isDisabled?: boolean
}

export function RadioGroup<V extends string>({
	label,
	hideLabel = false,
	options,
	value,
	onChange,
	description,
	error = null,
	orientation = 'vertical',
	isDisabled = false,
}: RadioGroupProps<V>) {
	const held = useHeld()
	return (
		<AriaRadioGroup
			{...(hideLabel ? {'aria-label': label} : {})}
			value={value}
			onChange={key => {
				const option = options.find(each => each.value === key)
				if (option !== undefined) onChange(option.value)
			}}
			orientation={orientation}
			isDisabled={isDisabled || held}
			isInvalid={error !== null}
			validationBehavior="aria"
			className={cx(fieldStyles['field'])}
		>
			{hideLabel ? null : <Label className={fieldStyles['label'] ?? ''}>{label}</Label>}
			<div className={cx(styles.radios, styles[orientation])}>
				{options.map(option => (
					<Radio key={option.value} value={option.value} className={styles.toggle ?? ''}>
						<span className={styles.dot} aria-hidden />
						<span>
							{option.label}
							{option.detail === undefined ? null : <span className={styles.detail}>{option.detail}</span>}
						</span>
					</Radio>
				))}
			</div>
			{description === undefined ? null : (
				<Text slot="description" className={fieldStyles['description'] ?? ''}>
					{description}
				</Text>
			)}
			<FieldError className={fieldStyles['error'] ?? ''}>{error}</FieldError>
		</AriaRadioGroup>
	)
}
