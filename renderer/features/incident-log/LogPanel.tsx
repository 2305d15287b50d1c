import {useLayoutEffect, useRef, useState} from 'react'

import type {JoinedRow} from '#contract/log.ts'
import type {AuditRecord} from '#model/audit.ts'
import type {LogEntry, Pin} from '#model/incident.ts'
import {Button} from '#ui/Button.tsx'
import {type Fact, PlainTable, fact, tableRow} from '#ui/Facts.tsx'
import {SidePanel, SidePanelActions} from '#ui/SidePanel.tsx'
import {Tag} from '#ui/Tag.tsx'
import {Time} from '#ui/Time.tsx'
import {useTimer} from '#ui/use-timer.ts'
import {Card} from '#ui/Screen.tsx'
import {setBackWords} from './columns.tsx'
import {Details, EntryPanel} from './EntryPanel.tsx'
import styles from './IncidentLogScreen.module.css'
import type {OpenLogDialogs} from './LogDialogs.tsx'
import {ObjectLink} from './ObjectLink.tsx'
import {keyOf} from './rows.ts'
import type {IncidentLogSearch} from './search.ts'
import {t} from './text.ts'
import {useThread} from './use-log-entries.ts'

/** The row in the address, and our own entries about the same object. */
export interface Shown {
	row: JoinedRow | null
	all: readonly LogEntry[]
}

/** Rest time of the cursor before the address and the panel follow. */
const restMs = 150

/** The panel's row: changes at once when chosen; the address, which redraws everything, follows. */
export function usePanelRow(entry: string | undefined, connection: string | null, write: (entry: string | undefined) => void) {
	// The last chosen row, `null` after closing the panel; ahead until the address agrees.
	const [{picked, isAhead}, setPicked] = useState<Picked>({picked: null, isAhead: false})
	const timer = useTimer()
	const written = useRef(entry)
	useLayoutEffect(() => {
		// Outside navigation wins; our own address may already be behind the cursor.
		setPicked(old => (old.isAhead && (entry !== written.current || keyOfRow(old.picked) === entry) ? {...old, isAhead: false} : old))
	}, [entry])
	const {row, entries} = useThread(entry, connection)
	const chosen = keyOfRow(picked)
	/** Present or next content of the panel. */
	const key = isAhead ? chosen : entry
	/** Shows a row; `undefined` closes the panel. */
	const show = (next: JoinedRow | undefined) => {
		timer.stop()
		setPicked({picked: next ?? null, isAhead: true})
		const tell = () => {
			written.current = next === undefined ? undefined : keyOf(next)
			write(written.current)
		}
		if (next === undefined) tell()
		else timer.start(restMs, tell)
	}
	const shownRow = key === undefined ? null : chosen === key ? picked : row
	return {key, shown: {row: shownRow, all: key === entry ? entries : []}, show}
}

interface Picked {
	picked: JoinedRow | null
	isAhead: boolean
}

function keyOfRow(row: JoinedRow | null) {
	return row === null ? undefined : keyOf(row)
}

interface LogPanelProps {
	shown: Shown
	pins: ReadonlyMap<string, Pin>
	onClose: () => void
	onOnly: (condition: Partial<IncidentLogSearch>) => void
	onAgain: (line: string) => void
	dialogs: OpenLogDialogs
}

/** The row at the cursor: an own entry, or a change outside Cordon. */
export function LogPanel({shown, pins, onClose, onOnly, onAgain, dialogs}: LogPanelProps) {
	const {row, all} = shown
	if (row === null) return null
	const onPin = () => dialogs.open({kind: 'pin', row})
	if (row.kind === 'elsewhere') return <ElsewherePanel record={row.record} onClose={onClose} onPin={onPin} onOnly={onOnly} />
	return (
		<EntryPanel
			setBack={setBackWords(row)}
			entry={row.entry}
			all={all}
			pin={pins.get(row.entry.id) ?? null}
			onClose={onClose}
			onNote={() => dialogs.open({kind: 'note', about: row.entry})}
			onPin={onPin}
			onOnly={onOnly}
			onAgain={onAgain}
		/>
	)
}

interface ElsewherePanelProps {
	record: AuditRecord
	onClose: () => void
	onPin: () => void
	onOnly: (condition: Partial<IncidentLogSearch>) => void
}

/** A change made elsewhere, with its details. It can be pinned, not changed. */
function ElsewherePanel({record, onClose, onPin, onOnly}: ElsewherePanelProps) {
	const {user, target, changes} = record
	return (
		<SidePanel label={t.entryCursor} onClose={onClose}>
			<div className={styles.panelHead}>
				<Tag tone="hold">
					<span aria-hidden>↘</span> {t.elsewhere}
				</Tag>
				<Time at={record.at} form="exact" />
			</div>
			<p className={styles.message}>{record.message}</p>
			<SidePanelActions>
				<Button onPress={onPin} opens>
					{t.pinAsEvidence}
				</Button>
			</SidePanelActions>
			<p className="note">{t.madeWebConsole}</p>
			<Details facts={factsOf(record)} target={target?.guid} person={user} onOnly={onOnly} />
			{changes.length !== 0 && (
				<Card title={t.whatChanged}>
					<PlainTable columns={[t.attribute, t.before, t.after]}>
						{changes.map(({name, old, new: fresh}) => tableRow(name, name, old ?? '–', fresh ?? '–'))}
					</PlainTable>
				</Card>
			)}
		</SidePanel>
	)
}

function factsOf({user, type, event, target, at, serviceAt}: AuditRecord): readonly Fact[] {
	const isShifted = Date.parse(at) !== Date.parse(serviceAt)
	return [
		fact('By', user),
		fact('Action', `${type} ${event}`, 'mono'),
		target !== null && fact('Object', <ObjectLink target={target} kind={type} />),
		target !== null && fact('GUID', target.guid, 'mono'),
		isShifted && fact('By its clock', <Time at={serviceAt} form="exact" />)
	]
}
