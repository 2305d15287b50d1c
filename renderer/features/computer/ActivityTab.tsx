import {useNavigate} from '@tanstack/react-router'
import {useState} from 'react'

import type {EventRow, EventStoreState} from '#contract/events.ts'
import type {ComputerRow} from '#model/computer.ts'
import {counted, formatCount, formOf} from '#text/numbers.ts'
import {nouns} from '#text/terms.ts'
import {useConnected, useAsked, useAskedHere} from '#api/hooks.tsx'
import {usePaged} from '#api/pages.ts'
import {Button, Link} from '#ui/Button.tsx'
import {EmptyState, ErrorState, Loaded} from '#ui/States.tsx'
import {Outcome, Severity} from '#ui/EventMarks.tsx'
import {TextField} from '#ui/Field.tsx'
import {DataTable} from '#ui/table/DataTable.tsx'
import type {TableColumn} from '#ui/table/types.ts'
import {Time} from '#ui/Time.tsx'
import {Card} from '#ui/Screen.tsx'
import styles from './ComputerScreen.module.css'
import {t} from './text.ts'

/** Stored events of this computer, one row per detection; its users; and links. */
export function ActivityTab({row}: {row: ComputerRow}) {
	const {client, connection} = useConnected()
	const navigate = useNavigate()
	const onTrajectory = () => void navigate({to: '/computers/$guid', params: {guid: row.guid}, search: {tab: 'trajectory'}})
	const filter = `guid=${row.guid}`
	const question = {connection, filter, from: null, to: null, grouping: 'detections'} as const
	const {data: state} = useAsked(q => q.events.state, {input: {connection}})
	const rows = usePaged(q => q.events.query, question)
	const waiting = rows.isFirstLoad || state === undefined || (state.stored === 0 && state.phase === 'loading')
	const matching = rows.newest?.matching
	const count = matching === undefined ? '' : `${matching.exact ? '' : '≥ '}${formatCount(matching.count)}`
	return (
		<div className={styles.tab}>
			<p className="note cluster">
				<span>
					{matching === undefined ? t.storedEvents : t.oneEachDetection(count, formOf(matching.count, nouns.row))}
					{state?.readAt == null ? null : (
						<>
							{t.loaded} <Time at={state.readAt} focusable />
						</>
					)}
				</span>
				<span className="spring" />
				<Link href={`/events?filter=${encodeURIComponent(filter)}&span=all`}>{t.openInEvents}</Link>
			</p>
			<div className={styles.events} style={heightOf(waiting ? undefined : matching?.count)}>
				<DataTable
					label={t.eventsComputer}
					source={waiting ? undefined : rows}
					skeletons={8}
					columns={activityColumns}
					rowKey={({key}) => key}
					describe={describeActivity}
					onOpen={({key}) => void navigate({to: '/events', search: {filter, span: 'all', event: key, grouping: 'detections'}})}
					isBusy={waiting}
					empty={
						rows.error === null ? (
							<NoEvents state={state} row={row} onRead={() => void client.events.refresh({connection}).catch(() => {})} />
						) : (
							<ErrorState error={rows.error} title={t.couldNotLoadStored} onRetry={rows.retry} />
						)
					}
				/>
			</div>
			<UsersSeen row={row} />
			<p className="aside">
				{t.its} <Link onPress={() => onTrajectory()}>{t.trajectory}</Link> {t.showsWhatCreated} <Link href="/search">{t.searchInline}</Link>{' '}
				{t.showsOther}
			</p>
		</div>
	)
}

/** The height of its rows when there are few: no empty frame below them. */
function heightOf(rows: number | undefined) {
	if (rows === undefined || rows === 0) return undefined
	return {height: `min(clamp(220px, 46vh, 560px), var(--row) * ${rows + 2})`}
}

function NoEvents({state, row, onRead}: {state: EventStoreState | undefined; row: ComputerRow; onRead: () => void}) {
	if (state === undefined) return null
	const calls = state.refreshCalls
	if (state.stored === 0)
		return (
			<EmptyState
				title={state.phase === 'failed' ? t.couldNotLoadEvents : t.eventsNotLoaded}
				act={[t.loadEventsOf(calls === null ? '' : t.aboutOf(counted(calls, nouns.call))), onRead]}
			>
				{state.error?.message ?? t.loadEvents}
			</EmptyState>
		)
	return (
		<EmptyState title={t.noStoredEvent}>
			<span>
				{t.noneStored(formatCount(state.stored), row.hostname, state.oldest === null ? '' : t.theyGoBack)}
				{state.oldest !== null && <Time at={state.oldest} form="exact" />}.
			</span>
		</EmptyState>
	)
}

const activityColumns: readonly TableColumn<EventRow>[] = [
	{id: 'at', title: 'Time', width: 180, hasClock: true, grows: 0, look: 'dim', cell: row => <Time at={row.at} form="exact" />},
	{id: 'severity', title: 'Severity', width: 92, grows: 0, yields: 1, cell: row => (row.severity === 'none' ? '' : <Severity row={row} />)},
	{id: 'what', title: 'What', width: 280, look: 'name', cell: row => whatOf(row)},
	{id: 'outcome', title: 'Outcome', width: 126, grows: 0, cell: row => <Outcome row={row} />},
	{id: 'file', title: 'File', width: 104, yields: 2, cell: row => row.fileName},
	{id: 'user', title: 'User', width: 110, yields: 3, look: 'dim', cell: row => row.user}
]

function describeActivity(row: EventRow) {
	return [whatOf(row), row.severity === 'none' ? null : `severity ${row.severity}`, row.outcome, row.fileName, row.at]
		.filter(part => part !== null)
		.join(', ')
}

function whatOf({detection, about, type}: EventRow) {
	const what = detection ?? about
	return what === null ? type : `${what} · ${type}`
}

/** Newest events searched for user names. */
const looked = 200

/** Users named in stored events, and the service's data about them: here, and on other computers. */
function UsersSeen({row}: {row: ComputerRow}) {
	const [name, setName] = useState('')
	const navigate = useNavigate()
	const stored = useAskedHere(q => q.events.query, {filter: `guid=${row.guid} -user:empty`, offset: 0, limit: looked})
	const users = [...new Set((stored.data?.rows ?? []).flatMap(({user}) => user ?? []))]
	const trajectoryOf = (user: string) =>
		void navigate({to: '/computers/$guid', params: {guid: row.guid}, search: {tab: 'trajectory', q: `user:${user}`}})
	return (
		<Card title={t.usersSeenHere} aside={t.inStoredEvents}>
			{users.length === 0 ? (
				<Loaded of={stored} lines={1}>
					{() => <p className="aside">{t.noStoredEventComputer}</p>}
				</Loaded>
			) : (
				<ul className={styles.users}>
					{users.map(user => (
						<li key={user}>
							<span className={styles.user}>{user}</span>
							<Link onPress={() => trajectoryOf(user)} aria-label={t.showActivityOf(user)}>
								{t.showActivity}
							</Link>
							<Link href={`/search?q=${encodeURIComponent(user)}`} aria-label={t.findOtherComputers(user)}>
								{t.findOnOtherComputers}
							</Link>
						</li>
					))}
				</ul>
			)}
			<form
				className={styles.userForm}
				onSubmit={event => {
					event.preventDefault()
					if (name.trim() !== '') trajectoryOf(name.trim())
				}}
			>
				<TextField label={t.anotherUser} hideLabel value={name} onChange={setName} placeholder={t.nameAnother} className={styles.grow} />
				<Button type="submit" reason={name.trim() === '' ? t.typeNameUser : null}>
					{t.showActivity}
				</Button>
			</form>
			<p className="aside">{t.opensTrajectory}</p>
		</Card>
	)
}
