import {useNavigate} from '@tanstack/react-router'
import {memo, type RefObject, type UIEvent, useCallback, useEffect, useEffectEvent, useMemo, useRef, useState} from 'react'

import type {JoinedPage} from '#contract/log.ts'
import {formatDifference} from '#text/durations.ts'
import {formatCount, formOf} from '#text/numbers.ts'
import {nouns} from '#text/terms.ts'
import {useActiveConnectionOrNull, useActiveFrame, useCall} from '#api/hooks.tsx'
import {useAddress} from '#kit/use-address.ts'
import {useUi} from '#state/ui.tsx'
import {Button} from '#ui/Button.tsx'
import {EmptyState, ErrorState} from '#ui/States.tsx'
import {useKeys} from '#ui/keys/KeyRegistry.tsx'
import {DataTable} from '#ui/table/DataTable.tsx'
import type {TableHandle} from '#ui/table/types.ts'
import {skewInBanner} from '#ui/time.ts'
import {useLatest} from '#ui/use-latest.ts'
import {isAboutEvidence} from '#model/incident.ts'
import {ChainStatus} from './ChainStatus.tsx'
import {describeRow, logColumns} from './columns.tsx'
import {ElsewhereBar, useAudit} from './ElsewhereBar.tsx'
import styles from './IncidentLogScreen.module.css'
import {LogBar} from './LogBar.tsx'
import {LogDialogs, type OpenLogDialogs, useLogDialogs} from './LogDialogs.tsx'
import {LogPanel, type Shown, usePanelRow} from './LogPanel.tsx'
import {LogPictures} from './LogPictures.tsx'
import {lineBehind} from './replay.ts'
import {foldedIn, indexNear, keyOf, type LogRow, unfolded} from './rows.ts'
import {allTenants, type IncidentLogSearch} from './search.ts'
import {t} from './text.ts'
import {type LogRows, useLogRows, usePins} from './use-log-entries.ts'

/** Maximum that fits into the address. */
const mostDrafted = 200
const none: ReadonlySet<string> = new Set()

// Depends only on the conditions: cursor moves, which change the address, do not redraw it.
const Bar = memo(LogBar)
const Pictures = memo(LogPictures)
const Elsewhere = memo(ElsewhereBar)

/** Who did what, from where, with which outcome, merged with changes elsewhere. Read-only. */
export function IncidentLogScreen() {
	const screen = useIncidentLogScreen()
	const {search, change, showAll, connection, isJoined, audit, key, shown, show, place, log, onCursor, newest} = screen
	const {pins, dialogs, selection, setSelection, verifying, acts, showElsewhere, again, columns, counts, rows, listed} = screen
	return (
		<div className="beside">
			<div>
				<Bar search={search} matching={counts} onChange={change} {...acts} />
				{connection !== null && <Elsewhere audit={audit} isShown={isJoined} matching={newest?.elsewhere ?? 0} onShow={showElsewhere} />}
				<ClockNote />
				<ChainStatus verifying={verifying} onShowAll={showAll} onShow={id => change({entry: id})} />
				{search.pictures === true && <Pictures search={search} onChange={change} />}
				<div className={styles.table} onScrollCapture={place.onScroll}>
					{newest === undefined || log.isPrevious ? null : <Waiting count={newest.newer} onShow={() => place.showNewest(newest)} />}
					<DataTable
						handle={place.table}
						label={t.incidentLog}
						source={log.isFirstLoad ? undefined : rows}
						columns={columns}
						rowKey={keyOf}
						list={listed}
						describe={describeRow}
						selection={selection}
						onSelectionChange={setSelection}
						onOpen={show}
						menu={row => ({
							title: describeRow(row),
							acts: [
								...(row.kind === 'elsewhere' ? [] : [[t.noteMore, () => dialogs.open({kind: 'note', about: row.entry})] as const]),
								[row.kind !== 'elsewhere' && pins.has(row.entry.id) ? t.unpin : t.pinAsEvidence, () => dialogs.open({kind: 'pin', row})]
							],
							copies: [['line', describeRow(row)]]
						})}
						isPeeking={key !== undefined}
						onPeek={row => show(keyOf(row) === key ? undefined : row)}
						onCursor={(row, index) => {
							place.onCursor(index)
							onCursor(row, index)
							if (row !== undefined && key !== undefined) show(row)
						}}
						isBusy={log.isFirstLoad || log.isPrevious}
						empty={<NoEntries log={log} search={search} onShowAll={showAll} />}
					/>
				</div>
			</div>
			<LogPanel shown={shown} pins={pins} onClose={() => show(undefined)} onOnly={change} onAgain={again} dialogs={dialogs} />
			<LogDialogs dialogs={dialogs} search={search} matching={newest?.own} pins={pins} connection={connection} />
		</div>
	)
}

function useIncidentLogScreen() {
	const address = useAddress('/log')
	const {change} = address
	const navigate = useNavigate({from: '/log'})
	const {entry, search} = useConditions(address.search)
	const showAll = () => void navigate({search: {}, replace: true})
	const active = useActiveConnectionOrNull()
	const connection = search.connection === undefined || search.connection === allTenants ? (active?.id ?? null) : search.connection
	const isJoined = search.elsewhere !== false
	const audit = useAudit(connection)
	const {key, shown, show} = usePanelRow(entry, connection, next => change({entry: next}))
	const [opened, setOpened] = useState(() => new Map<string, number>())
	const place = useReadingPlace(search, key !== undefined || opened.size > 0)
	const log = useLogRows(search, isJoined ? connection : null, place.upTo)
	const {rows, fold, onCursor} = useFolding(log, opened, setOpened, place.table)
	const {newest} = log
	useEffect(() => place.keep(log.isPrevious ? null : (newest ?? null)), [place, log.isPrevious, newest])
	const pins = usePins()
	const dialogs = useLogDialogs()
	const [selection, setSelection] = useState<ReadonlySet<string>>(none)
	const verifying = useCall(client => client.log.verify())
	const acts = useActs(dialogs, verifying.mutate, search.incident, selection)
	const showElsewhere = useCallback((is: boolean) => change({elsewhere: is ? undefined : false}), [change])
	const {again} = useLogKeys({shown, dialogs, verify: acts.onVerify, handOver: acts.onHandover})
	useStartVerify(search.act === 'verify', () => {
		change({act: undefined})
		verifying.mutate()
	})
	const every = search.connection === allTenants
	const listed = JSON.stringify({...search, pictures: undefined, act: undefined})
	const columns = useMemo(() => logColumns(pins, connection, every, fold), [pins, connection, every, fold])
	const {own, lines} = newest ?? {}
	const counts = useMemo(
		() => (own === undefined || lines === undefined || log.isPrevious ? undefined : {own, lines}),
		[own, lines, log.isPrevious]
	)
	return {
		...{search, change, showAll, connection, isJoined, audit, key, shown, show, place, log, onCursor, newest},
		...{pins, dialogs, selection, setSelection, verifying, acts, showElsewhere, again, columns, counts, rows, listed}
	}
}

/** Lines open by a click on their mark, or by the arrow keys at the cursor. */
function useFolding(
	log: LogRows,
	opened: Map<string, number>,
	setOpened: (opened: Map<string, number>) => void,
	table: RefObject<TableHandle | null>
) {
	const rows = useMemo(() => unfolded(log, opened), [log, opened])
	const at = useRef<{row: LogRow | undefined; index: number}>({row: undefined, index: -1})
	const put = (key: string, index: number | undefined) => {
		const next = new Map(opened)
		if (index === undefined) next.delete(key)
		else next.set(key, index)
		setOpened(next)
	}
	const turn = (row: LogRow, isOpen: boolean) => {
		const key = row.inside ?? keyOf(row)
		const line = rows.lineOf(key)
		if (line !== undefined && !isOpen) {
			put(key, undefined)
			if (at.current.row?.inside === key) table.current?.goTo(line)
		} else if (line === undefined && isOpen && foldedIn(row).length > 0) put(key, indexNear(log, key, at.current.index, log.count))
	}
	const latest = useLatest(turn)
	const atCursor = (isOpen: boolean) => {
		const row = rows.row(at.current.index)
		if (row !== undefined) turn(row, isOpen)
	}
	useKeys({'log.unfold': () => atCursor(true), 'log.fold': () => atCursor(false)})
	return {
		rows,
		fold: useCallback((row: LogRow) => latest.current(row, row.isOpen !== true), [latest]),
		onCursor: (row: LogRow | undefined, index: number) => void (at.current = {row, index})
	}
}

/** The address without the cursor's row: the same object while unchanged. */
function useConditions({entry, ...conditions}: IncidentLogSearch) {
	const said = JSON.stringify(conditions)
	// oxlint-disable-next-line react-hooks/exhaustive-deps -- `said` stands for the conditions, which are new on every render
	const search: IncidentLogSearch = useMemo(() => conditions, [said])
	return {entry, search}
}

/** Actions of the bar's buttons; stable callbacks. */
function useActs({open}: OpenLogDialogs, verify: () => void, incident: string | undefined, selection: ReadonlySet<string>) {
	const navigate = useNavigate()
	return useMemo(
		() => ({
			onNote: () => open({kind: 'note', about: null}),
			onExport: () => open({kind: 'export'}),
			onHandover: () => void navigate({to: '/log/handover', search: incident === undefined ? {} : {incident}}),
			onVerify: () => verify(),
			onDraft:
				selection.size === 0 || selection.size > mostDrafted
					? null
					: () => void navigate({to: '/playbooks/document/$playbook', params: {playbook: 'new'}, search: {entries: [...selection].join(',')}})
		}),
		[open, verify, navigate, incident, selection]
	)
}

/** The palette opens the screen and verifies the chain. */
function useStartVerify(isAsked: boolean, start: () => void) {
	const begin = useEffectEvent(start)
	useEffect(() => {
		if (isAsked) begin()
	}, [isAsked])
}

/** New entries waiting above: visible rows do not move while the operator reads. */
function Waiting({count, onShow}: {count: number; onShow: () => void}) {
	if (count === 0) return null
	return (
		<div role="status" className={styles.waiting}>
			<Button tone="primary" small onPress={onShow}>
				{t.new(formatCount(count), formOf(count, nouns.line))}
			</Button>
		</div>
	)
}

/** A smaller difference is response time. */
const notable = 5000

/** Both clocks, if they differ: our own entries have this computer's time, the audit log the service's. */
function ClockNote() {
	const skew = useActiveFrame()?.clockSkewMs ?? null
	if (skew === null || Math.abs(skew) < notable) return null
	return (
		<p className={styles.clock} role="note">
			◷ {Math.abs(skew) < skewInBanner ? `${differenceWords(skew)} ` : null}
			{t.entriesComputers}
		</p>
	)
}

/** Shown when no banner says so. */
function differenceWords(skew: number) {
	return `This computer is ${formatDifference(Math.abs(skew))} ${skew > 0 ? 'ahead of' : 'behind'} the service.`
}

interface LogKeys {
	shown: Shown
	dialogs: OpenLogDialogs
	verify: () => void
	handOver: () => void
}

/** Keys of the log: they show entries, and open dialogs and the command line. None sends or writes anything. */
function useLogKeys({shown, dialogs, verify, handOver}: LogKeys) {
	const setDrawer = useUi(ui => ui.setDrawer)
	const again = (line: string) => setDrawer(true, line)
	const {row, all} = shown
	const entry = row?.kind === 'own' ? row.entry : null
	const line = entry === null ? null : lineBehind(entry, all)
	const canPin = entry === null || !isAboutEvidence(entry)
	useKeys({
		'log.note': () => dialogs.open({kind: 'note', about: entry}),
		'log.mention': () => dialogs.open({kind: 'note', about: entry, text: '@'}),
		'log.pin': row !== null && canPin && (() => dialogs.open({kind: 'pin', row})),
		'log.export': () => dialogs.open({kind: 'export'}),
		'log.handover': handOver,
		'log.verify': verify,
		'log.again': line !== null && (() => again(line))
	})
	return {again}
}

function NoEntries({log, search, onShowAll}: {log: LogRows; search: IncidentLogSearch; onShowAll: () => void}) {
	if (log.error !== null) return <ErrorState error={log.error} title={t.couldNotLoadLog} onRetry={log.retry} />
	if (JSON.stringify({...search, elsewhere: undefined, pictures: undefined, act: undefined, entry: undefined}) !== '{}') {
		return (
			<EmptyState title={t.noEntryMatchesTitle} act={[t.showAllEntries, onShowAll]}>
				{t.noEntriesMatch}
			</EmptyState>
		)
	}
	return <EmptyState title={t.theLogIsEmpty}>{t.cordonRecords}</EmptyState>
}

/** Reading position: scrolled down, at a row, or with an open panel. */
interface Reading {
	isScrolled: boolean
	/** Index of the row at the cursor, -1 for none. */
	cursor: number
	isOpen: boolean
}

/** Conditions of a list, and the number of its newest entry. */
interface Held {
	conditions: object
	upTo: number
}

/** At the top without an open panel, new entries appear immediately. */
export function followsNewest({isScrolled, cursor, isOpen}: Reading): boolean {
	return !isScrolled && !isOpen && cursor <= 0
}

/**
 * The next held state. `newest`: number of the newest matching entry, `undefined` while the visible rows belong to other
 * conditions. A reader keeps the initial rows.
 */
export function heldNext(held: Held | null, conditions: object, follows: boolean, newest?: number): Held | null {
	if (follows) return null
	if (held?.conditions === conditions) return held
	return newest === undefined ? null : {conditions, upTo: newest}
}

/** Keeps rows in place while the operator reads them. New `conditions` start a new list. */
function useReadingPlace(conditions: object, isOpen: boolean) {
	const table = useRef<TableHandle>(null)
	const scroller = useRef<HTMLElement>(null)
	const [isScrolled, setScrolled] = useState(false)
	const [cursor, setCursor] = useState(-1)
	const [held, setHeld] = useState<Held | null>(null)
	const follows = followsNewest({isScrolled, cursor, isOpen})
	const onScroll = useCallback(({target}: UIEvent) => {
		if (!(target instanceof HTMLElement) || target.role !== 'grid') return
		scroller.current = target
		setScrolled(target.scrollTop > 0)
	}, [])
	// Further down the exact row does not matter: avoids a redraw.
	const onCursor = useCallback((index: number) => setCursor(Math.min(index, 1)), [])
	/** Call on each render with the visible page; `null` while it belongs to other conditions. */
	const keep = (page: JoinedPage | null) => {
		const next = heldNext(held, conditions, follows, page?.newest)
		if (next !== held) setHeld(next)
	}
	/** Returns to the top and shows all waiting entries. */
	const showNewest = (page: JoinedPage) => {
		setHeld({conditions, upTo: page.newest})
		setCursor(-1)
		table.current?.place(-1)
		table.current?.focus()
		if (scroller.current !== null) scroller.current.scrollTop = 0
	}
	/** Later entries than this number wait; `undefined`: none. */
	const upTo = held?.conditions === conditions ? held.upTo : undefined
	return useMemo(
		() => ({upTo, table, onScroll, onCursor, keep, showNewest}),
		// oxlint-disable-next-line react-hooks/exhaustive-deps -- both are made of what is named here
		[upTo, onScroll, onCursor, held, conditions, follows]
	)
}
