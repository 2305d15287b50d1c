import {Search, Check, Minus} from 'lucide-react'
import type {ReactNode, Ref} from 'react'
import {
	FieldError,
	Input,
	Label,
	Text,
	TextArea as AriaTextArea,
	TextField as AriaTextField,
	Checkbox as AriaCheckbox,
	Radio,
	RadioGroup as AriaRadioGroup,
	Switch as AriaSwitch
} from 'react-aria-components'
import {formatCount} from '#text/numbers.ts'
import {omitUndefined} from '#shared/omit-undefined.ts'
import {cx} from './cx.ts'
import styles from './Field.module.css'
import {useHeld} from './Held.tsx'
import {listOfScreen} from './list-of-screen.ts'
import {t} from './text.ts'
import toggle from './Toggle.module.css'

export interface LabelledProps {
	label: string
	/** Keeps the label for assistive technology only. */
	hideLabel?: boolean
	description?: ReactNode
	/** The problem of the value, as a sentence or its end; `null` without one. */
	error?: string | null
	isRequired?: boolean
	autoFocus?: boolean
	className?: string | undefined
}

interface FieldProps extends LabelledProps {
	isDisabled?: boolean
	value: string
	onChange: (value: string) => void
	placeholder?: string
	mono?: boolean
	maxLength?: number
	name?: string
	autoComplete?: string
	onBlur?: () => void
	onKeyDown?: (event: {key: string; preventDefault(): void}) => void
}

export interface TextFieldProps extends FieldProps {
	type?: 'text' | 'password' | 'url' | 'search'
	inputRef?: Ref<HTMLInputElement>
	/** At the end of the input, such as a button. */
	after?: ReactNode
}

export function TextField(props: TextFieldProps) {
	const {type = 'text', placeholder, mono = false, inputRef, after} = props
	const field = type === 'search' && props.onKeyDown === undefined ? {...props, onKeyDown: leaveSearch} : props
	return (
		<Frame field={field} type={type}>
			<div className={styles.box}>
				{type === 'search' && <Search size={14} aria-hidden className={styles.glass} />}
				<Input
					{...omitUndefined({ref: inputRef})}
					{...omitUndefined({placeholder})}
					spellCheck={false}
					className={cx(styles.input, mono && styles.mono, type === 'search' && styles.searched)}
				/>
				{after}
			</div>
		</Frame>
	)
}

type KeyHandler = NonNullable<FieldProps['onKeyDown']>
type FieldKeyEvent = Parameters<KeyHandler>[0] & {continuePropagation(): void}

/** A field with a handler would stop all keys: screen shortcuts are passed on. */
function hearing(handler: KeyHandler): (event: FieldKeyEvent) => void {
	return event => {
		handler(event)
		event.continuePropagation()
	}
}

/** Escape clears a search, as in browsers; in an empty one it returns to the list, where letters are shortcuts. */
function leaveSearch({key}: {key: string}) {
	const box = document.activeElement
	if (key === 'Escape' && box instanceof HTMLInputElement && box.value === '') listOfScreen(box.closest('main'))?.focus()
}

export function TextArea(props: FieldProps & {rows?: number}) {
	const {placeholder, mono = false, rows = 3} = props
	return (
		<Frame field={props} type="text">
			<AriaTextArea rows={rows} {...omitUndefined({placeholder})} className={cx(styles.input, styles.area, mono && styles.mono)} />
		</Frame>
	)
}

function Frame({field, type, children}: {field: FieldProps; type: string; children: ReactNode}) {
	const {label, hideLabel = false, description, error = null, className, placeholder: _p, mono: _m, ...rest} = field
	const {value, onChange, isRequired, isDisabled, autoFocus, maxLength, name, autoComplete, onBlur, onKeyDown} = rest
	const held = useHeld()
	const full = noRoomWords(value, maxLength)
	const given = Object.fromEntries(
		Object.entries({
			isRequired,
			isDisabled,
			// Still readable and copyable.
			isReadOnly: held,
			autoFocus,
			maxLength,
			name,
			autoComplete,
			onBlur,
			onKeyDown: onKeyDown && hearing(onKeyDown)
		}).filter(([, each]) => each !== undefined)
	)
	return (
		<AriaTextField
			{...given}
			type={type}
			value={value}
			onChange={onChange}
			isInvalid={error !== null}
			validationBehavior="aria"
			className={cx(styles.field, className)}
			{...(hideLabel && {'aria-label': label})}
		>
			{!hideLabel && <FieldLabel label={label} required={isRequired === true} />}
			{children}
			<Below description={description} error={error}>
				{full !== null && (
					<span role="status" className={styles.full}>
						{full}
					</span>
				)}
			</Below>
		</AriaTextField>
	)
}

export function Below({description, error, children}: {description: ReactNode; error: string | null; children?: ReactNode}) {
	return (
		<>
			{description !== undefined && (
				<Text slot="description" className="note">
					{description}
				</Text>
			)}
			{children}
			<FieldError className="fails">{error}</FieldError>
		</>
	)
}

export function FieldLabel({label, required}: {label: string; required: boolean}) {
	return (
		<Label className={cx(styles.label)}>
			{label}
			{required && <span className={styles.required}> {t.required}</span>}
		</Label>
	)
}

/** Shorter fields are for numbers: their limit is obvious. */
const wordsFrom = 50

/** Message for a full field, because pasted text is cut silently; `null` below the limit. */
export function noRoomWords(value: string, maxLength: number | undefined) {
	if (maxLength === undefined || maxLength < wordsFrom || value.length < maxLength) return null
	return `The limit is ${formatCount(maxLength)} characters. The rest was cut off.`
}

interface ToggleProps {
	children: ReactNode
	isSelected: boolean
	onChange: (selected: boolean) => void
	isDisabled?: boolean
	autoFocus?: boolean
	className?: string | undefined
	'aria-label'?: string
}

export function Checkbox({children, isIndeterminate = false, isDisabled = false, className, ...rest}: ToggleProps & {isIndeterminate?: boolean}) {
	const held = useHeld()
	return (
		<AriaCheckbox {...rest} isDisabled={isDisabled || held} isIndeterminate={isIndeterminate} className={cx(toggle.toggle, className)}>
			<span className={toggle.box} aria-hidden>
				{isIndeterminate ? <Minus size={11} strokeWidth={3} /> : <Check size={11} strokeWidth={3} />}
			</span>
			{children}
		</AriaCheckbox>
	)
}

export function Switch({children, className, isDisabled = false, ...rest}: ToggleProps) {
	const held = useHeld()
	return (
		<AriaSwitch {...rest} isDisabled={isDisabled || held} className={cx(toggle.toggle, className)}>
			<span className={toggle.track} aria-hidden>
				<span className={toggle.thumb} />
			</span>
			{children}
		</AriaSwitch>
	)
}

export interface RadioOption<V extends string> {
	value: V
	label: ReactNode
	detail?: ReactNode
}

export interface RadioGroupProps<V extends string> extends Omit<LabelledProps, 'isRequired' | 'autoFocus' | 'className'> {
	options: readonly RadioOption<V>[]
	value: V | null
	onChange: (value: V) => void
	orientation?: 'horizontal' | 'vertical'
}

export function RadioGroup<V extends string>({
	label,
	hideLabel = false,
	options,
	value,
	onChange,
	description,
	error = null,
	orientation = 'vertical'
}: RadioGroupProps<V>) {
	const held = useHeld()
	return (
		<AriaRadioGroup
			{...(hideLabel && {'aria-label': label})}
			value={value}
			onChange={key => {
				const option = options.find(each => each.value === key)
				if (option !== undefined) onChange(option.value)
			}}
			orientation={orientation}
			isDisabled={held}
			isInvalid={error !== null}
			validationBehavior="aria"
			className={cx(styles.field)}
		>
			{!hideLabel && <Label className={cx(styles.label)}>{label}</Label>}
			<div className={cx(toggle.radios, toggle[orientation])}>
				{options.map(option => (
					<Radio key={option.value} value={option.value} className={cx(toggle.toggle)}>
						<span className={toggle.dot} aria-hidden />
						<span>
							{option.label}
							{option.detail !== undefined && <span className={toggle.detail}>{option.detail}</span>}
						</span>
					</Radio>
				))}
			</div>
			<Below description={description} error={error} />
		</AriaRadioGroup>
	)
}
