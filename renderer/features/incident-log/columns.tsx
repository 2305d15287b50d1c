import {ChevronRight} from 'lucide-react'

import {type Pin, whyOf} from '#model/incident.ts'
import {formatDifference} from '#text/durations.ts'
import {TenantMark} from '#commands/TenantMark.tsx'
import type {TableColumn} from '#ui/table/types.ts'
import {Tag, LookTag} from '#ui/Tag.tsx'
import {Time} from '#ui/Time.tsx'
import {surfaceWords, wordsOf} from './entry-words.ts'
import styles from './IncidentLogScreen.module.css'
import {foldedIn, keyOf, type LogRow} from './rows.ts'
import {t} from './text.ts'

/**
 * `pins`: current evidence; `elsewhere`: the id of the tenant of changes outside Cordon; `every`: entries of every tenant are listed. For a
 * single tenant its column is dropped first.
 */
export function logColumns(
	pins: ReadonlyMap<string, Pin>,
	elsewhere: string | null,
	every: boolean,
	onFold: (row: LogRow) => void
): readonly TableColumn<LogRow>[] {
	return [
		{id: 'at', title: 'Time', width: 180, hasClock: true, grows: 0, look: 'dim', cell: row => <Time at={timeOf(row)} form="exact" />},
		{id: 'kind', title: 'What', width: 142, grows: 0, cell: row => <Kind row={row} onFold={onFold} />},
		{
			id: 'message',
			title: 'Message',
			width: 136,
			// The message is the main content.
			wants: 280,
			grows: 520,
			cell: row => (
				<span title={wholeOf(row)}>
					<SetBack row={row} />
					{[keyOf(row), ...foldedIn(row).map(({id}) => id)].some(id => pins.has(id)) ? (
						<span className="accent" role="img" aria-label={t.pinnedAsEvidence}>
							◆{' '}
						</span>
					) : null}
					{messageOf(row)}
					<Why row={row} />
				</span>
			)
		},
		{
			id: 'tenant',
			title: 'Tenant',
			width: 110,
			grows: 0,
			yields: every ? 4 : 7,
			look: 'dim',
			cell: row => <TenantMark tenant={row.kind === 'own' ? row.entry.connection : elsewhere === null ? null : {id: elsewhere}} />
		},
		{id: 'target', title: 'Target', width: 132, grows: 180, yields: 2, cell: row => <Target row={row} />},
		{id: 'command', title: 'Command', width: 168, grows: 220, yields: 5, look: 'mono', cell: row => <Command row={row} />},
		{id: 'operator', title: 'By', width: 104, grows: 170, yields: 3, look: 'dim', cell: row => <By row={row} />},
		{
			id: 'surface',
			title: 'From',
			width: 118,
			grows: 0,
			yields: 6,
			look: 'dim',
			cell: row => (row.kind === 'own' ? surfaceWords[row.entry.surface] : 'elsewhere')
		}
	]
}

function timeOf(row: LogRow) {
	return row.kind === 'own' ? row.entry.at : row.record.at
}

function messageOf(row: LogRow) {
	return row.kind === 'own' ? row.entry.message : row.record.message
}

/** Entries are in written order, which differs from time order where a clock was set back. */
function SetBack({row}: {row: LogRow}) {
	const words = setBackWords(row)
	if (words === null) return null
	return (
		<span className="warn" role="img" aria-label={words} title={words}>
			↶{' '}
		</span>
	)
}

export function setBackWords(row: LogRow) {
	if (row.kind !== 'own' || row.setBackMs === undefined) return null
	return `This computer's clock was set back by ${formatDifference(row.setBackMs)} before this entry`
}

/** Reason, ticket and the last thing known of a change. */
function restOf(row: LogRow) {
	if (row.kind === 'elsewhere' || row.inside !== undefined) return {why: '', outcome: ''}
	const {reason, ticket} = row.entry.command === null ? {reason: '', ticket: ''} : whyOf(row.entry)
	const why = [reason === '' ? '' : `“${reason}”`, ticket].filter(text => text !== '').join(' ')
	return {why, outcome: row.steps.at(-1)?.message ?? ''}
}

function wholeOf(row: LogRow) {
	const {why, outcome} = restOf(row)
	return [messageOf(row), why, outcome].filter(text => text !== '').join(' ')
}

function Why({row}: {row: LogRow}) {
	const {why, outcome} = restOf(row)
	return (
		<>
			{why !== '' && <span className="soft"> {why}</span>}
			{outcome !== '' && <span className="dim"> {outcome}</span>}
		</>
	)
}

function Kind({row, onFold}: {row: LogRow; onFold: (row: LogRow) => void}) {
	if (row.kind === 'elsewhere')
		return (
			<span className={styles.kind}>
				<Tag tone="hold">
					<span aria-hidden>↘</span> {t.elsewhere}
				</Tag>
			</span>
		)
	return (
		<span className={styles.kind} data-inside={row.inside !== undefined}>
			{foldedIn(row).length !== 0 && (
				<span className={styles.fold} aria-hidden onClick={() => onFold(row)}>
					<ChevronRight size={14} data-open={row.isOpen === true} />
				</span>
			)}
			<LookTag {...wordsOf(row.steps.at(-1) ?? row.entry)} />
		</span>
	)
}

function Target({row}: {row: LogRow}) {
	const {target} = row.kind === 'own' ? row.entry : row.record
	return target === null ? null : <span title={target.guid}>{target.label}</span>
}

function Command({row}: {row: LogRow}) {
	const text = row.kind === 'own' ? (row.entry.command ?? '') : `${row.record.type} ${row.record.event}`
	return text
}

function By({row}: {row: LogRow}) {
	const text = row.kind === 'own' ? row.entry.operator : row.record.user
	return text
}

/** A row in words, for announcements. */
export function describeRow(row: LogRow) {
	const {word} = row.kind === 'own' ? wordsOf(row.steps.at(-1) ?? row.entry) : {word: `outside Cordon, by ${row.record.user}`}
	const back = setBackWords(row)
	const folded = foldedIn(row).length
	const fold = folded === 0 ? '' : `. ${t.entriesInside(folded, row.isOpen === true ? 'open' : 'folded')}`
	return `${word}: ${wholeOf(row)}${back === null ? '' : `. ${back}`}${fold}`
}
