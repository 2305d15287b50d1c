import {RefreshCw} from 'lucide-react'
import type {Ref} from 'react'

import type {EventStoreState, EventWindow} from '#contract/events.ts'
import {formatMeasured} from '#text/durations.ts'
import {formatCount} from '#text/numbers.ts'

import {useActiveFrame} from '#api/hooks.tsx'
import {Button} from '#ui/Button.tsx'
import {Time} from '#ui/Time.tsx'
import {ScreenBar} from '#ui/Screen.tsx'
import {rowsInWords} from './grouping.ts'
import {callsOf, isReading} from './state-words.ts'
import {t} from './text.ts'
import type {EventsView} from './use-question.ts'
import {EventViewsMenu} from './views/EventViewsMenu.tsx'

interface EventsBarProps {
	view: EventsView
	state: EventStoreState | undefined
	/** The visible answer; none while it belongs to another query. */
	answer: EventWindow | undefined
	filtered: boolean
	isRefreshing: boolean
	onRefresh: () => void
	refreshButton: Ref<HTMLButtonElement>
	onExport: () => void
}

/** Title, count, time range and actions; shows the cost of a load first. */
export function EventsBar({view, state, answer, filtered, isRefreshing, onRefresh, refreshButton, onExport}: EventsBarProps) {
	const reading = isReading(state, isRefreshing)
	const nothing = answer === undefined || answer.matching.count === 0
	return (
		<ScreenBar
			title={t.events}
			facts={
				state && (
					<>
						<Stored state={state} />
						{filtered && answer !== undefined && state.stored > 0 && <span> · {rowsInWords(answer, view.question.grouping)}</span>}
						{reading && <Progress state={state} />}
					</>
				)
			}
		>
			<EventViewsMenu view={view} />
			<Button onPress={onExport} opens reason={nothing ? t.noRowsExport : null} keys="e">
				{t.exportMore}
			</Button>
			<Button ref={refreshButton} onPress={onRefresh} reason={reading ? t.loadingEvents : null} tooltip={t.loadsWhatNew}>
				<RefreshCw size={13} aria-hidden />
				{t.refreshFor(callsOf(state))}
			</Button>
		</ScreenBar>
	)
}

function Stored({state}: {state: EventStoreState}) {
	if (state.stored === 0) return state.phase === 'empty' ? 'not loaded yet' : 'none stored'
	return (
		<span>
			{t.storedNewest(formatCount(state.stored))} <Time at={state.newest} focusable />
			{t.oldest} <Time at={state.oldest} form="age" focusable />
			{state.readAt !== null && (
				<>
					{' '}
					{t.loadedTitle} <Time at={state.readAt} focusable />
				</>
			)}
			<Stream />
		</span>
	)
}

/** State of the connection's event stream, if any. */
function Stream() {
	const stream = useActiveFrame()?.stream ?? null
	if (stream === null) return null
	const {phase, lagMs, lastMessageAt, problem} = stream
	if (phase !== 'live')
		return (
			<>
				{' '}
				· {t.streamIs(phase)} {problem?.message}
			</>
		)
	return (
		<>
			{' '}
			· {t.streamLive} <Time at={lastMessageAt} unknown={t.nothingYet} focusable />
			{lagMs !== null && t.afterItHappened(formatMeasured(lagMs))}
		</>
	)
}

function Progress({state}: {state: EventStoreState}) {
	const of = state.total === null ? '' : ` of ${formatCount(state.total)}`
	return <span role="status"> · {state.phase === 'loading' && state.read > 0 ? t.loadingOf(formatCount(state.read), of) : t.loadingFirst}</span>
}
