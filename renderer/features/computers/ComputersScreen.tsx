import {useNavigate} from '@tanstack/react-router'
import {useMemo, useRef, useState} from 'react'

import {type ComputerRow, describeComputer, readColumns, writeColumns} from '#model/computer.ts'
import {quoteText} from '#model/filter-format.ts'
import {useApi, useAskedHere} from '#api/hooks.tsx'
import {CopyAsDialog} from '#commands/CopyAsDialog.tsx'
import {FilterBar, useFacetsSwitch} from '#commands/filter/FilterBar.tsx'
import {LabelsDialog} from '#commands/LabelsDialog.tsx'
import {MoveComputerDialog} from '#commands/move/MoveComputerDialog.tsx'
import {NoteDialog} from '#commands/NoteDialog.tsx'
import {useUi} from '#state/ui.tsx'
import {useAnnounce} from '#ui/Announcer.tsx'
import {useAtCursor, useKey, useKeys} from '#ui/keys/KeyRegistry.tsx'
import {Menu, type MenuGroup} from '#ui/Menu.tsx'
import {Screen, ScreenBody, ScreenMain} from '#ui/Screen.tsx'
import {DataTable} from '#ui/table/DataTable.tsx'
import type {RowActs} from '#ui/table/RowMenu.tsx'
import {useCopy} from '#ui/Button.tsx'
import {areDefault, columnsOf} from './columns.tsx'
import {ColumnsDialog} from './ColumnsDialog.tsx'
import {ComputersBar} from './ComputersBar.tsx'
import styles from './ComputersScreen.module.css'
import {ExportDialog} from './ExportDialog.tsx'
import {Facets} from './Facets.tsx'
import {ListBanner, NoRows} from './ListStates.tsx'
import {PeekPanel} from './PeekPanel.tsx'
import {SeenStrip} from './SeenStrip.tsx'
import {BulkActions} from './selection/BulkActions.tsx'
import {RefreshDialog} from './selection/RefreshDialog.tsx'
import {ComputersSelection} from './selection/SelectionBar.tsx'
import {t} from './text.ts'
import {type Asked, type Open, useComputersMenu} from './use-computers-menu.ts'
import {type ComputersList, useList} from './use-list.ts'
import {ViewsLine} from './views/ViewsLine.tsx'
import {ViewsMenu} from './views/ViewsMenu.tsx'

/** All computers of the local copy: views, filter, facets, ages, rows, and a side panel. */
export function ComputersScreen() {
	const screen = useComputersScreen()
	const {list, search, change, filter, views, rows, facets, matching, selection, facetsShown, filterBox, selectionBar} = screen
	const {opened, setOpened, openScreen, ask, toExport, openBulk, showSelected, menu} = screen
	return (
		<Screen>
			<ComputersBar
				matching={rows.newest?.matching}
				all={rows.newest?.all}
				isPrevious={rows.isPrevious}
				filtered={filter.applied !== ''}
				onColumns={() => setOpened({kind: 'columns'})}
				onExport={toExport}
			>
				<ViewsMenu views={views} shown={list.asView} />
				<HygieneMenu filter={filter.text.trim()} onFilter={filter.set} />
			</ComputersBar>
			<ViewsLine views={views} onSave={view => views.change(list.asView(view))} />
			<FilterBar
				facets={facetsShown}
				filter={filter}
				what={t.theComputers}
				example={t.nameAddress}
				inputRef={filterBox}
				onLeave={() => list.table.current?.focus()}
			/>
			<ListBanner />
			<ScreenBody>
				{facetsShown.isOpen && <Facets id={facetsShown.id} filter={filter} facets={list.counts} error={facets.error} onRetry={facets.refetch} />}
				<ScreenMain>
					<SeenStrip counts={list.counts === null ? null : list.counts?.seen} filter={filter} />
					<ComputersTable list={list} onOpen={row => openScreen(row.guid)} menu={menu} />
				</ScreenMain>
				{search.peek !== undefined && (
					<PeekPanel
						guid={search.peek}
						onClose={() => change({peek: undefined})}
						onOpen={(row, act) => openScreen(row.guid, act)}
						onAsk={(row, what) => ask(row.guid, what)}
						onLabel={row => setOpened({kind: 'labels', guids: [row.guid]})}
					/>
				)}
			</ScreenBody>
			{selection.size !== 0 && (
				<ComputersSelection
					selection={selection}
					matching={matching}
					refusal={list.refusal}
					isInView={list.isInView}
					onShow={() => void showSelected()}
					onAll={() => void list.selectAll()}
					onEmptied={() => list.table.current?.focus()}
					onLabel={() => setOpened({kind: 'labels', guids: selection.guids})}
					onRefresh={() => setOpened({kind: 'refresh'})}
					onExport={toExport}
					buttons={selectionBar}
				>
					<BulkActions isInView={list.isInView} onOpen={kind => openBulk(kind, selection.guids)} />
				</ComputersSelection>
			)}
			<ListDialogs opened={opened} list={list} onClose={() => setOpened(null)} />
		</Screen>
	)
}

function useComputersScreen() {
	const list = useList()
	const {search, change, filter, views, rows, facets, matching, selection} = list
	const filterBox = useRef<HTMLInputElement>(null)
	const selectionBar = useRef<HTMLDivElement>(null)
	const [opened, setOpened] = useState<Open | null>(null)
	const facetsShown = useFacetsSwitch(1200)
	const openScreen = useOpenScreen(list)
	const duplicates = useDuplicates(list)
	const announce = useAnnounce()
	const {client} = useApi()
	const ask = (guid: string, what: Asked['what']) => setOpened({kind: 'asked', asked: {guid, what}})
	const toExport = () => setOpened({kind: 'export'})
	const openBulk = useUi(ui => ui.openBulk)
	const label = () => {
		const current = list.cursor.current()
		const acted = list.acted()
		const guids = acted.length > 0 ? acted : current === undefined ? [] : [current]
		if (guids.length === 0) announce(moveFirst(selection.size))
		else setOpened({kind: 'labels', guids})
	}
	/** The first selected row, among all computers. */
	const showSelected = async () => {
		const [first] = selection.guids
		if (first === undefined) return
		filter.set('')
		const asked = {...list.question, filter: '', guid: first}
		const index = await client.computers.position(asked).catch(() => -1)
		if (index < 0) announce('None of the selected computers is in the list')
		else list.table.current?.goTo(index)
	}
	const menu = useComputersMenu({list, openScreen, ask, setOpened})
	const onCurrent = useAtCursor(list.cursor.current, () => moveFirst(selection.size))
	const copy = useCopy()
	const act = (what: Parameters<typeof openScreen>[1]) => onCurrent(guid => openScreen(guid, what))
	const askAbout = (what: Asked['what']) => onCurrent(guid => ask(guid, what))
	/** With a visible selection the key applies to it; otherwise to the computer at the cursor. */
	const orBulk = (kind: Parameters<typeof openBulk>[0], one: () => void) => () =>
		list.acted().length > 0 ? openBulk(kind, selection.guids) : one()
	useKeys({
		'list.filter': () => filterBox.current?.focus(),
		'computers.isolate': orBulk('isolate', act('isolate')),
		'computers.release': orBulk('release', act('release')),
		'computers.trajectory': act('trajectory'),
		'computers.move': orBulk('move', askAbout('move')),
		'computers.copyAs': askAbout('copy'),
		'computers.note': askAbout('note'),
		'computers.copy': onCurrent(guid => copy('GUID', guid)),
		'computers.labels': label,
		'computers.duplicates': onCurrent(guid => void duplicates(guid)),
		'computers.facets': facetsShown.toggle,
		'computers.export': toExport,
		'computers.selection': selection.size > 0 && (() => selectionBar.current?.querySelector('button')?.focus())
	})
	return {
		...{list, search, change, filter, views, rows, facets, matching, selection, facetsShown, filterBox, selectionBar},
		...{opened, setOpened, openScreen, ask, toExport, openBulk, showSelected, menu}
	}
}

function moveFirst(selected: number) {
	return selected === 0 ? 'Go to a computer first' : 'The selection is out of view: go to a computer first'
}

function useOpenScreen({filter}: ComputersList) {
	const navigate = useNavigate()
	return (guid: string, act?: 'isolate' | 'release' | 'trajectory') => {
		filter.settle()
		const search = act === undefined ? {} : act === 'trajectory' ? ({tab: act} as const) : {act}
		void navigate({to: '/computers/$guid', params: {guid}, search})
	}
}

/** Filters for computers with the same MAC, or without one, the same name. */
function useDuplicates({filter, question}: ComputersList) {
	const {client} = useApi()
	const announce = useAnnounce()
	return async (guid: string) => {
		const detail = await client.computers.detail({connection: question.connection, guid}).catch(() => null)
		if (detail === null) return announce('This computer is not in local data')
		const {hostname, macs} = detail.row
		const byMac = macs[0] === undefined ? '' : `mac=${macs[0]}`
		const shared = byMac === '' ? [] : await client.computers.guids({...question, filter: byMac}).catch(() => [])
		filter.set(shared.length > 1 ? byMac : `name=${quoteText(hostname)}`)
	}
}

/** Asset hygiene, as filters with their names. */
const views: Readonly<Record<string, readonly (readonly [filter: string, label: string])[]>> = {
	Stale: [
		['last_seen>30d', 'Not seen for 30 days'],
		['last_seen>90d', 'Not seen for 90 days'],
		['last_seen:empty', 'Never seen'],
		['active:no', 'Connector no longer installed']
	],
	Duplicates: [
		['duplicate:yes', 'Same name as another computer'],
		['duplicate_mac:yes', 'Same MAC as another computer']
	],
	Records: [
		['group:empty', 'In no group'],
		['mac:empty', 'Without a MAC'],
		['guess:server,dc,hypervisor,infra,jump role:empty', 'Probably important, no role given'],
		['odd:yes', 'Not as the service documents it'],
		['vanished:yes', 'No longer listed by the service']
	]
}

/** Views of stale, duplicate or odd computers: each is a filter that can be edited. */
function HygieneMenu({filter, onFilter}: {filter: string; onFilter: (filter: string) => void}) {
	const [isOpen, setOpen] = useState(false)
	useKey('computers.hygiene', () => setOpen(true))
	const groups: readonly MenuGroup[] = Object.entries(views).map(([title, entries]) => ({
		title,
		entries: entries.map(([id, label]) => ({id, label, detail: id, isChecked: id === filter}))
	}))
	return <Menu label={t.assetHygiene} groups={groups} onAction={onFilter} isOpen={isOpen} onOpenChange={setOpen} />
}

function ListDialogs({opened, list, onClose}: {opened: Open | null; list: ComputersList; onClose: () => void}) {
	const {views, selection, question, matching} = list
	if (opened === null) return null
	switch (opened.kind) {
		case 'asked':
			return <AskedDialog asked={opened.asked} onClose={onClose} />
		case 'labels':
			return <LabelsDialog guids={opened.guids} onClose={onClose} />
		case 'refresh':
			return <RefreshDialog guids={selection.guids} onClose={onClose} />
		case 'columns':
			return (
				<ColumnsDialog
					columns={views.columns}
					fitting={list.fitting}
					view={views.current?.name ?? null}
					onChange={views.setColumns}
					onClose={onClose}
				/>
			)
		case 'export':
			return <ExportDialog question={question} matching={matching} columns={views.columns} selected={selection.guids} onClose={onClose} />
	}
}

interface ComputersTableProps {
	list: ComputersList
	onOpen: (row: ComputerRow) => void
	menu: (row: ComputerRow) => RowActs
}

/** The rows, with the columns of the view or of the list without one. */
function ComputersTable({list, onOpen, menu}: ComputersTableProps) {
	const {rows, search, change, views, question, filter, selection, cursor} = list
	const setLastCommand = useUi(ui => ui.setLastCommand)
	// Beside the side panel default columns are dropped; chosen ones scroll.
	const yielding = search.peek !== undefined || areDefault(views.columns)
	const columns = useMemo(() => columnsOf(views.columns, yielding), [views.columns, yielding])
	const all = rows.newest?.all ?? 0
	return (
		<div className={styles.table} data-shown={rows.isPrevious ? undefined : JSON.stringify(question)}>
			<DataTable
				key={views.current?.id ?? ''}
				label={t.computers}
				source={rows.source}
				columns={columns}
				rowKey={row => row.guid}
				describe={describeComputer}
				sort={question.sort}
				onSort={list.sortBy}
				selection={selection.asSet}
				onSelectionChange={selection.replace}
				onSelectionInView={list.setInView}
				onSelectAll={() => void list.selectAll()}
				onOpen={onOpen}
				menu={menu}
				isPeeking={search.peek !== undefined}
				onPeek={row => change({peek: row.guid === search.peek ? undefined : row.guid})}
				onCursor={row => {
					cursor.set(row?.guid)
					if (row === undefined) return
					setLastCommand(`svc_get_computer_by_connector connector_guid=${row.guid}`)
					if (search.peek !== undefined) change({peek: row.guid})
				}}
				onWidths={widths => views.setColumns(withWidths(views.columns, widths))}
				rowTone={row => (row.vanishedAt === null ? undefined : 'struck')}
				isBusy={rows.isBusy}
				empty={<NoRows error={rows.error} onRetry={rows.retry} filter={filter} all={all} />}
				onFit={list.setFitting}
				handle={list.table}
			/>
		</div>
	)
}

function withWidths(columns: readonly string[], widths: Readonly<Record<string, number>>) {
	return writeColumns(readColumns(columns).map(({column, width}) => ({column, width: widths[column] ?? width})))
}

/** Shown once the computer is loaded from the local copy. */
function AskedDialog({asked, onClose}: {asked: Asked; onClose: () => void}) {
	const {data} = useAskedHere(q => q.computers.detail, {guid: asked.guid})
	if (data === undefined || data === null) return null
	const {row} = data
	if (asked.what === 'copy') return <CopyAsDialog row={row} onClose={onClose} />
	if (asked.what === 'note') return <NoteDialog target={{guid: row.guid, label: row.hostname}} onClose={onClose} />
	return <MoveComputerDialog request={row} onClose={onClose} />
}
