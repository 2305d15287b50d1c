import type {Ref} from 'react'

import type {FileListItemRow, FileListRow, KnownHash} from '#contract/directory.ts'
import {counted, formatCount} from '#text/numbers.ts'

import {useComputersCount, useWriteRefusal, useConnected, useCall} from '#api/hooks.tsx'
import {Button, Link} from '#ui/Button.tsx'
import {KeyValue, PlainTable, tableRow} from '#ui/Facts.tsx'
import {Card} from '#ui/Screen.tsx'
import {unseen} from '#ui/cx.ts'
import styles from './FileLists.module.css'
import {ComputerNames} from './ComputerNames.tsx'
import {AskPrevalence} from './Findings.tsx'
import {factsOfItem, factsOfSeen} from './item-facts.tsx'
import {t} from './text.ts'
import {usePrevalence, type Prevalence} from './use-prevalence.ts'
import {callWords, kindWords, percentOf, readCalls, unreadOf} from './words.ts'

/** The title of the buttons' column, for screen readers. */
const removal = <span className={unseen}>{t.removal}</span>

interface Held {
	list: FileListRow
	item: FileListItemRow
}

/** The entry in the list of the address. */
export function ItemCard({held: {list, item}}: {held: Held}) {
	return (
		<Card title={t.onOf(list.name)}>
			<KeyValue facts={factsOfItem(item)} />
		</Card>
	)
}

interface ListsCardProps {
	known: KnownHash
	lists: readonly FileListRow[]
	onRemove: (held: Held) => void
}

/** Every list with the hash, and lists that are not loaded. */
export function ListsCard({known: {sha256, holding}, lists, onRemove}: ListsCardProps) {
	const lock = useWriteRefusal()
	const open = unreadOf(lists, holding)
	return (
		<Card title={t.listsContain}>
			{holding.length === 0 ? (
				<p className="quiet">{t.noneLoaded}</p>
			) : (
				<PlainTable columns={[t.list, t.kind, t.note, t.enforcedOn, [removal, undefined]]}>
					{holding.map(({list, item}) =>
						tableRow(
							list.guid,
							<>
								<Link href={`/file-lists/${list.guid}/${sha256}`}>{list.name}</Link>
								{list.vanishedAt === null ? '' : t.deletedElsewhereTitle}
							</>,
							kindWords(list.type).one,
							item.description,
							list.covered === null ? '?' : formatCount(list.covered),
							<Button
								small
								onPress={() => onRemove({list, item})}
								lock={lock}
								reason={list.vanishedAt === null ? null : t.listDeletedElsewhere}
								opens
								aria-label={t.removeFrom(list.name)}
							>
								{t.remove}
							</Button>
						)
					)}
				</PlainTable>
			)}
			{open.length !== 0 && <Unread lists={open} />}
		</Card>
	)
}

const namedUnread = 5

/** Lists not completely loaded, with the cost of loading all. */
function Unread({lists}: {lists: readonly FileListRow[]}) {
	const {connection} = useConnected()
	const open = lists.filter(({vanishedAt}) => vanishedAt === null)
	const {isPending, mutate} = useCall(async client => {
		for (const {guid} of open) await client.directory.fileLists.refreshItems({connection, guid}).catch(() => {})
	})
	const calls = open.map(readCalls)
	const price = calls.some(each => each === null) ? null : calls.reduce<number>((sum, each) => sum + (each ?? 0), 0)
	const more = lists.length - namedUnread
	return (
		<div className={styles.ask}>
			<p className="quiet">
				{t.notFullyLoaded(lists.length === 1 ? t.oneListHas : t.listsHave(formatCount(lists.length)))}{' '}
				{lists.slice(0, namedUnread).map((list, index) => (
					<span key={list.guid}>
						{index === 0 ? '' : ', '}
						<Link href={`/file-lists/${list.guid}`}>{list.name}</Link>
					</span>
				))}
				{more > 0 ? t.andMoreOf(formatCount(more)) : ''}.
			</p>
			{open.length !== 0 && (
				<Button small onPress={() => mutate()} reason={isPending ? t.loadingNow : null}>
					{t.loadThemOf(callWords(price))}
				</Button>
			)}
		</div>
	)
}

/** Facts from stored events, and, for a call, from the service. */
export function SeenCard({known: {sha256, seen}, askRef}: {known: KnownHash; askRef: Ref<HTMLDivElement>}) {
	const question = usePrevalence(sha256)
	return (
		<Card title={t.seenTitle}>
			<KeyValue facts={factsOfSeen(seen)} />
			<div ref={askRef}>
				<AskPrevalence question={question} keys="p" />
			</div>
			{question.answer !== null && <Seen answer={question.answer} />}
		</Card>
	)
}

function Seen({answer: {count, first}}: {answer: Prevalence}) {
	const all = useComputersCount()
	const share = all === null || all === 0 ? '' : ` (${percentOf(count, all)} of ${formatCount(all)})`
	return (
		<div role="status" className={styles.answer}>
			<p>{t.serviceSays(count === 0 ? t.noComputerHas : `${counted(count, ['computer has', 'computers have'])}`, count === 0 ? '' : share)}</p>
			<ComputerNames computers={first} more={count - first.length} />
		</div>
	)
}
