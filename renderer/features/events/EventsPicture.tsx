import {useCallback, useMemo, type Ref} from 'react'

import {eventSpans, type EventSpan} from '#model/choices.ts'
import {eventSeverities} from '#model/event.ts'
import type {EventHistogram, EventStoreState} from '#contract/events.ts'
import {formOf, formatCount} from '#text/numbers.ts'
import {nouns} from '#text/terms.ts'

import {useConnected, useAsked} from '#api/hooks.tsx'
import {useAfterRows, type AnsweredRows} from '#commands/filter/use-after-rows.ts'
import {Banner, Skeleton} from '#ui/States.tsx'
import {EventsHistogram} from '#ui/chart/EventsHistogram.tsx'
import type {HistogramHandle} from '#ui/chart/Histogram.tsx'
import {useTimeZone} from '#ui/Time.tsx'
import {Link} from '#ui/Button.tsx'
import {Segments} from '#ui/Segments.tsx'
import {formatExact} from '#ui/time.ts'
import styles from './EventsScreen.module.css'
import {spanSpecs, type Times} from './span.ts'
import {missingCalls} from './state-words.ts'
import {t} from './text.ts'

interface EventsPictureProps {
	filter: string
	/** The chart is updated after the rows. */
	rows: AnsweredRows
	span: EventSpan
	pictured: Times
	brush: {from: string; to: string} | null
	onSpan: (span: EventSpan) => void
	onBrush: (range: EventsPictureProps['brush']) => void
	/** Enter on a selected time: go to its rows. */
	onOpen: () => void
	state: EventStoreState | undefined
	/** Events without a value of the grouping. */
	lonely: {words: string; term: string} | null
	onLeaveOut: (term: string) => void
	onReadMissing: (days: number) => void
	handle: Ref<HistogramHandle>
}

/** Matching events over time by severity. A time selected in it restricts the rows. */
export function EventsPicture(props: EventsPictureProps) {
	const {data, error, refetch, filter} = useCounts(props)
	if (data === undefined && error !== null)
		return (
			<Banner tone="warning" act={[t.tryAgain, () => void refetch()]}>
				{t.couldNotLoadColon} {error.message}
			</Banner>
		)
	if (data === undefined) return <Skeleton width="100%" height={170} />
	return (
		<div className={styles.picture}>
			<Drawn {...props} data={data} filter={filter} />
			<Note {...props} countedFrom={data.exact ? null : data.countedFrom} gaps={gapWords(data)} />
		</div>
	)
}

/** Counted once the rows are visible; `filter` is that of the counts. */
function useCounts({filter, span, pictured, rows}: EventsPictureProps) {
	const {connection} = useConnected()
	const question = useMemo(() => ({connection, filter, ...pictured, steps: spanSpecs[span].steps}), [connection, filter, pictured, span])
	const asked = useAfterRows(question, rows)
	const input = asked ?? question
	const {data, error, refetch} = useAsked(q => q.events.histogram, {input, enabled: asked !== undefined, placeholderData: old => old})
	return {data, error, refetch, filter: input.filter}
}

/** Redrawn for other counts or another selection, not for every typed letter. */
function Drawn({data, filter, span, brush, onSpan, onBrush, onOpen, handle, state}: EventsPictureProps & Counted) {
	const open = useCallback(
		(range: NonNullable<EventsPictureProps['brush']>) => {
			onBrush(range)
			onOpen()
		},
		[onBrush, onOpen]
	)
	// Data that was never loaded is not empty.
	const isKnown = state !== undefined && state.stored > 0
	const none = state === undefined || state.phase === 'loading' ? 'Events are loading.' : 'No event is stored.'
	const words = isKnown ? `No event ${filter === '' ? 'in' : 'matches in'} ${spanSpecs[span].words}.` : none
	return useMemo(
		() => (
			<EventsHistogram
				title={t.eventsBySeverity}
				data={data}
				brush={brush}
				onBrush={onBrush}
				onOpen={open}
				height={104}
				empty={words}
				fileName="events-by-severity"
				handle={handle}
				controls={<SpanSwitch span={span} onSpan={onSpan} />}
			/>
		),
		[data, words, span, brush, onSpan, onBrush, open, handle]
	)
}

interface Counted {
	data: EventHistogram
}

/** Gaps are drawn only with counts. */
function gapWords({gaps, counts}: Pick<EventHistogram, 'gaps' | 'counts'>) {
	if (gaps.length === 0) return null
	const isDrawn = eventSeverities.some(name => counts[name].some(count => count > 0))
	return isDrawn ? 'Hatched times have not been loaded yet.' : 'Parts of this time have not been loaded yet.'
}

type NoteProps = EventsPictureProps & {countedFrom: string | null; gaps: string | null}

function Note({brush, onBrush, countedFrom, gaps, state, onReadMissing, lonely, onLeaveOut, filter}: NoteProps) {
	const zone = useTimeZone()
	const calls = state === undefined || state.phase === 'loading' ? null : missingCalls(state)
	return (
		<p className={styles.hint} role="status">
			{brush !== null && (
				<span>
					{t.chosenTo(formatExact(brush.from, zone), formatExact(brush.to, zone))}{' '}
					<Link onPress={() => onBrush(null)}>{t.clearSelectionTime}</Link>
				</span>
			)}
			{lonely !== null && (
				<span>
					{lonely.words}{' '}
					{!filter.includes(lonely.term) && (
						<Link onPress={() => onLeaveOut(lonely.term)}>{t.leaveOut(lonely.words.startsWith('1 ') ? t.it : t.them)}</Link>
					)}
				</span>
			)}
			{countedFrom !== null && <span>{t.countedBack(formatExact(countedFrom, zone))}</span>}
			{gaps !== null && (
				<span>
					{gaps}{' '}
					{calls !== null && state !== undefined && (
						<Link onPress={() => onReadMissing(state.keptDays)}>
							{t.loadMissing(state.keptDays, formatCount(calls), formOf(calls, nouns.call))}
						</Link>
					)}
				</span>
			)}
		</p>
	)
}

function SpanSwitch({span, onSpan}: {span: EventSpan; onSpan: (span: EventSpan) => void}) {
	return (
		<Segments label={t.timeSpan} options={eventSpans.map(value => ({value, title: spanSpecs[value].title}))} value={span} onChange={onSpan} />
	)
}
