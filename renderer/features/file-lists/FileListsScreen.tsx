import {useNavigate} from '@tanstack/react-router'
import {type ReactNode, useMemo, useRef} from 'react'

import type {FileListRow} from '#contract/directory.ts'
import {itemsKnown} from '#model/file-list.ts'
import {errorFromReport, type ErrorReport} from '#contract/errors.ts'
import {formatCount} from '#text/numbers.ts'
import {useActiveConnection, useComputersCount, useWriteRefusal} from '#api/hooks.tsx'
import {refreshPrice} from '#commands/directory/directory-words.ts'
import {DirectoryBanner} from '#commands/directory/DirectoryBanner.tsx'
import {DirectoryBar} from '#commands/directory/DirectoryBar.tsx'
import {type DirectoryRefresh, useDirectoryRefresh} from '#commands/directory/use-directory.ts'
import {useAddress} from '#kit/use-address.ts'
import {Button, Link} from '#ui/Button.tsx'
import {EmptyState, ScreenErrorState, LocalDataError} from '#ui/States.tsx'
import {useKeys} from '#ui/keys/KeyRegistry.tsx'
import {Screen} from '#ui/Screen.tsx'
import {DataTable} from '#ui/table/DataTable.tsx'
import {RowLink} from '#ui/table/RowLink.tsx'
import type {DataTableProps, TableColumn} from '#ui/table/types.ts'
import {Time} from '#ui/Time.tsx'
import {WebConsole} from '#ui/WebConsole.tsx'
import {AddDialog} from './AddDialog.tsx'
import styles from './FileLists.module.css'
import {Receipts} from './Receipts.tsx'
import {SearchBox} from './SearchBox.tsx'
import {t} from './text.ts'
import {type FileListsCopy, useFileLists} from './use-lists.ts'
import {countWords, coveredWords, kindWords, shownKinds} from './words.ts'

/** All file lists, the two kinds side by side. */
export function FileListsScreen() {
	const {search, change} = useAddress('/file-lists')
	const copy = useFileLists()
	const reading = useDirectoryRefresh()
	const lock = useWriteRefusal()
	const box = useRef<HTMLInputElement>(null)
	const refreshButton = useRef<HTMLButtonElement>(null)
	const marked = useRef<{kind: string; guid: string | null}>(undefined)
	const add = () => change({act: 'add'})
	useKeys({'list.filter': () => box.current?.focus(), 'fileLists.add': add, 'fileLists.refresh': () => refreshButton.current?.focus()})
	const lists = copy.items ?? []
	const name = search.name ?? ''
	const shown = useMemo(() => (copy.items ?? []).filter(list => fits(list, name)), [copy.items, name])
	return (
		<Screen>
			<DirectoryBar
				title={t.fileLists}
				state={copy.state}
				count={<span>{t.lists(formatCount(lists.length))}</span>}
				isUnread={lists.length === 0 && copy.unlisted.length !== 0}
				details={{read: lists.filter(({policies}) => policies !== null).length, of: lists.length}}
				reading={reading}
				refreshButton={refreshButton}
			>
				<Button onPress={add} lock={lock} opens keys="a">
					{t.addAHash}
				</Button>
			</DirectoryBar>
			<div className="tools">
				<SearchBox
					label={t.filterTheLists}
					placeholder={t.partName}
					value={name}
					onChange={text => change({name: text === '' ? undefined : text})}
					inputRef={box}
				/>
			</div>
			<DirectoryBanner state={copy.state} what={t.fileListsInline} isEmpty={lists.length === 0} onRefresh={reading.refresh} />
			<Receipts />
			<Body
				copy={copy}
				reading={reading}
				shown={shown}
				name={name}
				onShowAll={() => change({name: undefined})}
				onCursor={(kind, list, byRows) => {
					// A row that vanishes from one table, or comes back to it, leaves the mark of another.
					if (!byRows || marked.current?.kind === kind) marked.current = {kind, guid: list?.guid ?? null}
				}}
			/>
			{search.act !== undefined && (
				<AddDialog blocks={search.act === 'block'} list={marked.current?.guid ?? null} hash="" onClose={() => change({act: undefined})} />
			)}
		</Screen>
	)
}

function fits(list: FileListRow, name: string) {
	return list.name.toLowerCase().includes(name.trim().toLowerCase())
}

interface BodyProps {
	copy: FileListsCopy
	reading: DirectoryRefresh
	shown: readonly FileListRow[]
	name: string
	onShowAll: () => void
	onCursor: (kind: string, list: FileListRow | undefined, byRows: boolean) => void
}

function Body({copy, reading, shown, name, onShowAll, onCursor}: BodyProps) {
	const {items, unlisted, state, error, retry} = copy
	const navigate = useNavigate()
	const computers = useComputersCount()
	if (error !== null && items === undefined) return <LocalDataError error={error} onRetry={retry} />
	const isBegun = state !== undefined && (state.phase === 'empty' || state.phase === 'loading')
	const isWaiting = items === undefined || (items.length === 0 && (isBegun || reading.isRefreshing))
	if (!isWaiting && items.length === 0) return <Nothing copy={copy} reading={reading} />
	const has = (kind: string) => items?.some(({type}) => type === kind) === true
	const others = [...new Set(shown.map(({type}) => type))].filter(type => !shownKinds.some(kind => kind === type))
	return (
		<div className={styles.kinds}>
			{[...shownKinds, ...others].map(kind => (
				<ListTable
					key={kind}
					title={kindWords(kind).title}
					name={name}
					lists={shown.filter(({type}) => type === kind)}
					computers={computers}
					isWaiting={isWaiting || (isBegun && unlisted.includes(kind) && !has(kind))}
					onOpen={({guid}) => void navigate({to: '/file-lists/$guid', params: {guid}, search: {}})}
					onCursor={(list, _index, byRows = false) => onCursor(kind, list, byRows)}
					empty={
						name === '' || !has(kind) ? (
							<NoneOfKind error={(unlisted.includes(kind) && state?.error) || null} reading={reading} />
						) : (
							<EmptyState title={t.noListMatches} act={[t.showAll, onShowAll]}>
								{t.noListKindName(name)}
							</EmptyState>
						)
					}
				/>
			))}
		</div>
	)
}

/** A kind whose listing failed may still have lists. */
function NoneOfKind({error, reading}: {error: ErrorReport | null; reading: DirectoryRefresh}) {
	if (error !== null) return <ScreenErrorState error={errorFromReport(error)} title={t.noListKind} onRetry={() => reading.refresh()} />
	return (
		<EmptyState title={t.noListOfThisKind}>
			<MadeElsewhere />
		</EmptyState>
	)
}

function MadeElsewhere(): ReactNode {
	const {url} = useActiveConnection()
	return (
		<>
			{t.createLists}{' '}
			<WebConsole server={url} without={null}>
				{t.open}
			</WebConsole>
		</>
	)
}

function Nothing({copy: {unlisted, state}, reading}: {copy: FileListsCopy; reading: DirectoryRefresh}) {
	const read = () => reading.refresh()
	if (unlisted.length !== 0 && state?.error != null)
		return <ScreenErrorState error={errorFromReport(state.error)} title={t.couldNotLoadFile} onRetry={read} />
	return (
		<EmptyState title={state?.phase === 'empty' ? t.fileListsNot : t.noFileLists} act={[t.refreshFor(refreshPrice(state, false)), read]}>
			<MadeElsewhere /> {t.groupsPolicies} <Link href="/computers">{t.computersInline}</Link> {t.nameThem}
		</EmptyState>
	)
}

interface ListTableProps {
	title: string
	name: string
	lists: readonly FileListRow[]
	/** All computers of the local copy; `null` before they are counted. */
	computers: number | null
	isWaiting: boolean
	onOpen: (list: FileListRow) => void
	onCursor: NonNullable<DataTableProps<FileListRow>['onCursor']>
	empty: ReactNode
}

/** The lists of one kind. */
function ListTable({title, name, lists, computers, isWaiting, onOpen, onCursor, empty}: ListTableProps) {
	const navigate = useNavigate()
	const columns = useMemo(() => columnsOf(computers), [computers])
	return (
		<section className={styles.kind} aria-label={title}>
			<h2 className={styles.kindTitle}>
				{title} <span className="quiet">{isWaiting ? '' : formatCount(lists.length)}</span>
			</h2>
			<div className={styles.kindTable}>
				<DataTable
					label={title}
					source={isWaiting ? undefined : lists}
					skeletons={5}
					columns={columns}
					rowKey={list => list.guid}
					list={name}
					describe={list => describe(list, computers)}
					onOpen={onOpen}
					menu={({guid, name}) => ({
						title: name,
						acts: [[t.edit, () => void navigate({to: '/file-lists/$guid/edit', params: {guid}, search: {}})]],
						copies: [
							['name', name],
							[t.guid, guid]
						]
					})}
					onCursor={onCursor}
					rowTone={list => (list.vanishedAt === null ? undefined : 'struck')}
					isBusy={isWaiting}
					empty={empty}
				/>
			</div>
		</section>
	)
}

function columnsOf(computers: number | null): readonly TableColumn<FileListRow>[] {
	return [
		{
			id: 'name',
			title: 'Name',
			width: 200,
			look: 'name',
			cell: ({guid, name}) => (
				<RowLink href={`/file-lists/${guid}`} title={name}>
					{name}
				</RowLink>
			)
		},
		{id: 'items', title: 'Hashes', width: 70, align: 'end', cell: list => <Hashes list={list} />},
		{
			id: 'policies',
			title: 'Policies',
			width: 68,
			align: 'end',
			yields: 1,
			cell: ({policies}) => (policies === null ? '?' : formatCount(policies.length))
		},
		{id: 'covered', title: 'Enforced on', width: 120, align: 'end', cell: list => <Covered covered={list.covered} computers={computers} />},
		{id: 'read', title: 'Hashes loaded', width: 102, yields: 2, look: 'dim', cell: ({itemsRead}) => <Time at={itemsRead.at} unknown="never" />}
	]
}

function Hashes({list}: {list: FileListRow}) {
	const known = itemsKnown(list)
	return (
		<span title={titles[known]}>
			{list.problem !== null && (
				<span className={styles.warn} role="img" aria-label={t.couldNotAll} title={list.problem.message}>
					▲{' '}
				</span>
			)}
			{countWords(list)}
		</span>
	)
}

const titles = {
	never: 'The service’s number; the hashes have not been loaded yet',
	reading: 'Loading the hashes',
	part: 'Not all hashes could be loaded',
	whole: 'All hashes were loaded'
} as const

function Covered({covered, computers}: {covered: number | null; computers: number | null}) {
	if (covered === null) return <span title={t.policiesSay}>?</span>
	if (computers === null) return <span title={t.computersNotLoaded}>?</span>
	return <span className={covered === 0 && computers > 0 ? styles.warn : undefined}>{coveredWords(covered, computers)}</span>
}

function describe(list: FileListRow, computers: number | null) {
	const parts = [
		list.name,
		`hashes: ${countWords(list)}`,
		`policies: ${list.policies === null ? 'not loaded' : list.policies.length}`,
		`enforced on: ${coveredWords(list.covered, computers)} computers`,
		list.vanishedAt === null ? null : 'deleted elsewhere'
	]
	return parts.filter(part => part !== null).join(', ')
}
