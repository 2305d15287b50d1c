import {useMutation} from '@tanstack/react-query'
import {useEffect, useMemo, useRef, useState} from 'react'

import type {DetectionCase} from '#contract/detections.ts'
import {counted, formatCount} from '#text/numbers.ts'
import {nouns} from '#text/terms.ts'
import {detectionStatuses, type DetectionStatus} from '#model/choices.ts'
import {useConnected, useOperator, useAsked} from '#api/hooks.tsx'
import {EmptyState, ErrorState} from '#ui/States.tsx'
import {Severity} from '#ui/EventMarks.tsx'
import {useKey} from '#ui/keys/KeyRegistry.tsx'
import {Link} from '#ui/Button.tsx'
import {Screen, ScreenBody, ScreenMain, ScreenBar} from '#ui/Screen.tsx'
import {DataTable} from '#ui/table/DataTable.tsx'
import {RowLink} from '#ui/table/RowLink.tsx'
import type {TableColumn, TableHandle} from '#ui/table/types.ts'
import {Tag} from '#ui/Tag.tsx'
import {Time} from '#ui/Time.tsx'
import styles from './detections.module.css'
import {GroupPanel} from './GroupPanel.tsx'
import {statusTones} from './status.ts'
import {t} from './text.ts'
import {Failure} from '#commands/Failure.tsx'
import {useAddress} from '#kit/use-address.ts'
import {useAnnounce} from '#ui/Announcer.tsx'
import {Dialog} from '#ui/Dialog.tsx'
import {TextArea, TextField} from '#ui/Field.tsx'
import {Select} from '#ui/Select.tsx'

const skeletonRows = 6

/** Groups of detections, the worst first. */
export function DetectionsScreen() {
	const {search, change} = useAddress('/detections')
	const {group} = search
	const {connection} = useConnected()
	const {data, error, refetch} = useAsked(q => q.detections.list, {input: {connection}})
	const [deciding, setDeciding] = useState<DetectionCase | null>(null)
	/** The newest key of the group at the cursor, which lasts: its row may move, or change. */
	const cursor = useRef<string>(undefined)
	const indexOf = (key: string | undefined) => data?.findIndex(({keys}) => key !== undefined && keys.includes(key)) ?? -1
	const show = (key: string | undefined) => change({group: key})
	const marked = group ?? cursor.current
	const decide = (found = data?.[marked === undefined ? 0 : indexOf(marked)]) => {
		if (found !== undefined) setDeciding(found)
	}
	useKey('detections.status', () => decide())
	const source = useMemo(() => ({count: data?.length ?? skeletonRows, row: (index: number) => data?.[index], want: () => {}}), [data])
	const table = useRef<TableHandle>(null)
	useEffect(() => {
		const place = indexOf(group ?? cursor.current)
		if (place >= 0) table.current?.place(place)
		// oxlint-disable-next-line react-hooks/exhaustive-deps -- of these data
	}, [group, data])
	const open = data?.filter(({status}) => status !== 'closed').length ?? 0
	return (
		<Screen>
			<ScreenBar
				title={t.detections}
				facts={
					data === undefined || data.length === 0 ? undefined : (
						<span>
							{counted(data.length, nouns.group)} · {t.openNow(formatCount(open))}
						</span>
					)
				}
			/>
			<ScreenBody>
				<ScreenMain>
					{error !== null && data === undefined ? (
						<ErrorState error={error} title={t.couldNotLoadDetections} onRetry={refetch} />
					) : (
						<div className={styles.table}>
							<DataTable
								handle={table}
								label={t.detections}
								source={source}
								columns={data?.some(({owner}) => owner !== '') === true ? columns : unowned}
								rowKey={({key}) => key}
								describe={row => `${row.title}, ${row.severity}, ${row.status}`}
								onOpen={({key}) => show(key)}
								onPeek={({key, keys}) => show(group !== undefined && keys.includes(group) ? undefined : key)}
								isPeeking={group !== undefined}
								onCursor={row => {
									cursor.current = row?.keys.at(-1)
									if (row !== undefined && group !== undefined && !row.keys.includes(group)) show(row.key)
								}}
								menu={row => ({title: row.title, acts: [[t.decide, () => decide(row)]], copies: []})}
								rowTone={({status}) => (status === 'closed' ? 'struck' : undefined)}
								isBusy={data === undefined}
								empty={
									<EmptyState title={t.noDetections} action={<Link href="/events">{t.events}</Link>}>
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

const columns: readonly TableColumn<DetectionCase>[] = [
	{id: 'severity', title: t.severity, width: 90, grows: 0, cell: row => <Severity row={row} />},
	{
		id: 'title',
		title: t.detection,
		width: 280,
		look: 'name',
		cell: ({key, title}) => (
			<RowLink href={`/detections?group=${encodeURIComponent(JSON.stringify(key))}`} title={title}>
				{title}
			</RowLink>
		),
	},
	{id: 'status', title: t.status, width: 116, grows: 0, cell: ({status}) => <Tag tone={statusTones[status]}>{status}</Tag>},
	{id: 'owner', title: t.owner, width: 100, yields: 1, cell: ({owner}) => owner},
	{
		id: 'outcome',
		title: t.outcome,
		width: 100,
		grows: 0,
		yields: 2,
		cell: ({stopped}) => <Tag tone={stopped ? 'ok' : 'warn'}>{stopped ? t.stopped : t.notStopped}</Tag>,
	},
	{
		id: 'size',
		title: t.eventsOf,
		width: 150,
		yields: 3,
		look: 'dim',
		cell: ({keys, computers}) => `${counted(keys.length, nouns.event)}, ${counted(computers.length, nouns.computer)}`,
	},
	{id: 'until', title: t.lastSeen, width: 100, grows: 0, cell: ({until}) => <Time at={until} />},
]

/** A column without any owner goes first. */
const unowned = columns.map(column => (column.id === 'owner' ? {...column, yields: 4} : column))

const options = detectionStatuses.map(value => ({value, label: value}))

/** A decision is an entry of the incident log; nothing is sent to the service. */
function StatusDialog({group, onClose}: {group: DetectionCase; onClose: () => void}) {
	const {client, connection} = useConnected()
	const me = useOperator()
	const announce = useAnnounce()
	// Whoever opens a new group is about to look into it.
	const [status, setStatus] = useState<DetectionStatus>(group.status === 'new' ? 'investigating' : group.status)
	const [owner, setOwner] = useState(group.owner === '' ? me : group.owner)
	const [note, setNote] = useState('')
	const {mutate, isPending, error} = useMutation({
		mutationFn: () => client.detections.decide({connection, key: group.key, status, owner: owner.trim(), note: note.trim()}),
		onSuccess: () => {
			announce('Status saved')
			onClose()
		},
	})
	return (
		<Dialog
			title={t.setStatusOf(group.title)}
			cancel
			onClose={onClose}
			act={[t.saveStatus, () => mutate(), isPending ? t.saving : null]}
		>
			<Select label={t.status} options={options} value={status} onChange={setStatus} />
			<TextField label={t.owner} value={owner} onChange={setOwner} maxLength={200} description={t.nobody} />
			<TextArea label={t.note} value={note} onChange={setNote} rows={3} maxLength={2000} description={t.statusKept} />
			<Failure error={error} />
		</Dialog>
	)
}
