import {useNavigate} from '@tanstack/react-router'
import {useMemo, useRef} from 'react'

import {csvOf} from '#shared/commands/table.ts'
import type {ActivityAnswer, ActivityComputer} from '#contract/search.ts'
import type {Indicator} from '#model/indicator.ts'
import {counted, formatCount} from '#text/numbers.ts'
import {nouns} from '#text/terms.ts'
import {useAnnounce} from '#ui/Announcer.tsx'
import {Button, useCopy, Link} from '#ui/Button.tsx'
import {cx} from '#ui/cx.ts'
import {EmptyState, SkeletonLines, FailureBanner, Reason} from '#ui/States.tsx'
import {useKey, useKeys} from '#ui/keys/KeyRegistry.tsx'
import {saveText} from '#ui/save.ts'
import {DataTable} from '#ui/table/DataTable.tsx'
import type {TableColumn, TableHandle} from '#ui/table/types.ts'
import {Tag} from '#ui/Tag.tsx'
import {Time} from '#ui/Time.tsx'
import {type ShownPart, shownParts} from './search.ts'
import styles from './ServicePart.module.css'
import {t} from './text.ts'
import type {Activity} from './use-activity.ts'
import {describeComputer, isNothingYet} from './words.ts'

interface ActivityResultProps {
	activity: Activity
	indicator: Indicator
	/** Without stored events every computer would lack local events. */
	hasEvents: boolean
	show: ShownPart
	onShow: (show: ShownPart) => void
}

export function ActivityResult(props: ActivityResultProps) {
	const {activity} = props
	const {answer, isAsking} = activity
	return (
		<div className={styles.result}>
			<Stopped activity={activity} />
			{answer === null || answer === undefined ? (
				isAsking ? (
					<>
						<Progress activity={activity} />
						<SkeletonLines lines={6} label={t.queryingTheService} />
					</>
				) : null
			) : (
				<Answer {...props} answer={answer} />
			)}
		</div>
	)
}

function Progress({activity: {answer, stop}}: {activity: Activity}) {
	const read = answer === null || answer === undefined || answer.phase !== 'reading' ? null : answer
	return (
		<p className={styles.progress} role="status">
			{read === null
				? t.queryingTheServiceMore
				: t.computersSoFar(formatCount(read.read), read.total === null ? '' : t.ofOf(formatCount(read.total)), counted(read.calls, nouns.call))}
			<Button small onPress={stop}>
				{t.stop}
			</Button>
		</p>
	)
}

function Answer({activity, answer, indicator, hasEvents, show, onShow}: ActivityResultProps & {answer: ActivityAnswer}) {
	const navigate = useNavigate()
	const table = useRef<TableHandle>(null)
	const rows = useMemo(() => answer.computers.filter(each => isIn(each, show)), [answer.computers, show])
	const columns = useMemo(() => activityColumns(hasEvents), [hasEvents])
	useKeys({'search.silent': () => onShow(show === 'silent' ? 'all' : 'silent'), 'search.table': () => table.current?.focus()})
	if (answer.phase === 'complete' && answer.computers.length === 0)
		return (
			<EmptyState title={t.noMatchNewest}>
				{t.serviceSearches(answer.value, answer.kind === 'user' ? t.session : t.sighting)} <Time at={answer.askedAt} focusable />.
			</EmptyState>
		)
	// Numbers of a missing answer would say that no computer saw it; the reason is shown above.
	if (isNothingYet(answer)) return null
	return (
		<>
			{activity.isAsking && <Progress activity={activity} />}
			<Parts answer={answer} hasEvents={hasEvents} show={show} onShow={onShow} />
			<Actions answer={answer} rows={rows} show={show} indicator={indicator} />
			<div className={styles.table}>
				<DataTable
					label={t.matchingComputers}
					source={rows}
					columns={columns}
					rowKey={({guid}) => guid}
					list={show}
					describe={describeComputer}
					onOpen={({guid}) =>
						void navigate({
							to: '/computers/$guid',
							params: {guid},
							search: {tab: 'trajectory', q: answer.kind === 'user' ? `user:${answer.value}` : answer.value}
						})
					}
					isBusy={activity.isAsking}
					empty={
						<EmptyState
							title={show === 'silent' ? t.allLocalEvents : t.noneTitle}
							action={<Link onPress={() => onShow('all')}>{t.showAll}</Link>}
						>
							{show === 'silent' ? t.allTheseComputers : t.noneTheseComputers}
						</EmptyState>
					}
					handle={table}
				/>
			</div>
		</>
	)
}

function isIn({silent}: ActivityComputer, show: ShownPart) {
	return show === 'all' || silent === (show === 'silent')
}

/** Maximum GUIDs in a computers filter. */
const mostInFilter = 500

interface ShownComputers {
	answer: ActivityAnswer
	rows: readonly ActivityComputer[]
	show: ShownPart
	indicator: Indicator
}

function Actions(shown: ShownComputers) {
	const {answer, rows} = shown
	const navigate = useNavigate()
	const announce = useAnnounce()
	const guids = rows.map(({guid}) => guid)
	const none = rows.length === 0 ? 'No computers to export.' : null
	const tooMany = rows.length > mostInFilter ? `The list takes up to ${mostInFilter} at once: export them, or narrow them first.` : null
	const copy = useCopy()
	const save = (format: 'csv' | 'json') => saveComputers(shown, format)
	useKey('search.export', () => (none === null ? save('csv') : announce(none)))
	return (
		<div className="cluster" role="group" aria-label={t.withTheseComputers}>
			<Button
				small
				reason={none ?? tooMany}
				tooltip={t.opensListExactly}
				onPress={() => void navigate({to: '/computers', search: {filter: `guid=${guids.join(',')}`}})}
			>
				{t.openInComputers}
			</Button>
			<Button small reason={none} onPress={() => copy(`${formatCount(guids.length)} GUIDs`, guids.join('\n'))}>
				{t.copyGUIDs}
			</Button>
			<Button small reason={none} onPress={() => save('csv')}>
				{t.exportCsv}
			</Button>
			<Button small reason={none} onPress={() => save('json')}>
				{t.exportJson}
			</Button>
			<span className="note">
				{t.askedInline} <Time at={answer.askedAt} focusable />, {counted(answer.calls, nouns.call)}
			</span>
		</div>
	)
}

/** `hasEvents`: whether computers without local events are known. */
function activityColumns(hasEvents: boolean): readonly TableColumn<ActivityComputer>[] {
	const told: TableColumn<ActivityComputer> = {
		id: 'silent',
		title: 'Stored events',
		width: 104,
		cell: ({silent}) => (silent ? <Tag tone="hold">{t.noLocalEventsTitle}</Tag> : <Tag>{t.named}</Tag>)
	}
	return [
		{id: 'name', title: 'Computer', width: 130, look: 'name', cell: ({hostname}) => hostname},
		...(hasEvents ? [told] : []),
		{id: 'group', title: 'Group', width: 130, yields: 2, cell: row => row.group ?? t.notListedHere},
		{id: 'os', title: 'System', width: 120, grows: 240, yields: 3, look: 'dim', cell: ({os}) => os},
		{
			id: 'seen',
			title: 'Last seen',
			width: 100,
			yields: 1,
			look: 'dim',
			cell: ({lastSeen, active}) => (active ? <Time at={lastSeen} unknown="–" /> : 'inactive')
		}
	]
}

const columns = ['guid', 'hostname', 'silent', 'group', 'os', 'last_seen', 'active', 'asked_for', 'asked_at']

/** The shown computers as a file; cells that look like a formula are made inert. */
function saveComputers(saved: ShownComputers, format: 'csv' | 'json') {
	const name = `${saved.show === 'silent' ? 'seen-but-silent' : 'seen'}-${fileWord(saved.indicator.value)}.${format}`
	const text = format === 'csv' ? csv(saved) : json(saved)
	saveText({name, text})
}

function csv({answer, rows}: ShownComputers) {
	const cells = rows.map(row => {
		const facts = [row.guid, row.hostname, row.silent ? 'yes' : 'no', row.group ?? '', row.os, row.lastSeen ?? '']
		return [...facts, row.active ? 'yes' : 'no', answer.value, answer.askedAt]
	})
	return csvOf({columns, rows: cells})
}

function json({answer, rows, show}: ShownComputers) {
	const {value, kind, askedAt, phase, total} = answer
	return JSON.stringify({asked_for: value, kind, asked_at: askedAt, phase, total, show, computers: rows}, null, 2)
}

function fileWord(value: string) {
	return value.replaceAll(/[^\w.-]+/g, '_').slice(0, 24)
}

function Stopped({activity}: {activity: Activity}) {
	const {answer, isAsking, ask, error} = activity
	if (isAsking) return null
	if (error !== null)
		return (
			<FailureBanner error={error} tone={error.code === 'rate_limited' ? 'warning' : 'bad'} act={[t.tryAgain, () => ask(false)]}>
				{t.couldNotQuery} <Reason error={error} />
			</FailureBanner>
		)
	if (answer === null || answer === undefined || answer.phase !== 'partial') return null
	const left = answer.callsLeft === null ? '1 call or more' : `${counted(answer.callsLeft, nouns.call)}`
	return (
		<FailureBanner error={answer.error} act={[t.continue(left), () => ask(true)]}>
			{answer.error === null ? t.queryStopped : <Reason error={answer.error} />}{' '}
			{answer.computers.length === 0
				? t.noAnswerYet
				: t.theseFirst(formatCount(answer.computers.length), answer.total === null ? '' : t.ofOf(formatCount(answer.total)))}
		</FailureBanner>
	)
}

interface PartsProps extends Omit<ActivityResultProps, 'activity' | 'indicator'> {
	answer: ActivityAnswer
}

/** How many saw it, with and without local events: as a chart and as a choice. */
function Parts({answer, hasEvents, show, onShow}: PartsProps) {
	const all = answer.computers.length
	const counts: Readonly<Record<ShownPart, number>> = {all, silent: answer.silent, told: all - answer.silent}
	const titles: Readonly<Record<ShownPart, string>> = {
		all: answer.kind === 'user' ? 'had the user' : 'saw it',
		silent: 'no local events',
		told: 'named in events'
	}
	if (!hasEvents)
		return (
			<p className="note">
				{t.computersNo(formatCount(all))} <Link href="/events">{t.loadEvents}</Link>
			</p>
		)
	return (
		<>
			<div className={styles.parts} role="group" aria-label={t.whichComputers}>
				{shownParts.map(part => (
					<button key={part} type="button" className={cx(styles.part, styles[part])} aria-pressed={part === show} onClick={() => onShow(part)}>
						<span className={styles.number}>{formatCount(counts[part])}</span>
						<span>{titles[part]}</span>
					</button>
				))}
			</div>
			<div className={styles.strip} aria-hidden>
				<span className={styles.stripSilent} style={{flexGrow: counts.silent}} />
				<span className={styles.stripTold} style={{flexGrow: counts.told}} />
			</div>
			<p className="note">
				{t.noLocalEvents} <Link href={`/events?filter=${encodeURIComponent(answer.eventFilter)}&span=all`}>{t.eventsName}</Link>
			</p>
		</>
	)
}
