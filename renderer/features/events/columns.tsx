import type {EventRow} from '#contract/events.ts'
import {shortHash} from '#model/file-hash.ts'

import {Outcome, Severity} from '#ui/EventMarks.tsx'
import {RowLink} from '#ui/table/RowLink.tsx'
import type {TableColumn} from '#ui/table/types.ts'
import {Tag} from '#ui/Tag.tsx'
import {Time} from '#ui/Time.tsx'
import {gatheredInWords} from './grouping.ts'
import {t} from './text.ts'
import {isByValue, type EventGrouping, type ValueGrouping} from '#model/choices.ts'

const eventColumns: readonly TableColumn<EventRow>[] = [
	{id: 'at', title: 'Time', width: 184, hasClock: true, grows: 0, look: 'dim', cell: row => <Time at={row.at} form="exact" />},
	{id: 'severity', title: 'Severity', width: 84, grows: 0, yields: 1, cell: row => <Severity row={row} />},
	{id: 'type', title: 'Type', width: 144, look: 'name', cell: row => <Type row={row} />},
	{id: 'detection', title: 'Detection, details', width: 150, grows: 300, yields: 2, cell: row => row.detection ?? row.about},
	{id: 'outcome', title: 'Outcome', width: 114, grows: 0, yields: 4, cell: row => <Outcome row={row} />},
	{id: 'computer', title: 'Computer', width: 134, cell: row => <Computer row={row} />},
	{id: 'user', title: 'User', width: 100, grows: 170, yields: 6, cell: row => row.user},
	{id: 'file', title: 'File', width: 144, yields: 3, cell: row => <File row={row} />},
	{id: 'remote', title: 'Remote, URL', width: 130, yields: 5, look: 'mono', cell: row => row.url ?? row.remote}
]

/** Columns dropped beside gathered rows, in order from last to first. */
const besideValue = ['severity', 'type', 'file', 'outcome', 'detection', 'computer', 'user', 'remote']

/** For rows gathered by a value: the summary of each beside its time, and the value, which always stays. */
function gatheredColumns(by: ValueGrouping): readonly TableColumn<EventRow>[] {
	const [time, ...others] = eventColumns
	const rest = others
		.filter(({id}) => id !== valueColumns[by].id)
		.map(column => {
			const place = besideValue.indexOf(column.id)
			return place < 0 ? column : {...column, yields: place + 1}
		})
	return [...(time === undefined ? [] : [time]), standsFor, valueColumns[by], ...rest]
}

const standsFor: TableColumn<EventRow> = {id: 'gathered', title: 'Stands for', width: 150, cell: row => <Gathered row={row} />}

const valueColumns: Readonly<Record<ValueGrouping, TableColumn<EventRow>>> = {
	hash: {id: 'hash', title: 'Hash', width: 124, cell: ({sha256}) => <Hash sha256={sha256} />},
	computer: {id: 'computer', title: 'Computer', width: 122, cell: row => <Computer row={row} />},
	name: {
		id: 'detection',
		title: 'Detection',
		width: 140,
		cell: ({detection, about}) => (detection === null ? <None>{about ?? t.noName}</None> : detection)
	}
}

const gatheredBy: Readonly<Record<ValueGrouping, readonly TableColumn<EventRow>[]>> = {
	hash: gatheredColumns('hash'),
	computer: gatheredColumns('computer'),
	name: gatheredColumns('name')
}

/** Columns dropped beside detections, in order from last to first: name and computer stay, and the file longest. */
const besideDetection = ['file', 'severity', 'hash', 'outcome', 'type', 'remote', 'user']

const detectionColumns = eventColumns.flatMap(({yields: _yields, ...column}) => {
	const place = besideDetection.indexOf(column.id)
	const own = place < 0 ? column : {...column, yields: place + 1}
	return column.id === 'file' ? [own, {...valueColumns.hash, yields: 1}] : [own]
})

/** The columns of a grouping: always the same object. */
export function columnsOf(grouping: EventGrouping): readonly TableColumn<EventRow>[] {
	if (grouping === 'detections') return detectionColumns
	return isByValue(grouping) ? gatheredBy[grouping] : eventColumns
}

function Hash({sha256}: {sha256: string | null}) {
	if (sha256 === null) return <None>{t.noHash}</None>
	return (
		<span className="hashes" title={sha256}>
			{shortHash(sha256)}
		</span>
	)
}

function None({children}: {children: string}) {
	return <span className="dim">{children}</span>
}

function Gathered({row: {gathered}}: {row: EventRow}) {
	if (gathered === undefined) return null
	return <span title={t.since(gatheredInWords(gathered), gathered.since)}>{gatheredInWords(gathered)}</span>
}

function Computer({row: {guid, hostname}}: {row: EventRow}) {
	if (guid === null) return hostname
	return (
		<RowLink href={`/computers/${guid}`} title={hostname}>
			{hostname}
		</RowLink>
	)
}

function Type({row: {type, odd}}: {row: EventRow}) {
	return (
		<>
			{type} {odd && <Tag tone="warn">{t.odd}</Tag>}
		</>
	)
}

function File({row}: {row: EventRow}) {
	return row.fileName && <span title={row.filePath ?? row.fileName}>{row.fileName}</span>
}
