import {keepPreviousData} from '@tanstack/react-query'
import {useState} from 'react'

import {type ArgumentProblem, argumentProblems, type RawArgs} from '#shared/commands/arguments.ts'
import {findCommand} from '#shared/commands/catalogue.ts'
import type {OptionName} from '#shared/commands/define.ts'
import {fieldsOf, type FormField} from '#shared/commands/fields.ts'
import {optionSummaries, type RunOptions} from '#shared/commands/options.ts'
import {formatLine, type KnownCommand} from '#shared/commands/parse.ts'
import {useActiveConnectionOrNull, useWriteRefusal, useConnected, useAsked} from '#api/hooks.tsx'
import {useUi} from '#state/ui.tsx'
import {Banner} from '#ui/States.tsx'
import {Button} from '#ui/Button.tsx'
import {Dialog} from '#ui/Dialog.tsx'
import {TextArea, TextField, Checkbox} from '#ui/Field.tsx'
import {linesOf} from '#ui/form.ts'
import {ComboBox, Select, optionsOf} from '#ui/Select.tsx'
import styles from './CommandForm.module.css'
import {shownLine} from './masked.ts'
import {t} from './text.ts'

/** A form for any command, made from its declaration. It ends as a typed line that the drawer runs. */
export function CommandFormDialog({command, values}: {command: string; values: Readonly<Record<string, string>>}) {
	const spec = findCommand(command)
	const connection = useActiveConnectionOrNull()
	if (spec === undefined || connection === null) return null
	return <Form spec={spec} start={values} />
}

function Form({spec, start}: {spec: KnownCommand; start: Readonly<Record<string, string>>}) {
	const close = useUi(ui => ui.closeForm)
	const runLine = useUi(ui => ui.runLine)
	const refusal = useWriteRefusal()
	const [values, setValues] = useState(start)
	const [all, setAll] = useState(false)
	const [isTried, setTried] = useState(false)
	const args = argsOf(values)
	const options: RunOptions = all ? {all: true} : {}
	const problems = argumentProblems(spec, args)
	const isChange = spec.risk !== 'read'
	const submit = () => {
		setTried(true)
		if (problems.length === 0) runLine(formatLine(spec.name, args, options))
	}
	// Show no errors before the first attempt to send.
	const shown = isTried ? problems : []
	return (
		<Dialog
			title={spec.title}
			onClose={close}
			footer={
				<>
					<code className={styles.line}>!{shownLine(spec, args, options)}</code>
					<Button onPress={close}>{t.cancel}</Button>
					<Button tone={isChange ? 'plain' : 'primary'} lock={isChange ? refusal : null} onPress={submit}>
						{isChange ? t.continue : t.run}
					</Button>
				</>
			}
		>
			<About spec={spec} problems={shown} />
			{fieldsOf(spec).map((field, index) => (
				<CommandField
					key={field.name}
					field={field}
					value={values[field.name] ?? ''}
					error={errorOf(field, shown)}
					autoFocus={index === 0}
					onChange={value => setValues(old => ({...old, [field.name]: value}))}
				/>
			))}
			{has(spec, 'all') && (
				<Checkbox isSelected={all} onChange={setAll}>
					{optionSummaries.all}
				</Checkbox>
			)}
		</Dialog>
	)
}

function About({spec, problems}: {spec: KnownCommand; problems: readonly ArgumentProblem[]}) {
	return (
		<>
			<p className="soft">{spec.summary}</p>
			{spec.notes.map(note => (
				<p key={note} className="note">
					{note}
				</p>
			))}
			{problems
				.filter(problem => problem.field === null)
				.map(problem => (
					<Banner key={problem.message} tone="bad">
						{wordsOf(problem)}
					</Banner>
				))}
		</>
	)
}

/** Leaves out empty fields; several values are separated by lines or commas. */
function argsOf(values: Readonly<Record<string, string>>): RawArgs {
	const given = Object.entries(values).filter(([, value]) => value.trim() !== '')
	return Object.fromEntries(
		given.map(([name, value]) => {
			const lines = linesOf(value)
			return [name, lines.length > 1 ? lines : (lines[0] ?? '')]
		})
	)
}

function errorOf(field: FormField, problems: readonly ArgumentProblem[]) {
	const problem = problems.find(each => each.field === field.name)
	return problem === undefined ? null : wordsOf(problem)
}

function wordsOf(problem: ArgumentProblem) {
	return `${problem.message}: ${problem.fix}.`
}

function has(spec: KnownCommand, option: OptionName) {
	return spec.options.some(each => each === option)
}

interface CommandFieldProps {
	field: FormField
	value: string
	error: string | null
	autoFocus: boolean
	onChange: (value: string) => void
}

/** The control that fits an argument: choices, suggestions from local data, several lines, or plain text. */
function CommandField(props: CommandFieldProps) {
	const {field, value, error, onChange, autoFocus} = props
	const shared = {label: field.label, description: hintOf(field), error, isRequired: field.required}
	if (field.choices.length > 0 && field.many === 'no') {
		const options = optionsOf(field.choices)
		return <Select {...shared} options={options} value={value === '' ? null : value} onChange={onChange} />
	}
	if (field.complete !== null && field.many === 'no') return <Suggesting {...props} />
	if (field.many === 'repeat') return <TextArea {...shared} value={value} onChange={onChange} rows={2} autoFocus={autoFocus} />
	return (
		<TextField
			{...shared}
			value={value}
			onChange={onChange}
			autoFocus={autoFocus}
			mono={field.kind !== 'text'}
			type={field.secret ? 'password' : 'text'}
			autoComplete="off"
		/>
	)
}

function Suggesting({field, value, error, autoFocus, onChange}: CommandFieldProps) {
	const {connection} = useConnected()
	const source = field.complete ?? 'computer'
	const input = {connection, source, prefix: value, limit: 20}
	const found = useAsked(q => q.commands.suggest, {input, placeholderData: keepPreviousData, gcTime: 5_000})
	const options = (found.data ?? []).map(each => ({value: each.value, label: each.label, ...(each.label !== each.value && {detail: each.value})}))
	return (
		<ComboBox
			label={field.label}
			description={hintOf(field)}
			error={error}
			isRequired={field.required}
			autoFocus={autoFocus}
			options={options}
			input={value}
			onInput={onChange}
		/>
	)
}

function hintOf(field: FormField) {
	if (field.many === 'comma') return `${field.hint} Separate several with commas.`
	return field.many === 'repeat' ? `${field.hint} One on each line.` : field.hint
}
