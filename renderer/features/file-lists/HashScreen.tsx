import {useNavigate, useParams, useRouter, useSearch} from '@tanstack/react-router'
import {type ReactNode, useRef, useState} from 'react'

import type {FileListItemRow, FileListRow, KnownHash} from '#contract/directory.ts'
import type {EventRow} from '#contract/events.ts'
import {readFileHash, shortHash} from '#model/file-hash.ts'
import {contentMark} from '#model/hash-marks.ts'
import {counted, formatCount} from '#text/numbers.ts'
import {nouns} from '#text/terms.ts'
import {useWriteRefusal, useConnected, useAsked, useAskedHere} from '#api/hooks.tsx'
import {NoteDialog} from '#commands/NoteDialog.tsx'
import {StartPlaybook} from '#commands/StartPlaybook.tsx'
import {useAnnounce} from '#ui/Announcer.tsx'
import {Banner, EmptyState, Unloaded, LocalDataError, LoadingScreen} from '#ui/States.tsx'
import {Button, CopyButton, useCopy, Link} from '#ui/Button.tsx'
import {useKeys} from '#ui/keys/KeyRegistry.tsx'
import {Screen, Card, ScreenBar} from '#ui/Screen.tsx'
import {Time} from '#ui/Time.tsx'
import {PlainTable} from '#ui/Facts.tsx'
import {useUi} from '#state/ui.tsx'
import {AddDialog} from './AddDialog.tsx'
import {ComputerNames} from './ComputerNames.tsx'
import {CopyItemDialog} from './CopyItemDialog.tsx'
import styles from './FileLists.module.css'
import {ItemCard, ListsCard, SeenCard} from './HashCards.tsx'
import {Receipts} from './Receipts.tsx'
import {RemoveDialog} from './RemoveDialog.tsx'
import type {HashSearch} from './search.ts'
import {t} from './text.ts'
import {useFileLists} from './use-lists.ts'
import {answerWords, shownKinds, unreadOf} from './words.ts'

/** Every list that contains a hash, and all known facts. */
export function HashScreen() {
	const {sha256} = useParams({from: '/file-lists/hash/$sha256'})
	const search = useSearch({from: '/file-lists/hash/$sha256'})
	return <Read guid={null} typed={sha256} search={search} />
}

/** One item of a list, and all known facts of its hash. */
export function ItemScreen() {
	const {guid, sha256} = useParams({from: '/file-lists/$guid/$sha256'})
	const search = useSearch({from: '/file-lists/$guid/$sha256'})
	return <Read guid={guid.toLowerCase()} typed={sha256} search={search} />
}

interface ReadProps {
	guid: string | null
	/** As in the address. */
	typed: string
	search: HashSearch
}

function Read({guid, typed, search}: ReadProps) {
	const read = readFileHash(typed)
	const sha256 = read.kind === 'sha256' ? read.value : null
	const {data, error, refetch} = useAskedHere(q => q.directory.fileLists.hash, {sha256: sha256 ?? ''}, {enabled: sha256 !== null})
	const lists = useFileLists()
	if (read.kind !== 'sha256')
		return (
			<EmptyState title={t.notSha256} to={['/file-lists', t.allFileListsTitle]}>
				{read.kind === 'problem' ? read.message : t.addressNames}
			</EmptyState>
		)
	if (data === undefined && error !== null) return <LocalDataError error={error} onRetry={refetch} />
	if (data === undefined || lists.items === undefined)
		return (
			<Screen>
				<ScreenBar within={{list: 'File lists', href: '/file-lists'}} title={t.hash(shortHash(typed))} />
				<LoadingScreen label={t.loadingWhat} />
			</Screen>
		)
	return <Known key={data.sha256} known={data} lists={lists.items} guid={guid} search={search} />
}

interface KnownProps {
	known: KnownHash
	lists: readonly FileListRow[]
	guid: string | null
	search: HashSearch
}

interface Held {
	list: FileListRow
	item: FileListItemRow
}

type Open = 'add' | 'block' | 'copy' | 'note' | Held

function Known({known, lists, guid, search}: KnownProps) {
	const {sha256, holding, seen} = known
	const {history} = useRouter()
	const navigate = useNavigate()
	const announce = useAnnounce()
	const lock = useWriteRefusal()
	const ask = useRef<HTMLDivElement>(null)
	const [chosen, setOpen] = useState<Open | null>(null)
	const open = chosen ?? search.act ?? null
	const own = holding.find(({list}) => list.guid === guid)
	const present = holding.filter(({list}) => list.vanishedAt === null)
	// Without a list in the address, the key applies to the only one with the hash.
	const target = own ?? (present.length === 1 ? present[0] : undefined)
	const close = () => {
		setOpen(null)
		// A dialog opened by the address must not open again on return.
		if (search.act !== undefined) history.replace(history.location.pathname)
	}
	const remove = (held: Held | undefined) => {
		if (held === undefined) announce(present.length === 0 ? 'It is on no list' : 'Choose the list: it is on several')
		else setOpen(held)
	}
	const copy = useCopy()
	useKeys({
		'hash.add': () => setOpen('add'),
		'hash.remove': () => remove(target),
		'hash.prevalence': () => ask.current?.querySelector('button')?.focus(),
		'hash.copy': () => copy('hash', sha256),
		'hash.copyAs': () => setOpen('copy'),
		'hash.note': () => setOpen('note'),
		'hash.back': () => {
			if (guid === null) history.back()
			else void navigate({to: '/file-lists/$guid', params: {guid}, search: {item: undefined}})
		}
	})
	const content = contentMark(sha256)
	const item = own?.item ?? {sha256, description: '', source: '', firstSeen: null, seen}
	return (
		<Screen>
			<Bar known={known} own={own} guid={guid}>
				<StartPlaybook sha256={sha256} />
				<Button onPress={() => setOpen('copy')} opens keys="Shift+Y">
					{t.copyAsMore}
				</Button>
				{target !== undefined && (
					<Button onPress={() => remove(target)} lock={lock} opens keys="Del">
						{t.removeFrom(target.list.name)}
					</Button>
				)}
				<Button tone="primary" onPress={() => setOpen('add')} lock={lock} opens keys="a">
					{t.addList}
				</Button>
			</Bar>
			<HashAnswer known={known} lists={lists} onBlock={() => setOpen('block')} />
			{content !== null && <Banner tone="warning">{content.message}</Banner>}
			{guid !== null && own === undefined && (
				<Banner tone="info">
					{t.localData} {lists.find(list => list.guid === guid)?.name ?? t.thisList} {t.doesNotHold}
				</Banner>
			)}
			<Receipts sha256={sha256} />
			<div className={styles.hash}>
				<div className={styles.column}>
					{own !== undefined && <ItemCard held={own} />}
					<SeenCard known={known} askRef={ask} />
				</div>
				<ListsCard known={known} lists={lists} onRemove={setOpen} />
				<EventsCard sha256={sha256} />
			</div>
			{(open === 'add' || open === 'block') && (
				<AddDialog blocks={open === 'block'} list={firstList(search, guid, own)} hash={sha256} onClose={close} />
			)}
			{open === 'copy' && <CopyItemDialog item={item} list={own?.list.guid ?? null} onClose={close} />}
			{open === 'note' && <NoteDialog target={{guid: sha256, label: shortHash(sha256)}} onClose={close} />}
			{open !== null && typeof open !== 'string' && <RemoveDialog list={open.list} item={open.item} onClose={close} />}
		</Screen>
	)
}

/** The list of the address, unless it contains the hash already. */
function firstList({list}: HashSearch, guid: string | null, own: Held | undefined) {
	if (list !== undefined) return list.toLowerCase()
	return own === undefined ? guid : null
}

interface BarProps {
	known: KnownHash
	own: Held | undefined
	guid: string | null
	children: ReactNode
}

function Bar({known: {sha256, holding, seen}, own, guid, children}: BarProps) {
	const count = holding.filter(({list}) => list.vanishedAt === null).length
	return (
		<>
			<ScreenBar
				within={own === undefined ? {list: 'File lists', href: '/file-lists'} : {list: own.list.name, href: `/file-lists/${guid ?? ''}`}}
				title={seen.names[0] ?? t.hash(shortHash(sha256))}
				facts={count === 0 ? t.noLoadedList : t.onNumber(counted(count, ['list', 'lists']))}
			>
				{children}
			</ScreenBar>
			<p className={styles.facts}>
				<span className="hashes wraps">{sha256}</span> <CopyButton text={sha256} what="hash" />
			</p>
		</>
	)
}

const [shownEvents, shownComputers] = [12, 25]

/** Stored events with the hash, and the computers of the newest ones. */
function EventsCard({sha256}: {sha256: string}) {
	const {connection} = useConnected()
	const filter = `hash:${sha256}`
	const events = useAsked(q => q.events.query, {input: eventsOf(connection, sha256)})
	const {data} = events
	const title = 'Events that name it'
	if (data === undefined)
		return (
			<div className={styles.wide}>
				<Card title={title}>
					<Unloaded of={events} lines={4} label={t.loadingTheEvents} />
				</Card>
			</div>
		)
	const {count, exact} = data.matching
	const computers = computersOf(data.rows)
	return (
		<div className={styles.wide}>
			<Card
				title={title}
				aside={
					count !== 0 && (
						<Link href={`/events?filter=${encodeURIComponent(filter)}&span=all`}>{t.allInEvents(exact ? '' : '≥ ', formatCount(count))}</Link>
					)
				}
			>
				{count === 0 ? <p className="quiet">{t.noStoredEvent}</p> : <Events rows={data.rows} />}
				{computers.length !== 0 && (
					<div className={styles.answer}>
						<p className="quiet">
							{t.inColon(counted(computers.length, nouns.computer), count > mostEvents || !exact ? t.newestThem(mostEvents) : t.them)}
						</p>
						<ComputerNames computers={computers.slice(0, shownComputers)} more={computers.length - shownComputers} />
					</div>
				)}
			</Card>
		</div>
	)
}

function Events({rows}: {rows: readonly EventRow[]}) {
	return (
		<PlainTable columns={[t.time, t.typeTitle, t.computer, t.file, t.disposition]}>
			{rows.slice(0, shownEvents).map(row => (
				<tr key={row.key}>
					<td>
						<Time at={row.at} form="exact" />
					</td>
					<td>{row.type}</td>
					<td>{row.guid === null ? row.hostname : <Link href={`/computers/${row.guid}`}>{row.hostname}</Link>}</td>
					<td title={row.filePath ?? undefined}>{row.fileName ?? ''}</td>
					<td>{row.disposition ?? ''}</td>
				</tr>
			))}
		</PlainTable>
	)
}

const mostEvents = 500
const mostComputers = 100

/** The newest stored events with a hash. */
function eventsOf(connection: string, sha256: string) {
	return {connection, filter: `hash:${sha256}`, offset: 0, limit: mostEvents}
}

interface HashAnswerProps extends Pick<KnownProps, 'known' | 'lists'> {
	onBlock: () => void
}

/** Who saw the hash and who blocks it, from local data, with what can be done about it. */
function HashAnswer({known: {sha256, holding}, lists, onBlock}: HashAnswerProps) {
	const {connection} = useConnected()
	const openBulk = useUi(ui => ui.openBulk)
	const {unlisted} = useFileLists()
	const lock = useWriteRefusal()
	const events = useAsked(q => q.events.query, {input: eventsOf(connection, sha256)}).data
	const seen = computersOf(events?.rows ?? []).map(({guid}) => guid)
	const filter = `guid:${seen.slice(0, mostComputers).join(',')}`
	const sort = {column: 'hostname', descending: false} as const
	const asked = {connection, filter, sort, offset: 0, limit: mostComputers}
	const {data} = useAsked(q => q.computers.query, {input: asked, enabled: seen.length > 0})
	if (events === undefined || (seen.length > 0 && data === undefined)) return null
	const blocks = ({vanishedAt, type}: FileListRow) => vanishedAt === null && shownKinds.some(kind => kind === type)
	const blocking = holding.map(({list}) => list).filter(blocks)
	const unread = unlisted.length === 0 ? unreadOf(lists, holding).filter(blocks).length : null
	const all = events.matching.exact && events.matching.count <= mostEvents && seen.length <= mostComputers
	return (
		<div className={styles.answerLine}>
			<p role="status">
				<b>{answerWords(data?.rows ?? [], seen.length, blocking, all, unread)}</b>
			</p>
			<Button small onPress={onBlock} lock={lock} opens>
				{t.blockMore}
			</Button>
			{seen.length !== 0 && (
				<Button small onPress={() => openBulk('isolate', seen)} lock={lock} opens>
					{t.isolateMore(counted(seen.length, nouns.computer))}
				</Button>
			)}
		</div>
	)
}

/** The distinct computers of these events, in order of their newest event. */
function computersOf(rows: readonly Pick<EventRow, 'guid' | 'hostname'>[]): readonly {guid: string; hostname: string}[] {
	const found = new Map<string, string>()
	for (const {guid, hostname} of rows) if (guid !== null && !found.has(guid)) found.set(guid, hostname)
	return [...found].map(([guid, hostname]) => ({guid, hostname: hostname === '' ? guid : hostname}))
}
