import {useEffect, useRef, useState} from 'react'

import type {DetectionRow, DetectionWindow} from '#contract/detections.ts'
import type {EventStoreState} from '#contract/events.ts'
import {counted, formatCount} from '#text/numbers.ts'
import {nouns} from '#text/terms.ts'
import {detectionStatuses, type DetectionStatus} from '#model/choices.ts'
import {useConnected, useOperator, useAsked} from '#api/hooks.tsx'
import {usePaged, type Paged} from '#api/pages.ts'
import {EmptyState, ErrorState, FailureBanner, Reason} from '#ui/States.tsx'
import {Severity} from '#ui/EventMarks.tsx'
import {useKey} from '#ui/keys/KeyRegistry.tsx'
import {Link} from '#ui/Button.tsx'
import {Screen, ScreenBody, ScreenMain, ScreenBar} from '#ui/Screen.tsx'
import {DataTable} from '#ui/table/DataTable.tsx'
import {RowLink} from '#ui/table/RowLink.tsx'
import type {TableColumn, TableHandle} from '#ui/table/types.ts'
import {Tag} from '#ui/Tag.tsx'
import {Time} from '#ui/Time.tsx'
import {ActDialog} from '#commands/ActDialog.tsx'
import {useAddress} from '#kit/use-address.ts'
import {TextArea, TextField} from '#ui/Field.tsx'
import {Select, optionsOf} from '#ui/Select.tsx'
import styles from './detections.module.css'
import {GroupPanel} from './GroupPanel.tsx'
import {statusTones} from './status.ts'
import {t} from './text.ts'

/** Groups of detections, the worst first. */
export function DetectionsScreen() {
	const {search, change} = useAddress('/detections')
	const {group} = search
	const {connection} = useConnected()
	const rows = usePaged(q => q.detections.list, {connection})
	const {newest: data, error, retry} = rows
	const {data: shown} = useAsked(q => q.detections.detail, {input: {connection, key: group ?? ''}, enabled: group !== undefined})
	const isShown = ({key}: DetectionRow) => group !== undefined && (key === group || shown?.keys.includes(key) === true)
	const [deciding, setDeciding] = useState<Decided | null>(null)
	const {cursor, table, marked} = useMarked(rows, group)
	const show = (key: string | undefined) => change({group: key})
	const decide = (found: Decided | null | undefined) => found != null && setDeciding(found)
	useKey('detections.status', () => {
		const row = marked()
		decide(group === undefined || (row !== undefined && isShown(row)) ? row : shown)
	})
	const {data: events} = useAsked(q => q.events.state, {input: {connection}})
	const isLoading = rows.isFirstLoad || (events?.stored === 0 && events.phase === 'loading')
	return (
		<Screen>
			<ScreenBar
				title={t.detections}
				facts={
					data === undefined || data.matching === 0 ? undefined : (
						<span>
							{counted(data.matching, nouns.group)} · {t.openNow(formatCount(data.open))} <Time at={events?.readAt ?? null} focusable />
						</span>
					)
				}
			/>
			{events?.error != null && events.stored > 0 && (
				<FailureBanner error={events.error} action={<Link href="/events">{t.events}</Link>}>
					{t.couldNotRefreshEvents}
					<Reason error={events.error} />
				</FailureBanner>
			)}
			<ScreenBody>
				<ScreenMain>
					{error !== null && data === undefined ? (
						<ErrorState error={error} title={t.couldNotLoadDetections} onRetry={retry} />
					) : (
						<div className={styles.table}>
							<DataTable
								handle={table}
								label={t.detections}
								source={isLoading ? undefined : rows}
								columns={data?.owned === true ? columns : unowned}
								rowKey={({key}) => key}
								describe={row => `${row.title}, ${row.severity}, ${row.status}`}
								onOpen={({key}) => show(key)}
								onPeek={row => show(isShown(row) ? undefined : row.key)}
								isPeeking={group !== undefined}
								onCursor={(row, at) => {
									cursor.current = row && {row, at}
									if (row !== undefined && group !== undefined && !isShown(row)) show(row.key)
								}}
								menu={row => ({title: row.title, acts: [[t.decide, () => decide(row)]], copies: []})}
								rowTone={({status}) => (status === 'closed' ? 'struck' : undefined)}
								isBusy={isLoading}
								empty={
									<EmptyState title={titleOfNone(events)} to={['/events', t.events]}>
										{t.whatDetections}
									</EmptyState>
								}
							/>
						</div>
					)}
				</ScreenMain>
				{group !== undefined && <GroupPanel group={group} onDecide={decide} onClose={() => show(undefined)} />}
			</ScreenBody>
			{deciding !== null && <StatusDialog group={deciding} onClose={() => setDeciding(null)} />}
		</Screen>
	)
}

function titleOfNone(events: EventStoreState | undefined) {
	if (events?.stored !== 0) return t.noDetections
	if (events.error !== null) return t.couldNotLoadEvents
	return events.phase === 'empty' ? t.eventsNotLoaded : t.noDetections
}

/** The row at the cursor, wherever it goes. */
function useMarked({row: rowAt, newest}: Paged<DetectionRow, DetectionWindow>, group: string | undefined) {
	const {client, connection} = useConnected()
	const cursor = useRef<{row: DetectionRow; at: number}>(undefined)
	const table = useRef<TableHandle>(null)
	useEffect(() => {
		const before = cursor.current
		// The newest key lasts.
		const key = group ?? before?.row.newest
		if (key === undefined || newest === undefined) return
		const abort = new AbortController()
		const follow = async () => {
			const place = await client.detections.position({connection, key}, {signal: abort.signal})
			if (place < 0 || abort.signal.aborted || cursor.current !== before) return
			if (before !== undefined) before.at = place
			table.current?.place(place)
		}
		// Without an answer the mark stays; the rows tell of the failure.
		follow().catch(() => {})
		return () => abort.abort()
	}, [client, connection, group, newest])
	const marked = () => {
		const {row, at = 0} = cursor.current ?? {}
		const now = rowAt(at)
		return row === undefined || row.key === now?.key ? now : row
	}
	return {cursor, table, marked}
}

/** What the dialog asks of a group. */
type Decided = Pick<DetectionRow, 'key' | 'title' | 'status' | 'owner'>

const columns: readonly TableColumn<DetectionRow>[] = [
	{id: 'severity', title: t.severity, width: 90, grows: 0, cell: row => <Severity row={row} />},
	{
		id: 'title',
		title: t.detection,
		width: 260,
		look: 'name',
		cell: ({key, title}) => (
			<RowLink href={`/detections?group=${encodeURIComponent(JSON.stringify(key))}`} title={title}>
				{title}
			</RowLink>
		)
	},
	{id: 'status', title: t.status, width: 116, grows: 0, cell: ({status}) => <Tag tone={statusTones[status]}>{status}</Tag>},
	{id: 'owner', title: t.owner, width: 100, yields: 2, cell: ({owner}) => owner},
	{
		id: 'outcome',
		title: t.outcome,
		width: 100,
		grows: 0,
		yields: 3,
		cell: ({stopped}) => <Tag tone={stopped ? 'ok' : 'warn'}>{stopped ? t.stopped : t.notStopped}</Tag>
	},
	{
		id: 'size',
		title: t.eventsOf,
		width: 180,
		grows: 0,
		yields: 4,
		look: 'dim',
		cell: ({events, computers}) => `${counted(events, nouns.event)}, ${counted(computers, nouns.computer)}`
	},
	{id: 'until', title: t.lastSeen, width: 100, grows: 0, yields: 1, cell: ({until}) => <Time at={until} />}
]

/** A column without any owner leaves its room to the names. */
const unowned = columns.filter(({id}) => id !== 'owner')

const options = optionsOf(detectionStatuses)

/** A decision is an entry of the incident log; nothing is sent to the service. */
function StatusDialog({group, onClose}: {group: Decided; onClose: () => void}) {
	const {connection} = useConnected()
	const me = useOperator()
	// Whoever opens a new group is about to look into it.
	const [status, setStatus] = useState<DetectionStatus>(group.status === 'new' ? 'investigating' : group.status)
	const [owner, setOwner] = useState(group.owner === '' ? me : group.owner)
	const [note, setNote] = useState('')
	return (
		<ActDialog
			title={t.setStatusOf(group.title)}
			act={t.saveStatus}
			work={client => client.detections.decide({connection, key: group.key, status, owner: owner.trim(), note: note.trim()})}
			done="Status saved"
			onClose={onClose}
		>
			<Select label={t.status} options={options} value={status} onChange={setStatus} />
			<TextField label={t.owner} value={owner} onChange={setOwner} maxLength={200} description={t.nobody} />
			<TextArea label={t.note} value={note} onChange={setNote} rows={3} maxLength={2000} description={t.statusKept} />
		</ActDialog>
	)
}
