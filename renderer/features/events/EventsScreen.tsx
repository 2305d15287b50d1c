import {useNavigate} from '@tanstack/react-router'
import {type RefObject, useCallback, useRef, useState} from 'react'

import {type EventSpan, isByValue} from '#model/choices.ts'
import type {EventQuery, EventRow, EventWindow} from '#contract/events.ts'
import type {EventFilterTerm} from '#model/event-filter-values.ts'
import {eventFilter} from '#model/event-filter.ts'
import {whole} from '#shared/streams.ts'
import {formatCount} from '#text/numbers.ts'
import {useApi, useConnected, useAsked, useCall} from '#api/hooks.tsx'
import {usePaged} from '#api/pages.ts'
import {csvFormat, ExportFrame} from '#commands/ExportFrame.tsx'
import {usePlaybookAct} from '#commands/StartPlaybook.tsx'
import {FilterBar, useFacetsSwitch} from '#commands/filter/FilterBar.tsx'
import {useCursor} from '#commands/filter/use-cursor.ts'
import {useAnnounce} from '#ui/Announcer.tsx'
import type {HistogramHandle} from '#ui/chart/Histogram.tsx'
import {useCopy, type Act} from '#ui/Button.tsx'
import {useAtCursor, useKeys} from '#ui/keys/KeyRegistry.tsx'
import {Screen, ScreenBody, ScreenMain} from '#ui/Screen.tsx'
import {Select} from '#ui/Select.tsx'
import {DataTable} from '#ui/table/DataTable.tsx'
import type {RowActs} from '#ui/table/RowMenu.tsx'
import type {TableHandle} from '#ui/table/types.ts'
import {columnsOf} from './columns.tsx'
import {EventsBar} from './EventsBar.tsx'
import {EventsPicture} from './EventsPicture.tsx'
import styles from './EventsScreen.module.css'
import {NoEvents, StateBanner} from './EventsStates.tsx'
import {Facets} from './Facets.tsx'
import {gatheredInWords, groupings, lonelyOf, withinWords} from './grouping.ts'
import {PeekPanel} from './PeekPanel.tsx'
import {pivotsOf} from './pivots.ts'
import type {EventsSearch} from './search.ts'
import {t} from './text.ts'
import {useNarrowingKeys} from './use-narrowing-keys.ts'
import {type EventsView, useQuestion} from './use-question.ts'

function usePicking({change, span}: EventsView, table: RefObject<TableHandle | null>) {
	return {
		onSpan: useCallback((next: EventSpan) => change({span: next, from: undefined, to: undefined}), [change]),
		onBrush: useCallback((range: EventsView['brush']) => change({from: range?.from, to: range?.to, span}), [change, span]),
		onOpen: useCallback(() => table.current?.focus(), [table])
	}
}

export function EventsScreen() {
	const screen = useEventsScreen()
	const {facetsShown, view, search, change, filter, question, refresh, isRefreshing, state, types, filterBox, table} = screen
	const {refreshButton, exporting, setExporting, rows, peek, openComputer, showStory, waiting} = screen
	return (
		<Screen>
			<EventsBar
				view={view}
				state={state}
				answer={rows.isPrevious ? undefined : rows.newest}
				filtered={filter.applied !== '' || view.isTimed || question.grouping !== 'none'}
				isRefreshing={isRefreshing}
				onRefresh={() => refresh()}
				refreshButton={refreshButton}
				onExport={() => setExporting(true)}
			/>
			<FilterBar
				facets={facetsShown}
				filter={filter}
				what={t.theEvents}
				example={t.anyWordHash}
				inputRef={filterBox}
				onLeave={() => table.current?.focus()}
				describe={term => describeTerm(term, id => types?.find(type => type.id === id)?.name)}
			>
				<Grouping
					grouping={question.grouping}
					within={search.within}
					onChange={next => change({grouping: undefined, within: undefined, ...next})}
				/>
			</FilterBar>
			<StateBanner state={state} onRefresh={() => refresh()} />
			<ScreenBody>
				{facetsShown.isOpen && <Facets id={facetsShown.id} question={question} rows={rows} filter={filter} isWaiting={waiting} />}
				<ScreenMain>
					<EventsPicturePart screen={screen} />
					<EventsTable screen={screen} />
				</ScreenMain>
				{search.event !== undefined && (
					<PeekPanel
						eventKey={search.event}
						onClose={() => peek(undefined)}
						onOpen={openComputer}
						onStory={showStory}
						onPeek={peek}
						onAsk={view.ask}
					/>
				)}
			</ScreenBody>
			{exporting && <ExportDialog question={question} matching={rows.newest?.matching} onClose={() => setExporting(false)} />}
		</Screen>
	)
}

function EventsPicturePart({screen}: {screen: EventsState}) {
	const {view, filter, question, refresh, state, picture, rows, picking} = screen
	return (
		<EventsPicture
			filter={filter.applied}
			rows={rows}
			span={view.span}
			pictured={view.pictured}
			brush={view.brush}
			{...picking}
			state={state}
			lonely={rows.isPrevious ? null : lonelyOf(question.grouping, rows.newest?.gathering)}
			onLeaveOut={view.ask}
			onReadMissing={refresh}
			handle={picture}
		/>
	)
}

function EventsTable({screen}: {screen: EventsState}) {
	const {view, search, change, filter, question, refresh, state, table, currentRow, rows, cursor, peek} = screen
	const {openComputer, menu, waiting} = screen
	return (
		<div className={styles.table} data-shown={rows.isPrevious ? undefined : JSON.stringify(question)}>
			<DataTable
				label={t.events}
				source={waiting ? undefined : rows}
				columns={columnsOf(question.grouping)}
				rowKey={row => row.key}
				describe={describeEvent}
				onOpen={row => openComputer(row)}
				menu={menu}
				isPeeking={search.event !== undefined}
				onPeek={row => peek(row.key === search.event ? undefined : row.key)}
				onCursor={row => {
					cursor.set(row?.key)
					currentRow.current = row
					if (row !== undefined && search.event !== undefined) peek(row.key)
				}}
				isBusy={rows.isPrevious || waiting}
				empty={
					<NoEvents
						state={state}
						onRefresh={() => refresh()}
						error={rows.error}
						onRetry={rows.retry}
						filter={filter.applied}
						isTimed={view.isTimed}
						onShowAll={view.showAll}
						onAllTime={() => change({from: undefined, to: undefined, span: 'all'})}
					/>
				}
				handle={table}
			/>
		</div>
	)
}

type EventsState = ReturnType<typeof useEventsScreen>

function useEventsScreen() {
	const {client} = useApi()
	const navigate = useNavigate()
	const announce = useAnnounce()
	const facetsShown = useFacetsSwitch(1000)
	const view = useQuestion()
	const {search, change, filter, question} = view
	const {refresh, isRefreshing} = useRefresh()
	const {connection} = question
	const {data: state} = useAsked(q => q.events.state, {input: {connection}})
	const {data: types} = useAsked(q => q.events.types, {input: {connection}})
	const filterBox = useRef<HTMLInputElement>(null)
	const table = useRef<TableHandle>(null)
	const picture = useRef<HistogramHandle>(null)
	const refreshButton = useRef<HTMLButtonElement>(null)
	const currentRow = useRef<EventRow | undefined>(undefined)
	const [exporting, setExporting] = useState(false)

	const rows = usePaged(q => q.events.query, question)
	const locate = useCallback((asked: EventQuery, key: string, signal: AbortSignal) => client.events.position({...asked, key}, {signal}), [client])
	const revision = rows.isPrevious ? undefined : rows.newest?.revision
	const list = {...question, from: search.from, to: search.to, span: view.span}
	const cursor = useCursor({question, list, revision, table, locate})
	const picking = usePicking(view, table)
	const peek = (key: string | undefined) => change({event: key})
	const openComputer = ({guid}: EventRow, search: {tab?: 'trajectory'; event?: string | undefined} = {}) => {
		if (guid === null) return announce('This event names no computer')
		filter.settle()
		void navigate({to: '/computers/$guid', params: {guid}, search})
	}
	const showStory = (row: EventRow) => openComputer(row, {tab: 'trajectory', event: row.detectionId ?? row.id ?? undefined})
	const menu = useEventMenu(view.ask, showStory)
	const onKey = useAtCursor(cursor.current, () => 'Go to an event first')
	const copy = useCopy()
	useKeys({
		'list.filter': () => filterBox.current?.focus(),
		'events.refresh': () => refreshButton.current?.focus(),
		'events.brush': () => picture.current?.beginBrush(),
		'events.export': () => setExporting(true),
		'events.copy': onKey(key => copy('Id', currentRow.current?.key === key ? (currentRow.current.id ?? key) : key))
	})
	useNarrowingKeys({
		view,
		currentRow: () => (currentRow.current?.key === cursor.current() ? currentRow.current : undefined),
		showStory,
		hunt: sha256 => {
			filter.settle()
			void navigate({to: '/search', search: {q: sha256}})
		}
	})

	const waiting = rows.isFirstLoad || state === undefined || (state.stored === 0 && state.phase === 'loading')
	return {
		...{facetsShown, view, search, change, filter, question, refresh, isRefreshing, state, types, filterBox, table},
		...{picture, refreshButton, currentRow, exporting, setExporting, rows, cursor, picking},
		...{peek, openComputer, showStory, menu, waiting}
	}
}

/** The actions of a row: further queries and screens. */
function useEventMenu(ask: (term: string) => void, showStory: (row: EventRow) => void): (row: EventRow) => RowActs {
	const playbook = usePlaybookAct()
	return row => ({
		title: row.detection ?? row.type,
		acts: [
			...(row.guid === null ? [] : [[t.attackStory, () => showStory(row)] as const]),
			...pivotsOf(row).map(({title, term}): Act => [title, () => ask(term)]),
			playbook({computers: row.guid === null ? [] : [row.guid], sha256: row.sha256})
		],
		copies: copiesOf(row)
	})
}

function copiesOf({hostname, fileName, sha256, id}: EventRow): RowActs['copies'] {
	const texts = [
		['computer', hostname],
		['file name', fileName],
		['SHA-256', sha256],
		['event id', id]
	] as const
	return texts.flatMap(([what, text]) => (text === null || text === '' ? [] : [[what, text]]))
}

function useRefresh() {
	const {connection} = useConnected()
	const {isPending, mutate} = useCall((client, days: number | null) =>
		client.events.refresh({connection, ...(days !== null && {days})}).catch(() => {})
	)
	/** Loads new events, or missing ones of this many days. The store's state reports the outcome. */
	const refresh = useCallback((days?: number) => mutate(days ?? null), [mutate])
	return {isRefreshing: isPending, refresh}
}

function describeEvent(row: EventRow) {
	const parts = [
		row.gathered === undefined ? null : `stands for ${gatheredInWords(row.gathered)}`,
		row.type,
		row.severity === 'none' ? null : `severity ${row.severity}`,
		row.detection ?? row.about,
		row.outcome === null ? null : `outcome: ${row.outcome}`,
		row.hostname === '' ? null : `on ${row.hostname}`,
		row.fileName,
		row.at
	]
	return parts.filter(part => part !== null && part !== '').join(', ')
}

/** A chip of the filter: people know types by name, the filter by id. */
function describeTerm(term: EventFilterTerm, nameOfType: (id: number) => string | undefined) {
	const values = term.values.map(value => (value.kind === 'type' ? {...value, text: nameOfType(value.id) ?? value.text} : value))
	return eventFilter.describe({...term, values})
}

interface GroupingProps {
	grouping: NonNullable<EventsSearch['grouping']>
	within: EventsSearch['within']
	onChange: (next: Pick<EventsSearch, 'grouping' | 'within'>) => void
}

const everTitle = 'ever'

/** Grouping of rows: single events, or related ones, and their maximum distance in time. */
function Grouping({grouping, within, onChange}: GroupingProps) {
	return (
		<div className={styles.groupings}>
			<Select
				label={t.rows}
				hideLabel
				value={grouping}
				options={groupings}
				onChange={next => onChange(next === 'none' ? {} : {grouping: next, ...(isByValue(next) && {within})})}
				className={styles.grouping}
			/>
			{isByValue(grouping) && (
				<Select
					label={t.howFarApart}
					hideLabel
					value={within === undefined ? everTitle : `${within}`}
					options={withinWords}
					onChange={next => onChange({grouping, within: withinWords.find(({value}) => value === next)?.minutes})}
					className={styles.within}
				/>
			)}
		</div>
	)
}

interface ExportDialogProps {
	question: EventQuery
	matching: EventWindow['matching'] | undefined
	onClose: () => void
}

/** All matching rows, not only visible ones, as a file from the local copy. */
function ExportDialog({question, matching, onClose}: ExportDialogProps) {
	const {client} = useApi()
	const gathered = isByValue(question.grouping) ? ofRows : {csv: '', jsonl: ''}
	return (
		<ExportFrame
			title={t.exportTheEvents}
			formats={[
				{...csvFormat, detail: `${csvFormat.detail}${gathered.csv}`},
				{value: 'jsonl', label: 'JSON Lines', detail: `the service's records, one per line, every digit kept${gathered.jsonl}`}
			]}
			write={(format, signal) => whole(client.events.export({...question, format}, {signal}))}
			lacks={({cut}) => (cut ? notWhole : null)}
			onClose={onClose}
		>
			<p>
				{t.currentFilter(matching === undefined ? t.allRowsMatch : t.allRowsThatMatch(matching.exact ? '' : '≥ ', formatCount(matching.count)))}
			</p>
		</ExportFrame>
	)
}

/** A row is its newest event: only a table can include its other facts. */
const ofRows = {csv: '; with how many events each row stands for', jsonl: '; of each row its newest alone'}

const notWhole = 'This file is not whole: there are more rows than one file takes. Choose a shorter time for the older ones.'
