import type {EventStoreState} from '#contract/events.ts'
import {errorFromReport, type CordonError} from '#contract/errors.ts'
import {formatCount} from '#text/numbers.ts'

import {Button} from '#ui/Button.tsx'
import {EmptyState, ScreenErrorState, FailureBanner, Reason, LocalDataError} from '#ui/States.tsx'
import {Time} from '#ui/Time.tsx'
import {callsOf} from './state-words.ts'
import {t} from './text.ts'

interface StateProps {
	state: EventStoreState | undefined
	onRefresh: () => void
}

export function StateBanner({state, onRefresh}: StateProps) {
	if (state === undefined || state.stored === 0) return null
	if (state.phase !== 'partial' && state.phase !== 'failed') return null
	// A load that fails at once also counts as partial when earlier rows exist.
	const failed = state.phase === 'failed' || (state.error !== null && state.read === 0)
	return (
		<FailureBanner error={state.error} act={[failed ? t.tryAgain : t.loadMore, onRefresh]}>
			{failed ? t.couldNotRefreshEvents : t.notAllEvents}
			<Reason error={state.error} otherwise={failed ? t.noAnswer : t.thereMoreThan} /> {t.youSeeLocalData}{' '}
			<Time at={state.newest} form="age" focusable /> {t.oldAtEnd}
		</FailureBanner>
	)
}

interface NoEventsProps extends StateProps {
	/** Of the local copy, not of the service. */
	error: CordonError | null
	onRetry: () => void
	filter: string
	/** Whether a span or a selected time restricts the rows. */
	isTimed: boolean
	onShowAll: () => void
	/** Keeps the filter, without a span or a selected time. */
	onAllTime: () => void
}

/** Why there is no row: a failure, no match, nothing loaded, or no data. */
export function NoEvents({state, onRefresh, error, onRetry, filter, isTimed, onShowAll, onAllTime}: NoEventsProps) {
	if (error !== null) return <LocalDataError error={error} onRetry={onRetry} />
	if (state === undefined) return null
	if (state.stored > 0) {
		const all = formatCount(state.stored)
		return (
			<EmptyState
				title={t.noMatchingEvents}
				action={
					<>
						{filter !== '' && isTimed && <Button onPress={onAllTime}>{t.searchAllTimes}</Button>}
						<Button onPress={onShowAll}>{t.showAllOf(all)}</Button>
					</>
				}
			>
				{t.noneStored(all, filter === '' ? t.theChosenTime : `“${filter}”`, filter !== '' && isTimed ? t.chosenTime : '')}
			</EmptyState>
		)
	}
	if (state.error !== null) return <ScreenErrorState error={errorFromReport(state.error)} title={t.couldNotLoadEvents} onRetry={onRefresh} />
	if (state.phase === 'empty')
		return (
			<EmptyState title={t.eventsNotLoaded} act={[t.loadEventsOf(callsOf(state)), onRefresh]}>
				{t.loadEvents}
			</EmptyState>
		)
	return (
		<EmptyState title={t.noEvents} act={[t.refreshFor(callsOf(state)), onRefresh]}>
			{t.serviceNoEvents}
		</EmptyState>
	)
}
