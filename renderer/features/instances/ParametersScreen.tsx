import {useNavigate, useSearch} from '@tanstack/react-router'
import {useRef, useState} from 'react'

import type {ParameterRow} from '#contract/instances.ts'
import {exposeAll, exposeKey, parameterKeys, parameterMeaning, parameterProblem} from '#model/server-parameter.ts'
import {formatCount} from '#text/numbers.ts'
import {useAsked} from '#api/hooks.tsx'
import {useAnnounce} from '#ui/Announcer.tsx'
import {Banner, EmptyState, Loaded} from '#ui/States.tsx'
import {Button, Link} from '#ui/Button.tsx'
import {TextField} from '#ui/Field.tsx'
import {useKeys} from '#ui/keys/KeyRegistry.tsx'
import {Screen, ScreenBar} from '#ui/Screen.tsx'
import {ComboBox} from '#ui/Select.tsx'
import {unseen} from '#ui/cx.ts'
import {GuardDialog} from './GuardDialog.tsx'
import styles from './ParametersScreen.module.css'
import type {ParametersSearch} from './search.ts'
import {SureDialog} from './SureDialog.tsx'
import {t} from './text.ts'
import {useGuard} from './use-guard.ts'

/** Server parameters as keys and values. The switches of the other screens set the same rows. */
export function ParametersScreen() {
	const parameters = useAsked(q => q.instances.parameters.list)
	const search = useSearch({from: '/instances/parameters'})
	const navigate = useNavigate({from: '/instances/parameters'})
	const keyBox = useRef<HTMLDivElement>(null)
	const show = (next: ParametersSearch) => void navigate({search: next, replace: true})
	useKeys({
		'parameters.add': () => keyBox.current?.querySelector('input')?.focus(),
		'parameters.back': search.edit === undefined && (() => void navigate({to: '/instances', search: {}}))
	})
	const rows = parameters.data?.rows
	const removed = rows?.find(({key}) => key === search.remove)
	return (
		<Screen>
			<ScreenBar
				title={
					<>
						<Link href="/instances" className={styles.up}>
							{t.instances}
						</Link>{' '}
						<span aria-hidden>▸</span> {t.serverParameters}
					</>
				}
				facts={rows && <span>{t.setTitle(formatCount(rows.length))}</span>}
			/>
			<div className={styles.scroll}>
				<div ref={keyBox}>
					<AddParameter known={rows?.map(({key}) => key) ?? []} wanted={search.key ?? ''} />
				</div>
				<Loaded of={parameters} title={t.couldNotLoadParameters} lines={6} label={t.loadingTheParameters}>
					{data =>
						data.rows.length === 0 ? (
							<EmptyState title={t.noParameter}>{t.defaultsApply(exposeAll)}</EmptyState>
						) : (
							<Rows {...data} search={search} show={show} />
						)
					}
				</Loaded>
			</div>
			{removed !== undefined && <RemoveDialog row={removed} onClose={() => show({})} />}
		</Screen>
	)
}

interface RowsProps {
	rows: readonly ParameterRow[]
	problems: readonly {key: string; problem: string}[]
	search: ParametersSearch
	show: (next: ParametersSearch) => void
}

function Rows({rows, problems, search, show}: RowsProps) {
	const strays = problems.filter(({key}) => !rows.some(row => row.key === key))
	return (
		<>
			{strays.map(({key, problem}) => (
				<Banner key={key} tone="warning">
					{problem}
				</Banner>
			))}
			<table className={styles.table} aria-label={t.serverParameters}>
				<thead>
					<tr>
						<th scope="col">{t.key}</th>
						<th scope="col">{t.value}</th>
						<th scope="col">{t.meaning}</th>
						<th scope="col">
							<span className={unseen}>{t.changeTitle}</span>
						</th>
					</tr>
				</thead>
				<tbody>
					{rows.map(row => (
						<ParameterLine
							key={row.key}
							row={row}
							problem={problems.find(({key}) => key === row.key)?.problem ?? null}
							isEditing={search.edit === row.key}
							onEdit={() => show({edit: row.key})}
							onRemove={() => show({remove: row.key})}
							onClose={() => show({})}
						/>
					))}
				</tbody>
			</table>
		</>
	)
}

function RemoveDialog({row, onClose}: {row: ParameterRow; onClose: () => void}) {
	return (
		<SureDialog
			title={t.removeOf(row.key)}
			verb={t.removeTheParameter}
			tone="danger"
			onClose={onClose}
			call={(instances, confirmation) => instances.parameters.set({key: row.key, value: null, ...confirmation})}
		>
			<p>{t.defaultReplaces(row.value)}</p>
		</SureDialog>
	)
}

interface ParameterLineProps {
	row: ParameterRow
	problem: string | null
	isEditing: boolean
	onEdit: () => void
	onRemove: () => void
	onClose: () => void
}

/** One row with an editable value. */
function ParameterLine(props: ParameterLineProps) {
	const {row, problem, isEditing, onEdit, onRemove} = props
	return (
		<tr className={problem === null ? undefined : styles.wrong}>
			<th scope="row" className={styles.mono}>
				{row.key}
			</th>
			{isEditing ? (
				<Editing {...props} />
			) : (
				<>
					<td className={styles.mono}>{row.value}</td>
					<td className="quiet">
						{row.meaning !== problem && row.meaning}
						{problem !== null && (
							<p className="bad">
								<span aria-hidden>▲</span> {problem}
							</p>
						)}
					</td>
					<td className={styles.actions}>
						<Button small onPress={onEdit} aria-label={t.change(row.key)}>
							{t.changeTitle}
						</Button>
						<Button small onPress={onRemove} aria-label={t.removeOf(row.key)} opens>
							{t.remove}
						</Button>
					</td>
				</>
			)}
		</tr>
	)
}

function Editing({row, onClose}: ParameterLineProps) {
	const guard = useGuard()
	const [value, setValue] = useState(row.value)
	const [tried, setTried] = useState(false)
	const problem = parameterProblem(row.key, value.trim())
	const save = () => {
		setTried(true)
		if (problem !== null) return
		guard.run((instances, confirmation) => instances.parameters.set({key: row.key, value: value.trim(), ...confirmation}), onClose)
	}
	return (
		<td colSpan={3} className={styles.editing}>
			<form
				onSubmit={event => {
					event.preventDefault()
					save()
				}}
			>
				<TextField
					label={t.valueIn(row.key)}
					hideLabel
					value={value}
					onChange={text => {
						setValue(text)
						setTried(false)
						guard.clear()
					}}
					mono
					autoFocus
					autoComplete="off"
					error={(tried ? problem : null) ?? guard.error?.message ?? null}
					onKeyDown={event => {
						if (event.key === 'Escape') onClose()
					}}
					className={styles.value}
				/>
				<Button type="submit" tone="primary" reason={guard.isPending ? t.saving : null}>
					{t.save}
				</Button>
				<Button onPress={onClose}>{t.cancel}</Button>
			</form>
			<p className="quiet">{row.meaning}</p>
			<GuardDialog guard={guard} verb={t.setOf(row.key)} />
		</td>
	)
}

interface AddParameterProps {
	known: readonly string[]
	/** Initial key in the form. */
	wanted: string
}

/** A new row. Existing keys, including those of instances, are suggested; any other can be typed. */
function AddParameter({known, wanted}: AddParameterProps) {
	const guard = useGuard()
	const announce = useAnnounce()
	const [key, setKey] = useState(wanted)
	const [value, setValue] = useState('')
	const [tried, setTried] = useState(false)
	const names = useNames()
	const typed = key.trim()
	const problem = typed === '' ? 'Type a key.' : parameterProblem(typed, value.trim())
	// An invalid key is reported at the key, an invalid value at the value.
	const isKeyWrong = typed === '' || parameterProblem(typed, 'true') === problem
	const add = () => {
		setTried(true)
		if (problem !== null) return
		guard.run(
			(instances, confirmation) => instances.parameters.set({key: typed, value: value.trim(), ...confirmation}),
			() => {
				announce(`${typed} is set`)
				setKey('')
				setValue('')
				setTried(false)
			}
		)
	}
	const shown = tried ? problem : null
	const edited = (set: (text: string) => void) => (text: string) => {
		set(text)
		setTried(false)
		guard.clear()
	}
	return (
		<form
			className={styles.add}
			aria-label={t.addAParameter}
			onSubmit={event => {
				event.preventDefault()
				add()
			}}
		>
			<ComboBox
				label={t.key}
				input={key}
				onInput={edited(setKey)}
				options={optionsFor(typed, known, names)}
				placeholder={t.nameOf(exposeAll)}
				error={isKeyWrong ? shown : null}
				description={
					typed === '' || (parameterProblem(typed, 'true') !== null && isKeyWrong) ? t.existingParameter : parameterMeaning(typed, names)
				}
				className={styles.key}
			/>
			<TextField
				label={t.value}
				value={value}
				onChange={edited(setValue)}
				mono
				placeholder={t.true}
				error={isKeyWrong ? (guard.error?.message ?? null) : (shown ?? guard.error?.message ?? null)}
				className={styles.value}
				autoComplete="off"
			/>
			<Button type="submit" tone="primary" reason={guard.isPending ? t.saving : null} className={styles.submit}>
				{known.includes(typed) ? t.set : t.add}
			</Button>
			<GuardDialog guard={guard} verb={t.setOf(typed)} />
		</form>
	)
}

function useNames() {
	const {data} = useAsked(q => q.instances.list)
	return data?.rows.map(({instance}) => instance.name) ?? []
}

function optionsFor(typed: string, known: readonly string[], names: readonly string[]) {
	const text = typed.toLowerCase()
	return [...parameterKeys, ...names.map(exposeKey)]
		.filter(key => key.toLowerCase().includes(text))
		.map(key => ({value: key, label: key, detail: known.includes(key) ? 'set' : ''}))
}
