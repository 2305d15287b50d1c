import {useMutation} from '@tanstack/react-query'
import {useNavigate, useParams, useSearch} from '@tanstack/react-router'
import {type RefObject, useEffect, useEffectEvent, useRef, useState} from 'react'

import type {FileListRow} from '#contract/directory.ts'
import type {DraftRow, DraftState, DraftView} from '#model/list-draft.ts'
import {counted, formatCount} from '#text/numbers.ts'
import {Failure} from '#commands/Failure.tsx'
import {unseen} from '#ui/cx.ts'
import {useAnnounce} from '#ui/Announcer.tsx'
import {Banner, EmptyState, ErrorState, LoadingScreen} from '#ui/States.tsx'
import {Button, Link} from '#ui/Button.tsx'
import {Chip, LookTag} from '#ui/Tag.tsx'
import {useKeys} from '#ui/keys/KeyRegistry.tsx'
import {Screen, ScreenBar} from '#ui/Screen.tsx'
import {DataTable} from '#ui/table/DataTable.tsx'
import type {TableColumn, TableHandle} from '#ui/table/types.ts'
import {ListBanner} from '../ListStates.tsx'
import {type ItemsReading, useFileLists, useReadItems} from '../use-lists.ts'
import {callWords, countWords, kindWords, readCalls} from '../words.ts'
import {CommitBar, LastCommit} from './CommitBar.tsx'
import {describeRow, viewsOf, operationWords, verdictWords} from './draft-words.ts'
import styles from './Editor.module.css'
import {EditorDialogs, type OpenDialog} from './EditorDialogs.tsx'
import {t} from './text.ts'
import {useCommitJob} from './use-commit-job.ts'
import {type DraftChanges, useDraft, useDraftChanges, useDraftRows} from './use-draft.ts'
import {firstFiles, usePasteAndDrop} from './use-paste-and-drop.ts'

/** Changes of one file list are collected here, reviewed, and committed as one job. Nothing is sent before. */
export function EditorScreen() {
	const {guid} = useParams({from: '/file-lists/$guid/edit'})
	const {items, error, retry} = useFileLists()
	const list = items?.find(each => each.guid === guid.toLowerCase())
	const {state, error: failed, retry: again} = useDraft(guid.toLowerCase())
	if (list !== undefined && state !== undefined) return <Editor key={list.guid} list={list} state={state} />
	const trouble = failed ?? error
	if (trouble !== null && trouble.code !== 'not_found')
		return (
			<ErrorState
				error={trouble}
				title={t.couldNotLoadDraft}
				onRetry={() => {
					void retry()
					void again()
				}}
			/>
		)
	if (items === undefined || (list !== undefined && failed === null)) return <LoadingScreen label={t.loadingTheDraft} />
	return (
		<EmptyState title={t.listNotFound}>
			{t.listDeleted} <Link href="/file-lists">{t.allFileLists}</Link>.
		</EmptyState>
	)
}

interface EditorProps {
	list: FileListRow
	state: DraftState
}

function useDropping(drop: DraftChanges['drop'], isEmpty: boolean, onDropped: (keys: ReadonlySet<string>) => void) {
	const announce = useAnnounce()
	const dropping = useMutation({
		mutationFn: drop,
		onSuccess: (_state, keys) => {
			onDropped(new Set(keys))
			announce('Taken out of the draft')
		}
	})
	// A failed removal is over once nothing is left to remove.
	const leave = useEffectEvent(() => void (dropping.isPending || dropping.reset()))
	useEffect(() => void (isEmpty && leave()), [isEmpty])
	return dropping
}

function Editor({list, state}: EditorProps) {
	const {view = 'all'} = useSearch({from: '/file-lists/$guid/edit'})
	const navigate = useNavigate({from: '/file-lists/$guid/edit'})
	const changes = useDraftChanges(list.guid)
	const reading = useReadItems(list)
	const job = useCommitJob(state.job)
	const [open, setOpen] = useState<OpenDialog | null>(null)
	const [selection, setSelection] = useState<ReadonlySet<string>>(new Set())
	const [isInView, setInView] = useState(true)
	const current = useRef<DraftRow | undefined>(undefined)
	const picker = useRef<HTMLInputElement>(null)
	const isDropping = usePasteAndDrop(setOpen)
	const table = useRef<TableHandle>(null)
	/** An invisible selection never takes a key. */
	const chosen = (): readonly string[] =>
		table.current?.showsSelection() === true ? [...selection] : current.current === undefined ? [] : [current.current.key]
	const dropping = useDropping(changes.drop, state.rows === 0, gone => setSelection(old => new Set([...old].filter(key => !gone.has(key)))))
	const selecting = useMutation({mutationFn: changes.keysOf, onSuccess: keys => setSelection(new Set(keys))})
	useEditorKeys({
		open: setOpen,
		chosen,
		current: () => current.current,
		drop: dropping.mutate,
		pickFiles: () => picker.current?.click(),
		close: () => void navigate({to: '/file-lists/$guid', params: {guid: list.guid}, search: {}}),
		clear: selection.size > 0 ? () => setSelection(new Set()) : null
	})
	return (
		<Screen scrolls>
			<TopBar list={list} reading={reading} onOpen={setOpen} onFiles={() => picker.current?.click()} />
			<input
				ref={picker}
				type="file"
				multiple
				hidden
				aria-label={t.filesStage}
				onChange={event => {
					const files = [...(event.currentTarget.files ?? [])]
					event.currentTarget.value = ''
					if (files.length > 0) setOpen({kind: 'files', ...firstFiles(files)})
				}}
			/>
			<ListBanner list={list} reading={reading} />
			<Unread list={list} state={state} reading={reading} />
			{job !== undefined && <LastCommit job={job} onOpen={setOpen} />}
			<div className="tools" role="group" aria-label={t.rowsShown}>
				{viewsOf(state).map(tab => (
					<Chip
						key={tab.view}
						tone={tab.view === view ? 'accent' : 'plain'}
						onPress={() => void navigate({search: {view: tab.view}, replace: true})}
					>
						{tab.title} {formatCount(tab.count)}
						{tab.view === view && <span className={unseen}> {t.shown}</span>}
					</Chip>
				))}
			</div>
			<Rows
				table={table}
				list={list}
				view={view}
				count={viewsOf(state).find(tab => tab.view === view)?.count ?? 0}
				selection={selection}
				onSelection={setSelection}
				onSelectionInView={setInView}
				onSelectAll={() => selecting.mutate(view)}
				onCurrent={row => (current.current = row)}
				onOpen={setOpen}
			/>
			<Failure error={dropping.error} />
			<Failure error={selecting.error} />
			<SelectionBar {...{selection, isInView}} onOpen={setOpen} onDrop={dropping.mutate} onClear={() => setSelection(new Set())} />
			<CommitBar list={list} state={state} onOpen={setOpen} />
			{isDropping && <p className={styles.dropping}>{t.dropFilesHashes}</p>}
			<EditorDialogs list={list} state={state} open={open} changes={changes} onOpen={setOpen} onClose={() => setOpen(null)} />
		</Screen>
	)
}

interface TopBarProps {
	list: FileListRow
	reading: ItemsReading
	onOpen: (dialog: OpenDialog) => void
	onFiles: () => void
}

function TopBar({list, reading, onOpen, onFiles}: TopBarProps) {
	return (
		<ScreenBar
			within={{list: list.name, href: `/file-lists/${list.guid}`}}
			title={t.edit(list.name)}
			facts={<>{t.hashesOf(kindWords(list.type).one, countWords(list), reading.isReading ? t.loadingTitle : '')}</>}
		>
			<Button onPress={() => onOpen({kind: 'difference'})} opens keys="d">
				{t.compareMore}
			</Button>
			<Button onPress={onFiles} keys="o">
				{t.filesMore}
			</Button>
			<Button tone="primary" onPress={() => onOpen({kind: 'stage', name: 'typed', text: ''})} opens keys="a">
				{t.stageHashes}
			</Button>
		</ScreenBar>
	)
}

function Unread({list, state, reading}: EditorProps & {reading: ItemsReading}) {
	if (state.listRead || list.vanishedAt !== null) return null
	return (
		<Banner tone="warning" act={[t.loadTheList(callWords(readCalls(list))), reading.read, reading.isReading ? t.loadingTheList : null]}>
			{reading.isReading ? t.loadingList : t.listNotFully}
		</Banner>
	)
}

interface RowsProps {
	table: RefObject<TableHandle | null>
	list: FileListRow
	view: DraftView
	count: number
	selection: ReadonlySet<string>
	onSelection: (selection: ReadonlySet<string>) => void
	onSelectionInView: (isInView: boolean) => void
	onSelectAll: () => void
	onCurrent: (row: DraftRow | undefined) => void
	onOpen: (dialog: OpenDialog) => void
}

function Rows({table, list, view, count, selection, onSelection, onSelectionInView, onSelectAll, onCurrent, onOpen}: RowsProps) {
	const rows = useDraftRows(list.guid, view)
	const passed = useRef(view)
	// Another row may stand at the mark: keys are about that one. Another view begins without a mark.
	useEffect(() => {
		if (passed.current === view) table.current?.pass()
		passed.current = view
	}, [rows, table, view])
	return (
		<div className={styles.body}>
			<div className={styles.table}>
				<DataTable
					label={t.stagedRows}
					source={rows}
					columns={draftColumns}
					rowKey={({key}) => key}
					list={view}
					describe={describeRow}
					selection={selection}
					onSelectionChange={onSelection}
					onSelectionInView={onSelectionInView}
					onSelectAll={onSelectAll}
					onOpen={row => onOpen({kind: 'row', keys: [row.key], row})}
					onPeek={row => onOpen({kind: 'row', keys: [row.key], row})}
					onCursor={onCurrent}
					handle={table}
					rowTone={({verdict}) => (verdict === 'refused' ? 'bad' : undefined)}
					isBusy={rows.isFirstLoad || rows.isPrevious}
					empty={
						rows.error === null ? (
							count === 0 && <Nothing view={view} onOpen={onOpen} />
						) : (
							<ErrorState error={rows.error} title={t.couldNotLoadDraft} onRetry={rows.retry} />
						)
					}
				/>
			</div>
		</div>
	)
}

function Nothing({view, onOpen}: Pick<RowsProps, 'view' | 'onOpen'>) {
	if (view !== 'all') return <EmptyState title={t.noStagedRowView}>{t.chooseAllSee}</EmptyState>
	return (
		<EmptyState
			title={t.nothingIsStaged}
			action={
				<Button onPress={() => onOpen({kind: 'stage', name: 'typed', text: ''})} opens keys="a">
					{t.stageHashes}
				</Button>
			}
		>
			{t.typePasteHashes}
		</EmptyState>
	)
}

interface SelectionBarProps {
	selection: ReadonlySet<string>
	/** Without any row of it in view, keys are about the marked row. */
	isInView: boolean
	onOpen: (dialog: OpenDialog) => void
	onDrop: (keys: readonly string[]) => void
	onClear: () => void
}

function SelectionBar({selection, isInView, onOpen, onDrop, onClear}: SelectionBarProps) {
	if (selection.size === 0) return null
	const keys = [...selection]
	return (
		<div className={styles.selection} role="group" aria-label={t.selectedRows}>
			<b>{t.selected(formatCount(keys.length))}</b>
			{!isInView && <span className="quiet">{t.outOfView(counted(keys.length, ['selected row is', 'selected rows are']))}</span>}
			<Button small onPress={() => onOpen({kind: 'row', keys, row: undefined})} opens {...(isInView && {keys: 'n'})}>
				{t.noteAndReason}
			</Button>
			<Button small onPress={() => onOpen({kind: 'prevalence', keys})} opens {...(isInView && {keys: 'p'})}>
				{t.checkPrevalence(callWords(keys.length))}
			</Button>
			<Button small onPress={() => onDrop(keys)} {...(isInView && {keys: 'Delete'})}>
				{t.removeFromDraft}
			</Button>
			<Button small tone="quiet" onPress={onClear}>
				{t.clearSelection}
			</Button>
		</div>
	)
}

interface EditorKeys {
	open(dialog: OpenDialog): void
	/** The selection that is in view, otherwise the row at the cursor. */
	chosen(): readonly string[]
	current(): DraftRow | undefined
	drop(keys: readonly string[]): void
	pickFiles(): void
	close(): void
	/** `null` without a selection. */
	clear: (() => void) | null
}

/** No key sends anything: keys open dialogs, and one removes rows from the draft. */
function useEditorKeys(keys: EditorKeys) {
	const announce = useAnnounce()
	const withRows = (act: (chosen: readonly string[]) => void) => () => {
		const chosen = keys.chosen()
		if (chosen.length === 0) announce('Go to a row first')
		else act(chosen)
	}
	useKeys({
		'listEditor.add': () => keys.open({kind: 'stage', name: 'typed', text: ''}),
		'listEditor.files': keys.pickFiles,
		'listEditor.difference': () => keys.open({kind: 'difference'}),
		'listEditor.note': withRows(chosen => {
			const row = keys.current()
			const isOne = chosen.length === 1 && row?.key === chosen[0]
			keys.open({kind: 'row', keys: chosen, row: isOne ? row : undefined})
		}),
		'listEditor.prevalence': withRows(chosen => keys.open({kind: 'prevalence', keys: chosen})),
		'listEditor.drop': withRows(keys.drop),
		'listEditor.preview': () => keys.open({kind: 'preview'}),
		'listEditor.commit': () => keys.open({kind: 'commit'}),
		'listEditor.discard': () => keys.open({kind: 'discard'}),
		'listEditor.close': keys.clear ?? keys.close
	})
}

const draftColumns: readonly TableColumn<DraftRow>[] = [
	{id: 'operation', title: 'Change', width: 92, cell: ({operation}) => <Operation operation={operation} />},
	{
		id: 'sha256',
		title: 'SHA-256',
		width: 190,
		look: 'mono',
		cell: ({key, operation}) => (
			<span title={key} data-operation={operation} className={styles.hash}>
				{key}
			</span>
		)
	},
	{id: 'verdict', title: 'State', width: 144, cell: ({verdict}) => <LookTag {...verdictWords[verdict]} />},
	{id: 'marks', title: 'Findings', width: 240, cell: row => <Marks row={row} />},
	{id: 'note', title: 'Note', width: 130, yields: 1, cell: ({note}) => note},
	{id: 'reason', title: 'Reason', width: 110, yields: 2, cell: ({reason}) => reason},
	{
		id: 'prevalence',
		title: 'Seen on',
		width: 72,
		align: 'end',
		yields: 3,
		cell: ({prevalence}) => <span title={t.computersReported}>{prevalence === null ? '?' : formatCount(prevalence)}</span>
	},
	{id: 'source', title: 'From', width: 130, look: 'dim', yields: 4, cell: ({source, place}) => (place === null ? source : `${source}, ${place}`)}
]

function Operation({operation}: Pick<DraftRow, 'operation'>) {
	const {sign, word} = operationWords[operation]
	return (
		<span className={styles.operation} data-operation={operation}>
			<b aria-hidden>{sign}</b> {word}
		</span>
	)
}

function Marks({row: {marks, result}}: {row: DraftRow}) {
	const words = [...(result === null ? [] : [`Last commit: ${result}`]), ...marks.map(({message}) => message)]
	return <span title={words.join('\n')}>{words.join(' ')}</span>
}
