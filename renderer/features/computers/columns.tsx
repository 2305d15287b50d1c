import {computerSorts, type ComputerSort} from '#model/choices.ts'
import {computerColumnTitles, readColumns, rolesInWords, type ComputerColumn, type ComputerRow} from '#model/computer.ts'
import {settingsSchema} from '#model/settings.ts'

import {LeaseHint} from '#commands/guard/LeaseHint.tsx'
import {IsolationState} from '#ui/IsolationState.tsx'
import {RowLink} from '#ui/table/RowLink.tsx'
import type {TableColumn} from '#ui/table/types.ts'
import {Tag} from '#ui/Tag.tsx'
import {AgeBar, Time} from '#ui/Time.tsx'
import styles from './ComputersScreen.module.css'
import {t} from './text.ts'

type Look = Pick<TableColumn<ComputerRow>, 'width' | 'cell'> & {look?: 'plain' | 'name' | 'mono' | 'dim'}

const looks: Readonly<Record<ComputerColumn, Look>> = {
	hostname: {width: 240, look: 'name', cell: row => <Name row={row} />},
	group: {width: 150, cell: row => row.groupName},
	policy: {width: 140, cell: row => row.policyName},
	os: {width: 190, cell: row => row.os},
	connector: {width: 110, look: 'mono', cell: row => row.connectorVersion},
	last_seen: {width: 116, look: 'dim', cell: row => <AgeBar at={row.lastSeen} />},
	internal_ip: {width: 118, look: 'mono', cell: row => row.internalIps.join(', ')},
	external_ip: {width: 118, look: 'mono', cell: row => row.externalIp},
	mac: {width: 140, look: 'mono', cell: row => row.macs.join(', ')},
	isolation: {
		width: 150,
		cell: row => (
			<>
				<IsolationState state={row.isolation} />
				{isHeld(row) && <LeaseHint guid={row.guid} />}
			</>
		)
	},
	compromised: {width: 110, cell: row => (row.compromised ? <Tag tone="bad">{t.compromised}</Tag> : '')},
	installed: {width: 110, look: 'dim', cell: row => <Time at={row.installDate} form="age" unknown="" />},
	tags: {width: 150, cell: row => row.tags.join(', ')},
	role: {width: 140, cell: row => <Roles row={row} />},
	guid: {width: 280, look: 'mono', cell: row => row.guid}
}

/** Isolated, or about to be or no longer to be. */
export function isHeld({isolation}: ComputerRow) {
	return isolation === 'isolated' || isolation === 'pending_start' || isolation === 'pending_stop'
}

/** Columns dropped first on narrow screens. Name, last seen and isolation stay. */
const yields: Partial<Record<ComputerColumn, number>> = {
	guid: 12,
	tags: 11,
	role: 10,
	installed: 9,
	external_ip: 8,
	mac: 7,
	connector: 6,
	policy: 5,
	compromised: 4,
	os: 3,
	group: 2,
	internal_ip: 1
}

/**
 * The chosen columns in order, without unknown ids. With `yielding` some are dropped on narrow screens; otherwise the table
 * scrolls sideways.
 */
export function columnsOf(stored: readonly string[], yielding: boolean): readonly TableColumn<ComputerRow>[] {
	const read = readColumns(stored)
	const chosen = read.length === 0 ? readColumns(['hostname']) : read
	return chosen.map(({column, width}) => ({
		id: column,
		title: computerColumnTitles[column],
		sortable: sortOf(column) !== null,
		...looks[column],
		...(width !== null && {width, isFixed: true}),
		...(yielding && yields[column] !== undefined && {yields: yields[column]})
	}))
}

export function areDefault(ids: readonly string[]) {
	return ids.join(' ') === defaults
}

const defaults = settingsSchema.parse({}).computerColumns.join(' ')

export function sortOf(column: string): ComputerSort | null {
	return computerSorts.find(sort => sort === column) ?? null
}

function Name({row}: {row: ComputerRow}) {
	return (
		<span className={styles.name}>
			<RowLink href={`/computers/${row.guid}`} className={styles.hostname} title={row.hostname}>
				{row.hostname}
			</RowLink>
			{row.compromised && <Tag tone="bad">{t.compromised}</Tag>}
			{row.odd && <Tag tone="warn">{t.odd}</Tag>}
			{row.duplicate && <Tag tone="warn">{t.duplicate}</Tag>}
			{row.vanishedAt !== null && <Tag>{t.gone}</Tag>}
		</span>
	)
}

/** An unassigned role is a guess, and shown as one. */
function Roles({row}: {row: ComputerRow}) {
	const words = rolesInWords(row)
	if (words === '') return null
	const isGuess = row.roles.length === 0
	const why = isGuess ? `A guess from its name and system: ${words}` : words
	return (
		<span className={isGuess ? styles.guess : undefined} title={why}>
			{words}
		</span>
	)
}
