import type {DraftRow} from '#shared/model/list-draft.ts'
import {formatCount} from '#shared/text/numbers.ts'

import {CellText} from '../../../ui/table/CellText.tsx'
import type {TableColumn} from '../../../ui/table/types.ts'
import {Tag} from '../../../ui/Tag.tsx'
import {operationWords, verdictWords} from './draft-words.ts'
import styles from './Editor.module.css'
import {t} from './text.ts'

export const draftColumns: readonly TableColumn<DraftRow>[] = [
	{id: 'operation', title: 'Change', width: 92, cell: ({operation}) => <Operation operation={operation} />},
	{
		id: 'sha256',
		title: 'SHA-256',
		width: 190,
		look: 'mono',
		cell: ({key, operation}) => (
			<span title={key} data-operation={operation} className={styles.hash}>
				{key}
			</span>
		),
	},
	{id: 'verdict', title: 'State', width: 144, cell: ({verdict}) => <Verdict verdict={verdict} />},
	{id: 'marks', title: 'Findings', width: 240, cell: row => <Marks row={row} />},
	{id: 'note', title: 'Note', width: 130, yields: 1, cell: ({note}) => <CellText value={note} />},
	{id: 'reason', title: 'Reason', width: 110, yields: 2, cell: ({reason}) => <span title={reason ?? ''}>{reason ?? ''}</span>},
	{
		id: 'prevalence',
		title: 'Seen on',
		width: 72,
		align: 'end',
		yields: 3,
		cell: ({prevalence}) => <span title={t.computersReported}>{prevalence === null ? '?' : formatCount(prevalence)}</span>,
	},
	{
		id: 'source',
		title: 'From',
		width: 130,
		look: 'dim',
		yields: 4,
		cell: ({source, place}) => {
			const words = place === null ? source : `${source}, ${place}`
			return <CellText value={words} />
		},
	},
]

function Operation({operation}: Pick<DraftRow, 'operation'>) {
	const {sign, word} = operationWords[operation]
	return (
		<span className={styles.operation} data-operation={operation}>
			<b aria-hidden="true">{sign}</b> {word}
		</span>
	)
}

function Verdict({verdict}: Pick<DraftRow, 'verdict'>) {
	const {shape, word, tone} = verdictWords[verdict]
	return (
		<Tag tone={tone}>
			<span aria-hidden="true">{shape}</span> {word}
		</Tag>
	)
}

function Marks({row: {marks, result}}: {readonly row: DraftRow}) {
	const words = [...(result === null ? [] : [`Last commit: ${result}`]), ...marks.map(({message}) => message)]
	return <span title={words.join('\n')}>{words.join(' ')}</span>
}
