import {useState} from 'react'

import type {exportFormats} from '#contract/computer-list.ts'
import {whole} from '#shared/streams.ts'
import {formatCount} from '#text/numbers.ts'

import {useApi} from '#api/hooks.tsx'
import {ExportFrame} from '#commands/ExportFrame.tsx'
import {RadioGroup} from '#ui/Field.tsx'
import type {Question} from './rows.ts'
import {t} from './text.ts'

interface ExportDialogProps {
	question: Question
	matching: number
	columns: readonly string[]
	selected: readonly string[]
	onClose: () => void
}

type Format = (typeof exportFormats)[number]
type Scope = 'matching' | 'selected'

/** All matching or selected rows, as a file from the local copy. */
export function ExportDialog({question, matching, columns, selected, onClose}: ExportDialogProps) {
	const {client} = useApi()
	const [scope, setScope] = useState<Scope>(selected.length > 0 ? 'selected' : 'matching')
	const guids = scope === 'selected' ? [...selected] : null
	return (
		<ExportFrame
			title={t.exportTheComputers}
			formats={[
				{value: 'csv', label: 'CSV', detail: 'the columns of the table; no cell acts as a formula'},
				{value: 'jsonl', label: 'JSON Lines', detail: "the service's records, one per line, every digit kept"},
				{value: 'json', label: 'JSON', detail: 'the same as one document'}
			]}
			write={(format: Format, signal) => whole(client.computers.export({...question, format, columns: [...columns], guids}, {signal}))}
			lacks={({partial}) => (partial === null ? null : `This file is not whole, and its name says so: ${partial}`)}
			hint={<p className="note">{t.firstLineStates}</p>}
			onClose={onClose}
		>
			<Rows matching={matching} selected={selected.length} scope={scope} onChange={setScope} />
		</ExportFrame>
	)
}

interface RowsProps {
	matching: number
	selected: number
	scope: Scope
	onChange: (scope: Scope) => void
}

function Rows({matching, selected, scope, onChange}: RowsProps) {
	if (selected === 0) return <p>{t.allRowsMatch(formatCount(matching))}</p>
	return (
		<RadioGroup
			label={t.rows}
			value={scope}
			onChange={onChange}
			options={[
				{value: 'selected', label: `The ${formatCount(selected)} selected`},
				{value: 'matching', label: `All ${formatCount(matching)} that match the filter`}
			]}
		/>
	)
}
