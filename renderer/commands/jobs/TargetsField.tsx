import {useState} from 'react'

import {targetsIn} from '#model/target-list.ts'
import {nounOf, targetsWords} from '#text/acts.ts'

import type {BulkKind} from '#state/ui.tsx'
import {Banner} from '#ui/States.tsx'
import {TextArea, RadioGroup} from '#ui/Field.tsx'
import {FileButton} from '#ui/Button.tsx'
import styles from './jobs.module.css'
import {t} from './text.ts'

export interface TargetsChoice {
	from: 'selection' | 'text'
	text: string
}

export function targetsOfChoice({from, text}: TargetsChoice, selection: readonly string[]): readonly string[] {
	return from === 'selection' ? selection : targetsIn(text)
}

interface TargetsFieldProps {
	kind: BulkKind
	selection: readonly string[]
	choice: TargetsChoice
	/** Of the targets that it names. */
	count: number
	onChange: (choice: TargetsChoice) => void
	problem: string | null
}

/** A larger file is no list of computers. */
const largestFile = 10_000_000

/** The frozen selection, or a list that is typed, pasted or read from a file. A filter cannot be a target. */
export function TargetsField({kind, selection, choice, count, onChange, problem}: TargetsFieldProps) {
	return (
		<>
			{selection.length !== 0 && (
				<RadioGroup
					label={kind === 'policies' ? t.groups : t.computers}
					value={choice.from}
					onChange={from => onChange({...choice, from})}
					options={[
						{value: 'selection', label: `The selection: ${targetsWords(kind, selection.length)}, frozen`},
						{value: 'text', label: 'A list of names or GUIDs'}
					]}
					error={choice.from === 'selection' ? problem : null}
				/>
			)}
			{choice.from === 'text' && (
				<ListField kind={kind} choice={choice} onChange={onChange} problem={problem} count={count} isAlone={selection.length === 0} />
			)}
		</>
	)
}

interface ListFieldProps extends Pick<TargetsFieldProps, 'kind' | 'choice' | 'count' | 'onChange' | 'problem'> {
	isAlone: boolean
}

function ListField({kind, choice, onChange, problem, count, isAlone}: ListFieldProps) {
	const [refused, setRefused] = useState<string | null>(null)
	const take = (text: string) => {
		setRefused(null)
		onChange({from: 'text', text})
	}
	const read = async (file: File | undefined) => {
		if (file === undefined) return
		if (file.size > largestFile) return setRefused(`${file.name} is larger than 10 MB: that is not a list of ${nounOf(kind, 2)}.`)
		try {
			take(await file.text())
		} catch {
			setRefused(t.couldNotOpen(file.name))
		}
	}
	return (
		<div
			className={styles.part}
			onDragOver={event => event.preventDefault()}
			onDrop={event => {
				event.preventDefault()
				void read(event.dataTransfer.files[0])
			}}
		>
			<TextArea
				label={kind === 'policies' ? t.namesGroups : t.hostNamesGUIDs}
				value={choice.text}
				onChange={take}
				rows={5}
				mono
				isRequired
				autoFocus={isAlone}
				error={problem}
				placeholder={`${kind === 'policies' ? 'Finance Laptops' : 'FIN-LT-0231'}\n4a1f0c6e-…`}
				description={t.onePerLine}
			/>
			<div className="cluster">
				<FileButton
					label={kind === 'policies' ? t.fileNamesGUIDs : t.fileHostNames}
					accept=".csv,.txt,.json,.jsonl,text/plain,text/csv"
					onFile={file => void read(file)}
					small
				>
					{t.readAFile}
				</FileButton>
				<span className="quiet" role="status">
					{count === 0 ? t.dropFileHere : t.inTheList(targetsWords(kind, count))}
				</span>
			</div>
			{refused !== null && <Banner tone="bad">{refused}</Banner>}
		</div>
	)
}
