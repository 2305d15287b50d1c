import type {FileListRow} from '#contract/directory.ts'
import {itemsKnown} from '#model/file-list.ts'
import {errorFromReport, type CordonError} from '#contract/errors.ts'
import {formatCount} from '#text/numbers.ts'

import {Banner, EmptyState, ScreenErrorState, Reason, LocalDataError} from '#ui/States.tsx'
import {Button} from '#ui/Button.tsx'
import {Time} from '#ui/Time.tsx'
import {t} from './text.ts'
import type {ItemsReading} from './use-lists.ts'
import {callWords, countWords, kindWords, readCalls} from './words.ts'

interface StateProps {
	list: FileListRow
	reading: ItemsReading
}

/** Reports incomplete data: deleted elsewhere, partly loaded, or a failed load. */
export function ListBanner({list, reading}: StateProps) {
	const {vanishedAt, problem, itemsRead} = list
	if (vanishedAt !== null)
		return (
			<Banner tone="warning">
				{t.listDeletedElsewhereBefore} <Time at={vanishedAt} form="exact" focusable />
				{t.lastKnownData}
			</Banner>
		)
	if (itemsRead.at === null || itemsKnown(list) !== 'part') return null
	return (
		<Banner tone="warning" action={<ReadAgain list={list} reading={reading} />}>
			{problem === null ? (
				t.notAllHashes
			) : (
				<>
					{t.notAllHashesColon} <Reason error={problem} />
				</>
			)}{' '}
			{t.showingLoaded(countWords(list))} <Time at={itemsRead.at} focusable />.
		</Banner>
	)
}

function ReadAgain({list, reading}: StateProps) {
	return (
		<Button small onPress={reading.read} reason={reading.isReading ? t.loadingTheHashes : null}>
			{itemsKnown(list) === 'never' ? t.loadThem : t.refresh} · {callWords(readCalls(list))}
		</Button>
	)
}

interface NoItemsProps extends StateProps {
	/** Of the local copy, not of the service. */
	error: CordonError | null
	onRetry: () => void
	search: string
	onShowAll: () => void
	onAdd: () => void
}

/** Why there is no row: a failure, no match, nothing loaded, or an empty list. */
export function NoItems({list, reading, error, onRetry, search, onShowAll, onAdd}: NoItemsProps) {
	if (error !== null) return <LocalDataError error={error} onRetry={onRetry} />
	if (search !== '' && list.itemsRead.at !== null && list.itemsRead.read > 0) {
		const all = formatCount(list.itemsRead.read)
		return (
			<EmptyState title={t.noHashMatches} act={[t.showAllOf(all), onShowAll]}>
				{t.noneHashes(all, search)}
			</EmptyState>
		)
	}
	if (list.problem !== null) return <ScreenErrorState error={errorFromReport(list.problem)} title={t.couldNotLoadHashes} onRetry={reading.read} />
	if (list.itemsRead.at === null)
		return (
			<EmptyState title={t.hashesNotLoadedYet} action={<ReadAgain list={list} reading={reading} />}>
				{t.loadThemSearch(list.items === null ? t.howManyThere : t.theServiceHas(formatCount(list.items)))}
			</EmptyState>
		)
	return (
		<EmptyState
			title={t.thisListIsEmpty}
			action={
				list.vanishedAt === null && (
					<Button onPress={onAdd} opens keys="a">
						{t.addAHash}
					</Button>
				)
			}
		>
			{kindWords(list.type).effect}
		</EmptyState>
	)
}
