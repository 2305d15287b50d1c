import {useQuery} from '@tanstack/react-query'
import {useState} from 'react'

import type {HashSource, ListOperation, SourceReport} from '#model/list-draft.ts'
import {counted, formOf, formatCount} from '#text/numbers.ts'
import {nouns} from '#text/terms.ts'

import {useApi} from '#api/hooks.tsx'
import {ActDialog} from '#commands/ActDialog.tsx'
import {useAnnounce} from '#ui/Announcer.tsx'
import {Button} from '#ui/Button.tsx'
import {Banner} from '#ui/States.tsx'
import {TextArea} from '#ui/Field.tsx'
import {Select} from '#ui/Select.tsx'
import {PlainTable, tableRow} from '#ui/Facts.tsx'
import {OperationField} from './OperationField.tsx'
import {t} from './text.ts'
import type {DraftChanges} from './use-draft.ts'

interface StageDialogProps {
	name: string
	text: string
	/** Typed or pasted, and editable here. */
	isOpenText: boolean
	changes: DraftChanges
	onClose: () => void
}

/** A field with megabytes takes seconds for a key. */
const mostEditable = 100_000

const formats = {text: 'Text', csv: 'CSV', stix: 'STIX 2.1'} as const

/** Shows the rows of a text before anything is staged. */
export function StageDialog({name, text: given, isOpenText, changes, onClose}: StageDialogProps) {
	const announce = useAnnounce()
	const [text, setText] = useState(given)
	const [operation, setOperation] = useState<ListOperation>('add')
	const [columns, setColumns] = useState<HashSource['columns']>()
	const source: HashSource = {name, text, ...(columns !== undefined && {columns})}
	const {report, error} = useReport(source)
	const count = report === undefined ? 0 : report.hashes + report.others
	return (
		<ActDialog
			title={isOpenText ? t.stageHashesTitle : t.stageFrom(name)}
			size="large"
			act={t.stageTo(counted(count, nouns.row), operation)}
			work={() => changes.stage(operation, source)}
			missing={reasonOf(text, report, count)}
			busy="Staging…"
			onDone={({added, changed, repeated}) => {
				announce(`${formatCount(added)} staged, ${formatCount(changed)} changed, ${formatCount(repeated)} repeated`)
				onClose()
			}}
			onClose={onClose}
		>
			{isOpenText && <Text text={text} onChange={setText} />}
			<OperationField value={operation} onChange={setOperation} />
			{report !== undefined && <Report report={report} onColumns={setColumns} />}
			{error !== null && <Banner tone="bad">{error}</Banner>}
			<p className="quiet">{t.stagingSends}</p>
		</ActDialog>
	)
}

function Text({text, onChange}: {text: string; onChange: (text: string) => void}) {
	const isLong = text.length > mostEditable
	const [before, setBefore] = useState(isLong ? '' : text)
	const change = (next: string) => {
		if (next.length <= mostEditable) setBefore(next)
		onChange(next)
	}
	if (!isLong) return <TextArea label={t.hashes} value={text} onChange={change} mono rows={8} autoFocus description={t.onePerLine} />
	return (
		<div className="cluster">
			<span>{t.tooLongToEdit(formatCount(text.length))}</span>
			<Button small autoFocus onPress={() => onChange(before)}>
				{t.undoPaste}
			</Button>
		</div>
	)
}

function reasonOf(text: string, report: SourceReport | undefined, count: number) {
	if (text.trim() === '') return 'Give at least one hash first.'
	if (report === undefined) return 'Loading the text.'
	return count === 0 ? 'There is no hash in it.' : null
}

function useReport(source: HashSource) {
	const {client} = useApi()
	const {data, error} = useQuery<SourceReport>({
		// The text may be megabytes: length, ends and name distinguish texts well enough here.
		queryKey: ['editor.inspect', source.name, source.columns, source.text],
		queryKeyHashFn: () => JSON.stringify([source.name, source.columns, source.text.length, fingerprint(source.text)]),
		queryFn: ({signal}) => client.editor.inspect(source, {signal}),
		enabled: source.text.trim() !== '',
		placeholderData: previous => previous,
		gcTime: 0
	})
	const report = source.text.trim() === '' ? undefined : data
	return {report, error: error?.message ?? null}
}

/** FNV-1a over the code units (draft-eastlake-fnv, 32 bits). */
function fingerprint(text: string) {
	let hash = 0x811c9dc5
	for (let index = 0; index < text.length; index += 1) hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193)
	return hash >>> 0
}

function Report({report, onColumns}: {report: SourceReport; onColumns: (columns: HashSource['columns']) => void}) {
	const {format, hashes, others, ignored, columns, chosen} = report
	const titles = columns.map(({index, title, hashes: held}) => ({value: String(index), label: title, detail: counted(held, nouns.hash)}))
	return (
		<section aria-label={t.whatItHolds} className="stack">
			<p role="status">
				{formats[format]}: <b>{formatCount(hashes)}</b>{' '}
				{t.sha256Of(formOf(hashes, nouns.hash), others === 0 ? '' : t.noneMarked(formatCount(others), formOf(others, ['is', 'are'])))}{' '}
				{ignored.join(' ')}
			</p>
			{chosen !== null && columns.length >= 2 && (
				<>
					<Select
						label={t.columnHashes}
						options={titles}
						value={String(chosen.hash)}
						onChange={value => onColumns({hash: Number(value), note: chosen.note})}
					/>
					<Select
						label={t.columnNotes}
						options={[{value: 'none', label: 'None'}, ...titles.filter(({value}) => value !== String(chosen.hash))]}
						value={chosen.note === null ? 'none' : String(chosen.note)}
						onChange={value => onColumns({hash: chosen.hash, note: value === 'none' ? null : Number(value)})}
					/>
					<Samples report={report} />
				</>
			)}
		</section>
	)
}

function Samples({report: {columns}}: {report: SourceReport}) {
	return (
		<PlainTable aria-label={t.firstCells} columns={[t.column, t.beginsWith]}>
			{columns.map(({index, title, sample}) => tableRow(index, title, sample.slice(0, 2).join(', ')))}
		</PlainTable>
	)
}
