import {useNavigate, useParams} from '@tanstack/react-router'
import {RefreshCw} from 'lucide-react'
import {type Ref, useMemo, useRef, useState} from 'react'

import type {FileListItemRow, FileListRow, ListAges} from '#contract/directory.ts'
import {itemsKnown} from '#model/file-list.ts'
import {CordonError, errorFromReport} from '#contract/errors.ts'
import {whole} from '#shared/streams.ts'
import {counted, formatCount} from '#text/numbers.ts'
import {nouns} from '#text/terms.ts'
import {useActiveConnection, useComputersCount, useWriteRefusal, useConnected, useAskedHere} from '#api/hooks.tsx'
import {csvFormat, ExportFrame} from '#commands/ExportFrame.tsx'
import {NoteDialog} from '#commands/NoteDialog.tsx'
import {useAddress} from '#kit/use-address.ts'
import {Banner, EmptyState, ScreenErrorState, Unloaded, LocalDataError, LoadingScreen} from '#ui/States.tsx'
import {Button, Link} from '#ui/Button.tsx'
import {type BarSeries, StackedBars} from '#ui/chart/StackedBars.tsx'
import {useFromNow, Time} from '#ui/Time.tsx'
import {useKey, useKeys} from '#ui/keys/KeyRegistry.tsx'
import {Screen, ScreenBar, Tabs} from '#ui/Screen.tsx'
import {AddDialog} from './AddDialog.tsx'
import {CopyItemDialog} from './CopyItemDialog.tsx'
import {CoverageTab} from './CoverageTab.tsx'
import styles from './FileLists.module.css'
import {ItemsTab} from './ItemsTab.tsx'
import {ListBanner} from './ListStates.tsx'
import {Receipts} from './Receipts.tsx'
import {RemoveDialog} from './RemoveDialog.tsx'
import type {FileListSearch} from './search.ts'
import {t} from './text.ts'
import {type ItemsQuestion, questionOf} from './use-items.ts'
import {type FileListsCopy, type ItemsReading, useFileLists, useReadItems} from './use-lists.ts'
import {callWords, countWords, coveredWords, kindWords, readCalls} from './words.ts'

/** One file list: its hashes, and where it is enforced. */
export function FileListScreen() {
	const {guid} = useParams({from: '/file-lists/$guid'})
	const copy = useFileLists()
	const list = copy.items?.find(each => each.guid === guid.toLowerCase())
	return list === undefined ? <NoList copy={copy} /> : <OneList key={list.guid} list={list} copy={copy} />
}

type Open = {kind: 'remove' | 'copy'; item: FileListItemRow} | {kind: 'export' | 'note'}

function OneList({list, copy}: {list: FileListRow; copy: FileListsCopy}) {
	const {search, change} = useAddress('/file-lists/$guid')
	const navigate = useNavigate()
	const reading = useReadItems(list)
	const refreshButton = useRef<HTMLButtonElement>(null)
	const [open, setOpen] = useState<Open | null>(null)
	const add = () => change({act: 'add'})
	const isCoverage = search.view === 'coverage'
	const edit = () => void navigate({to: '/file-lists/$guid/edit', params: {guid: list.guid}, search: {}})
	useKeys({
		'fileList.add': add,
		'fileList.edit': edit,
		'fileList.refresh': () => refreshButton.current?.focus(),
		'fileList.export': list.itemsRead.at !== null && (() => setOpen({kind: 'export'})),
		'fileList.note': () => setOpen({kind: 'note'}),
		'fileList.coverage': () => change({view: isCoverage ? undefined : 'coverage'}),
		'fileList.close': () => void navigate({to: '/file-lists', search: {}})
	})
	const computers = useComputersCount()
	const items = (
		<ItemsTab
			list={list}
			search={search}
			change={change}
			reading={reading}
			isBeginning={copy.state?.phase === 'loading'}
			onAdd={add}
			onRemove={item => setOpen({kind: 'remove', item})}
			onCopyAs={item => setOpen({kind: 'copy', item})}
		/>
	)
	return (
		<Screen>
			<ListBar
				list={list}
				computers={computers}
				reading={reading}
				refreshButton={refreshButton}
				onAdd={add}
				onEdit={edit}
				onExport={() => setOpen({kind: 'export'})}
			/>
			<ListBanner list={list} reading={reading} />
			<Receipts list={list.guid} />
			<div className={styles.tabs}>
				<Tabs
					label={t.viewsList}
					selected={search.view ?? 'hashes'}
					onSelect={id => change({view: id === 'coverage' || id === 'ages' ? id : undefined})}
					tabs={[
						{id: 'hashes', title: 'Hashes', content: items},
						{id: 'coverage', title: 'Coverage', content: <CoverageTab list={list} />},
						{id: 'ages', title: 'Ages', content: <AgesTab list={list} />}
					]}
				/>
			</div>
			{search.act !== undefined && <AddDialog list={list.guid} hash="" onClose={() => change({act: undefined})} />}
			<Dialogs list={list} open={open} search={search} onClose={() => setOpen(null)} />
		</Screen>
	)
}

interface DialogsProps {
	list: FileListRow
	open: Open | null
	search: FileListSearch
	onClose: () => void
}

function Dialogs({list, open, search, onClose}: DialogsProps) {
	switch (open?.kind) {
		case undefined:
			return null
		case 'remove':
			return <RemoveDialog list={list} item={open.item} onClose={onClose} />
		case 'copy':
			return <CopyItemDialog item={open.item} list={list.guid} onClose={onClose} />
		case 'export':
			return <ExportDialog list={list} question={questionOf(search)} onClose={onClose} />
		case 'note':
			return <NoteDialog target={{guid: list.guid, label: list.name}} onClose={onClose} />
	}
}

/** The list is unknown here: not yet loaded, or absent. */
function NoList({copy: {items, unlisted, state, error, retry}}: {copy: FileListsCopy}) {
	const navigate = useNavigate()
	useKey('fileList.close', () => void navigate({to: '/file-lists', search: {}}))
	if (error !== null && items === undefined) return <LocalDataError error={error} onRetry={retry} />
	const isBegun = state === undefined || state.phase === 'empty' || state.phase === 'loading'
	if (isBegun)
		return (
			<Screen>
				<ScreenBar within={{list: 'File lists', href: '/file-lists'}} title={t.fileList} />
				<LoadingScreen label={t.loadingFile} />
			</Screen>
		)
	if (items === undefined || unlisted.length !== 0) {
		const failure = state.error === null ? new CordonError('incomplete') : errorFromReport(state.error)
		return <ScreenErrorState title={t.couldNotLoadFile} error={failure} />
	}
	return (
		<EmptyState title={t.listNotFound} act={[t.showAllLists, () => void navigate({to: '/file-lists', search: {}})]}>
			{t.serviceNoList} <Link href="/file-lists">{t.allFileLists}</Link>.
		</EmptyState>
	)
}

/** All matching hashes, not only visible ones, as a file from the local copy. */
function ExportDialog({list, question, onClose}: {list: FileListRow; question: ItemsQuestion; onClose: () => void}) {
	const {client, connection} = useConnected()
	return (
		<ExportFrame
			title={t.export(list.name)}
			formats={[csvFormat, {value: 'json', label: 'JSON', detail: 'one array of records'}]}
			write={(format, signal) => whole(client.directory.fileLists.export({connection, guid: list.guid, ...question, format}, {signal}))}
			lacks={({cut}) => (cut ? notWhole : null)}
			onClose={onClose}
		>
			<p>{t.allTableOrder(question.search === '' ? counted(list.itemsRead.read, nouns.hash) : t.hashesThatMatch(question.search))}</p>
			{itemsKnown(list) !== 'whole' && <Banner tone="warning">{t.listNotFully(countWords(list))}</Banner>}
		</ExportFrame>
	)
}

const notWhole = 'This file is not whole: there are more hashes than one file takes. Narrow them by a search.'

const unit = nouns.hash

/** Time since the list's hashes became known here. */
function AgesTab({list}: {list: FileListRow}) {
	const known = useAskedHere(q => q.directory.fileLists.ages, {guid: list.guid})
	const {data} = known
	// Ages change by the day, not by the second.
	const today = useFromNow(now => Math.floor(now / dayMs))
	const {bars, series} = useMemo(() => {
		const ages = ageBarsOf(data ?? {undated: 0, days: []}, today)
		const parts: readonly BarSeries[] = [
			{name: 'known since', tone: 'accent', values: ages.dated},
			{name: 'there before', tone: 'faint', values: ages.undated}
		]
		return {bars: ages.bars, series: parts}
	}, [data, today])
	if (data === undefined)
		return (
			<div className="padded">
				<Unloaded of={known} title={t.couldNotLoadAges} lines={6} label={t.loadingTheAges} />
			</div>
		)
	const newest = data.days.at(-1)
	return (
		<div className={styles.coverage}>
			<p className="quiet">
				{t.serviceGives(
					newest === undefined ? t.noneAddedSince : t.newestAdded(newest.day.slice(0, 10)),
					data.undated === 0 ? '' : t.wereAlready(formatCount(data.undated))
				)}
			</p>
			<StackedBars
				title={t.hashesByAge}
				bars={bars}
				series={series}
				what={t.age}
				unit={unit}
				empty={list.itemsRead.at === null ? t.hashesNotLoaded : t.listEmpty}
				fileName="ages"
			/>
		</div>
	)
}

export const dayMs = 86_400_000

/** Days since then, inclusive `to`. */
const classes = [
	{title: 'today', to: 0},
	{title: '1 to 7 days', to: 7},
	{title: '8 to 30 days', to: 30},
	{title: '31 to 90 days', to: 90},
	{title: '91 to 365 days', to: 365},
	{title: 'over a year', to: Infinity}
] as const

/** `today`: days since 1970 in UTC. */
export function ageBarsOf({days, undated}: ListAges, today: number) {
	const dated = classes.map(() => 0)
	for (const {day, hashes} of days) {
		const age = today - Math.floor(Date.parse(day) / dayMs)
		const place = classes.findIndex(({to}) => age <= to)
		dated[place] = (dated[place] ?? 0) + hashes
	}
	return {
		bars: [...classes.map(({title}) => title), 'age not known'],
		/** Hashes of known age, and earlier ones; one number per bar. */
		dated: [...dated, 0],
		undated: [...classes.map(() => 0), undated]
	}
}

interface ListBarProps {
	list: FileListRow
	computers: number | null
	reading: ItemsReading
	refreshButton: Ref<HTMLButtonElement>
	onAdd: () => void
	onEdit: () => void
	onExport: () => void
}

/** Name, kind, how much is known and its age, where it is enforced, and actions. */
function ListBar({list, computers, reading, refreshButton, onAdd, onEdit, onExport}: ListBarProps) {
	const {id} = useActiveConnection()
	const lock = useWriteRefusal()
	const navigate = useNavigate()
	const publish = () => void navigate({to: '/instances', search: {act: 'add', connection: id, list: list.guid, name: list.name}})
	const gone = list.vanishedAt === null ? null : 'This list was deleted elsewhere.'
	return (
		<>
			<ScreenBar within={{list: 'File lists', href: '/file-lists'}} title={list.name} facts={kindWords(list.type).one}>
				<Button onPress={onExport} opens reason={list.itemsRead.at === null ? notRead : null} keys="e">
					{t.exportMore}
				</Button>
				<Button onPress={publish} reason={gone} tooltip={t.publishesToFirewalls}>
					{t.publishMore}
				</Button>
				<Button ref={refreshButton} onPress={reading.read} reason={reading.isReading ? t.loadingTheHashes : gone} tooltip={t.refreshesAll}>
					<RefreshCw size={13} aria-hidden />
					{itemsKnown(list) === 'never' ? t.loadTheHashes : t.refresh} · {callWords(readCalls(list))}
				</Button>
				<Button onPress={onEdit} reason={gone} tooltip={t.stageManyHashes} keys="Shift+E">
					{t.edit}
				</Button>
				<Button tone="primary" onPress={onAdd} lock={lock} reason={gone} opens keys="a">
					{t.addAHash}
				</Button>
			</ScreenBar>
			<p className={styles.facts}>
				<Facts list={list} computers={computers} reading={reading} />
			</p>
		</>
	)
}

const notRead = 'The hashes have not been loaded yet.'

function Facts({list, computers, reading}: Pick<ListBarProps, 'list' | 'computers' | 'reading'>) {
	const {policies, itemsRead, covered} = list
	return (
		<>
			{t.hashesOf(countWords(list))}
			{reading.isReading && <span role="status"> {t.loadingPage}</span>}
			{!reading.isReading && itemsRead.at !== null && (
				<>
					{' '}
					{t.loadedTitle} <Time at={itemsRead.at} focusable />
				</>
			)}{' '}
			{t.enforcedOnOf(
				policies === null ? t.policiesNot : policyCount(policies.length),
				coveredWords(covered, computers),
				covered === null || computers === null ? '' : t.computersTitle
			)}
		</>
	)
}

function policyCount(count: number) {
	if (count === 0) return 'used by no policy'
	return `used by ${counted(count, nouns.policy)}`
}
