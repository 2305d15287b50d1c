import type {JoinedRow} from '#shared/contract/log.ts'
import type {Pin} from '#shared/model/incident.ts'
import {formatDifference} from '#shared/text/durations.ts'

import {TenantMark} from '../../commands/TenantMark.tsx'
import type {TableColumn} from '../../ui/table/types.ts'
import {Tag} from '../../ui/Tag.tsx'
import {Time} from '../../ui/Time.tsx'
import {kindWords, surfaceWords} from './entry-words.ts'
import styles from './IncidentLogScreen.module.css'
import {keyOf} from './rows.ts'
import {t} from './text.ts'

/**
 * `pins`: current evidence; `active`: the tenant of changes outside Cordon; `every`: entries of every tenant are listed. For a
 * single tenant its column is dropped first.
 */
export function logColumns(pins: ReadonlyMap<string, Pin>, active: Tenant, every: boolean): readonly TableColumn<JoinedRow>[] {
	return [
		{id: 'at', title: 'Time', width: 172, grows: 0, look: 'dim', cell: row => <Time at={timeOf(row)} form="exact" />},
		{id: 'kind', title: 'What', width: 122, grows: 0, cell: row => <Kind row={row} />},
		{
			id: 'message',
			title: 'Message',
			width: 320,
			// The message is the main content.
			grows: 520,
			cell: row => (
				<span title={messageOf(row)}>
					<SetBack row={row} />
					{pins.has(keyOf(row)) ? (
						<span className={styles.pin} role="img" aria-label={t.pinnedAsEvidence}>
							◆{' '}
						</span>
					) : null}
					{messageOf(row)}
				</span>
			),
		},
		{
			id: 'tenant',
			title: 'Tenant',
			width: 110,
			grows: 0,
			yields: every ? 3 : 6,
			look: 'dim',
			cell: row => <TenantMark tenant={row.kind === 'own' ? row.entry.connection : active} />,
		},
		{id: 'target', title: 'Target', width: 132, grows: 180, yields: 1, cell: row => <Target row={row} />},
		{id: 'command', title: 'Command', width: 168, grows: 220, yields: 4, look: 'mono', cell: row => <Command row={row} />},
		{id: 'operator', title: 'By', width: 104, grows: 170, yields: 2, look: 'dim', cell: row => <By row={row} />},
		{
			id: 'surface',
			title: 'From',
			width: 118,
			grows: 0,
			yields: 5,
			look: 'dim',
			cell: row => (row.kind === 'own' ? surfaceWords[row.entry.surface] : 'elsewhere'),
		},
	]
}

type Tenant = {readonly id: string; readonly name: string}

function timeOf(row: JoinedRow): string {
	return row.kind === 'own' ? row.entry.at : row.record.at
}

function messageOf(row: JoinedRow): string {
	return row.kind === 'own' ? row.entry.message : row.record.message
}

/** Entries are in written order, which differs from time order where a clock was set back. */
function SetBack({row}: {readonly row: JoinedRow}) {
	const words = setBackWords(row)
	if (words === null) return null
	return (
		<span className={styles.setBack} role="img" aria-label={words} title={words}>
			↶{' '}
		</span>
	)
}

export function setBackWords(row: JoinedRow): string | null {
	if (row.kind !== 'own' || row.setBackMs === undefined) return null
	return `This computer's clock was set back by ${formatDifference(row.setBackMs)} before this entry`
}

function Kind({row}: {readonly row: JoinedRow}) {
	if (row.kind === 'elsewhere')
		return (
			<Tag tone="hold">
				<span aria-hidden="true">↘</span> {t.elsewhere}
			</Tag>
		)
	const {shape, word, tone} = kindWords[row.entry.kind]
	return (
		<Tag tone={tone}>
			<span aria-hidden="true">{shape}</span> {word}
		</Tag>
	)
}

function Target({row}: {readonly row: JoinedRow}) {
	const {target} = row.kind === 'own' ? row.entry : row.record
	return <span title={target?.guid}>{target?.label ?? ''}</span>
}

function Command({row}: {readonly row: JoinedRow}) {
	const text = row.kind === 'own' ? (row.entry.command ?? '') : `${row.record.type} ${row.record.event}`
	return <span title={text}>{text}</span>
}

function By({row}: {readonly row: JoinedRow}) {
	const text = row.kind === 'own' ? row.entry.operator : row.record.user
	return <span title={text}>{text}</span>
}

/** A row in words, for announcements. */
export function describeRow(row: JoinedRow): string {
	const {word} = row.kind === 'own' ? kindWords[row.entry.kind] : {word: `outside Cordon, by ${row.record.user}`}
	const back = setBackWords(row)
	return `${word}: ${messageOf(row)}${back === null ? '' : `. ${back}`}`
}
