import {useNavigate} from '@tanstack/react-router'
import {useMemo, useRef, useState} from 'react'

import type {FileListItemRow, FileListRow} from '#contract/directory.ts'
import {formatCount} from '#text/numbers.ts'
import {useWriteRefusal, useAskedHere} from '#api/hooks.tsx'
import {useCursor} from '#commands/filter/use-cursor.ts'
import {useLateAddress} from '#commands/filter/use-late-address.ts'
import {Button, useCopy, Link} from '#ui/Button.tsx'
import {EmptyState, Unloaded} from '#ui/States.tsx'
import {useAtCursor, useKeys} from '#ui/keys/KeyRegistry.tsx'
import {KeyValue, copiedFact} from '#ui/Facts.tsx'
import {SidePanel, SidePanelActions, SidePanelHeader} from '#ui/SidePanel.tsx'
import {DataTable} from '#ui/table/DataTable.tsx'
import type {TableHandle} from '#ui/table/types.ts'
import {Card, ScreenBody} from '#ui/Screen.tsx'
import styles from './FileLists.module.css'
import {describeItem, itemColumnsOf} from './item-columns.tsx'
import {factsOfItem, factsOfSeen} from './item-facts.tsx'
import {NoItems} from './ListStates.tsx'
import {type FileListSearch, itemSorts} from './search.ts'
import {SearchBox} from './SearchBox.tsx'
import {t} from './text.ts'
import {type ItemsQuestion, questionOf, useItems, useLocate} from './use-items.ts'
import type {ItemsReading} from './use-lists.ts'

interface ItemsTabProps {
	list: FileListRow
	search: FileListSearch
	change: (next: Partial<FileListSearch>) => void
	reading: ItemsReading
	/** The first listings are loading. */
	isBeginning: boolean
	onAdd: () => void
	onRemove: (item: FileListItemRow) => void
	onCopyAs: (item: FileListItemRow) => void
}

/** The items of a list: search, order, rows, and a side panel. */
export function ItemsTab(props: ItemsTabProps) {
	const it = useItemsTab(props)
	const {list, search, change, reading, onAdd, onRemove} = props
	const {ask, question, rows, box, table, currentRow, lock} = it
	const {columns, cursor, waiting, matching, open} = it
	return (
		<>
			<div className="tools">
				<SearchBox
					label={t.searchHashes}
					placeholder={t.beginningHash}
					value={question.search}
					onChange={ask}
					inputRef={box}
					onLeave={() => table.current?.focus()}
				/>
				<span className="quiet" role="status">
					{question.search === '' || matching === undefined ? '' : t.match(formatCount(matching))}
					{rows.newest?.isOrdered === false && !rows.isPrevious ? t.tooManyOrdered : ''}
				</span>
			</div>
			<ScreenBody>
				<div className={styles.table} data-shown={rows.isPrevious ? undefined : JSON.stringify(question)}>
					<DataTable
						label={t.hashes}
						source={waiting ? undefined : rows}
						columns={columns}
						rowKey={row => row.sha256}
						describe={describeItem}
						sort={{column: question.sort, descending: question.descending}}
						onSort={column => change(sortedBy(column, question))}
						onOpen={({sha256}) => open(sha256)}
						menu={item => ({
							title: item.seen.names[0] ?? item.sha256,
							acts: [
								[t.removeMore, () => onRemove(item), lock],
								[t.copyAsMore, () => props.onCopyAs(item)]
							],
							copies: [['hash', item.sha256]]
						})}
						isPeeking={search.item !== undefined}
						onPeek={({sha256}) => change({item: sha256 === search.item ? undefined : sha256})}
						onCursor={row => {
							cursor.set(row?.sha256)
							currentRow.current = row
							if (row !== undefined && search.item !== undefined) change({item: row.sha256})
						}}
						rowTone={() => (list.vanishedAt === null ? undefined : 'struck')}
						isBusy={rows.isPrevious || waiting}
						empty={
							<NoItems
								list={list}
								reading={reading}
								error={rows.error}
								onRetry={rows.retry}
								search={question.search}
								onShowAll={() => ask('')}
								onAdd={onAdd}
							/>
						}
						handle={table}
					/>
				</div>
				{search.item !== undefined && (
					<ItemPeek
						guid={list.guid}
						sha256={search.item}
						onClose={() => change({item: undefined})}
						onOpen={() => open(search.item ?? '')}
						onRemove={onRemove}
					/>
				)}
			</ScreenBody>
		</>
	)
}

function useItemsTab(props: ItemsTabProps) {
	const {list, search, change, reading, isBeginning, onRemove} = props
	const navigate = useNavigate()
	const inAddress = search.search ?? ''
	const [asked, setAsked] = useState(inAddress)
	const address = useLateAddress(inAddress, text => change({search: text === '' ? undefined : text}), setAsked)
	const ask = (text: string) => {
		setAsked(text)
		address.follow(text)
	}
	const question = {...questionOf(search), search: asked}
	const rows = useItems(list.guid, question)
	const box = useRef<HTMLInputElement>(null)
	const table = useRef<TableHandle>(null)
	const currentRow = useRef<FileListItemRow | undefined>(undefined)
	const locate = useLocate(list.guid)
	const lock = useWriteRefusal()
	const columns = useMemo(() => itemColumnsOf(list.guid), [list.guid])
	const revision = rows.isPrevious ? undefined : rows.newest?.revision
	const cursor = useCursor({question, revision, table, locate, passes: true})
	const atCursor = () => (cursor.current() === currentRow.current?.sha256 ? currentRow.current : undefined)
	const onItem = useAtCursor(atCursor, () => 'Go to a hash first')
	const copy = useCopy()
	useKeys({
		'list.filter': () => box.current?.focus(),
		'fileList.remove': onItem(onRemove),
		'fileList.copy': onItem(({sha256}) => copy('hash', sha256)),
		'fileList.copyAs': onItem(props.onCopyAs)
	})

	const nothingYet = list.itemsRead.read === 0 && list.problem === null
	const waiting = rows.isFirstLoad || (nothingYet && rows.count === 0 && (reading.isReading || isBeginning))
	const matching = rows.isPrevious ? undefined : rows.newest?.matching
	const open = (sha256: string) => {
		address.store(asked)
		void navigate({to: '/file-lists/$guid/$sha256', params: {guid: list.guid, sha256}, search: {}})
	}
	return {ask, question, rows, box, table, currentRow, lock, columns, cursor, waiting, matching, open}
}

/** The same column again reverses the order; the most seen come first. */
function sortedBy(column: string, {sort, descending}: ItemsQuestion): Partial<FileListSearch> {
	const next = itemSorts.find(each => each === column)
	if (next === undefined) return {}
	const turned = next === sort ? !descending : next === 'seen'
	return {sort: next === 'sha256' ? undefined : next, descending: turned ? true : undefined}
}

interface ItemPeekProps {
	guid: string
	sha256: string
	onClose: () => void
	onOpen: () => void
	onRemove: (item: FileListItemRow) => void
}

/** One item beside the list, from the local copy: no API call. */
function ItemPeek({guid, sha256, onClose, onOpen, onRemove}: ItemPeekProps) {
	const lock = useWriteRefusal()
	const hash = useAskedHere(q => q.directory.fileLists.hash, {sha256})
	const {data} = hash
	const own = data?.holding.find(({list}) => list.guid === guid)
	const others = data?.holding.filter(({list}) => list.guid !== guid) ?? []
	return (
		<SidePanel label={t.hashCursor} onClose={onClose}>
			{data === undefined ? (
				<Unloaded of={hash} lines={8} />
			) : own === undefined ? (
				<EmptyState title={t.noLongerList}>{t.localDataList}</EmptyState>
			) : (
				<>
					<SidePanelHeader title={data.seen.names[0] ?? `${sha256.slice(0, 12)}…`} name={sha256} />
					<SidePanelActions label={t.searchFurther}>
						<Button tone="primary" onPress={onOpen} keys="Enter">
							{t.openHash}
						</Button>
						<Button onPress={() => onRemove(own.item)} lock={lock} opens keys="Del">
							{t.remove}
						</Button>
					</SidePanelActions>
					<Card title={t.onThisList}>
						<KeyValue facts={[copiedFact('SHA-256', sha256, 'hash'), ...factsOfItem(own.item)]} />
					</Card>
					<Card title={t.seenStored}>
						<KeyValue facts={factsOfSeen(data.seen)} />
					</Card>
					{others.length !== 0 && (
						<Card title={t.otherLists}>
							{others.map(({list}) => (
								<p key={list.guid}>
									<Link href={`/file-lists/${list.guid}/${sha256}`}>{list.name}</Link>
								</p>
							))}
						</Card>
					)}
				</>
			)}
		</SidePanel>
	)
}
