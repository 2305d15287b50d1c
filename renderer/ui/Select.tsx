import {omitUndefined} from '#shared/omit-undefined.ts'
import {ChevronDown} from 'lucide-react'
import {use, useEffect, useRef} from 'react'
import {
	Button as AriaButton,
	ComboBox as AriaComboBox,
	ComboBoxStateContext,
	Input,
	ListBox,
	ListBoxItem,
	Popover,
	Select as AriaSelect,
	SelectValue
} from 'react-aria-components'

import {cx} from './cx.ts'
import {useHeld} from './Held.tsx'
import styles from './Field.module.css'
import {Below, FieldLabel, type LabelledProps} from './Field.tsx'

export interface Option<V extends string = string> {
	value: V
	label: string
	detail?: string
	/** A colour of the stylesheet, shown before the label. */
	swatch?: string
}

/** In their words, or as they are. */
export function optionsOf<V extends string>(values: readonly V[], words?: Readonly<Record<V, string>>): Option<V>[] {
	return values.map(value => ({value, label: words?.[value] ?? value}))
}

export function optionsByName(things: readonly {id: string; name: string}[]): Option[] {
	return things.map(({id, name}) => ({value: id, label: name}))
}

interface SharedProps<V extends string> extends LabelledProps {
	options: readonly Option<V>[]
}

interface SelectProps<V extends string> extends SharedProps<V> {
	value: V | null
	onChange: (value: V) => void
	placeholder?: string
}

export function Select<V extends string>(props: SelectProps<V>) {
	const {options, value, onChange, description, error = null, placeholder = 'Choose…'} = props
	return (
		<AriaSelect {...useShared(props)} value={value} onChange={key => choose(options, key, onChange)} placeholder={placeholder}>
			<Label {...props} />
			<AriaButton className={cx(styles.input, styles.select)}>
				<SelectValue className="cut" />
				<ChevronDown size={14} aria-hidden />
			</AriaButton>
			<Below description={description} error={error} />
			<Popover className={cx(styles.popover)} offset={4}>
				<Options options={options} />
			</Popover>
		</AriaSelect>
	)
}

interface ComboBoxProps<V extends string> extends SharedProps<V> {
	/** The typed text; any is allowed, options are suggestions. */
	input: string
	onInput: (text: string) => void
	/** An option was chosen: the field shows its label, without this its value. */
	onChoose?: (value: V) => void
	placeholder?: string
}

/** A text field with suggestions, already filtered by the caller. */
export function ComboBox<V extends string>(props: ComboBoxProps<V>) {
	const {options, input, onInput, onChoose, description, error = null} = props
	return (
		<AriaComboBox
			{...useShared(props)}
			inputValue={input}
			onInputChange={onInput}
			onChange={key => choose(options, key, onChoose ?? onInput)}
			defaultFilter={() => true}
			allowsCustomValue
			allowsEmptyCollection={false}
			// The focus comes here after an error: an open list would cover the message below the field.
			menuTrigger={error === null ? 'focus' : 'input'}
		>
			<Label {...props} />
			<Input className={cx(styles.input)} {...omitUndefined({placeholder: props.placeholder})} />
			<Below description={description} error={error} />
			<OpensLate isEmpty={options.length === 0 || error !== null} />
			<Popover className={cx(styles.popover)} offset={4}>
				<Options options={options} text={option => (onChoose === undefined ? option.value : option.label)} />
			</Popover>
		</AriaComboBox>
	)
}

function useShared({label, hideLabel = false, error = null, isRequired = false, autoFocus = false, className}: SharedProps<string>) {
	const held = useHeld()
	return {
		...(hideLabel && {'aria-label': label}),
		isRequired,
		isDisabled: held,
		autoFocus,
		isInvalid: error !== null,
		validationBehavior: 'aria',
		className: cx(styles.field, className)
	} as const
}

function Label({label, hideLabel = false, isRequired = false}: Pick<SharedProps<string>, 'label' | 'hideLabel' | 'isRequired'>) {
	return hideLabel ? null : <FieldLabel label={label} required={isRequired} />
}

/** The first options open the list, too, when they come after the first typed key. */
function OpensLate({isEmpty}: {isEmpty: boolean}) {
	const state = use(ComboBoxStateContext)
	const isLate = useRef(isEmpty)
	// The state knows the options only after another render, and until then opens nothing.
	useEffect(() => {
		if (isEmpty || !isLate.current) return
		if (state?.isFocused === true && !state.isOpen && state.inputValue !== '') state.open()
		else isLate.current = false
	})
	return null
}

interface OptionsProps {
	options: readonly Option[]
	/** The text inserted for a chosen option; default: its label. */
	text?: (option: Option) => string
}

function Options({options, text = labelOf}: OptionsProps) {
	return (
		<ListBox className={cx(styles.list)}>
			{options.map(option => (
				<ListBoxItem key={option.value} id={option.value} textValue={text(option)} className={cx(styles.option)}>
					{option.swatch !== undefined && <span className={styles.swatch} style={{background: option.swatch}} aria-hidden />}
					<span>{option.label}</span>
					{option.detail !== undefined && <span className={styles.detail}>{option.detail}</span>}
				</ListBoxItem>
			))}
		</ListBox>
	)
}

function choose<V extends string>(options: readonly Option<V>[], key: unknown, then: (value: V) => void) {
	const option = options.find(each => each.value === key)
	if (option !== undefined) then(option.value)
}

function labelOf(option: Option) {
	return option.label
}
