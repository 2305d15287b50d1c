import {useNavigate, useSearch} from '@tanstack/react-router'
import {useRef, type Ref} from 'react'

import type {EventHistogram} from '#contract/events.ts'
import {useActiveConnection, useConnected, useAsked} from '#api/hooks.tsx'
import {EventsHistogram} from '#ui/chart/EventsHistogram.tsx'
import type {HistogramHandle} from '#ui/chart/Histogram.tsx'
import type {TimeRange} from '#ui/chart/histogram-shapes.ts'
import {useFromNow} from '#ui/Time.tsx'
import {ErrorState, Skeleton} from '#ui/States.tsx'
import {Segments} from '#ui/Segments.tsx'
import {useKeys} from '#ui/keys/KeyRegistry.tsx'
import {eventSeverities} from '#model/event.ts'
import {ChosenTime} from './ChosenTime.tsx'
import styles from './OverviewScreen.module.css'
import {t} from './text.ts'
import {pathDuring, useChosenTime} from './use-chosen-time.ts'
import {useOpen} from './use-open.ts'

const spans = {'24h': {title: '24 h', ms: 86_400_000, steps: 96}, '7d': {title: '7 d', ms: 7 * 86_400_000, steps: 84}} as const
type Span = keyof typeof spans

/** Stored events over time by severity; a selected part restricts the screen's time-dependent parts. */
export function EventsPicture({hasEvents}: {hasEvents: boolean}) {
	const {connection: id} = useConnected()
	const search = useSearch({from: '/overview'})
	const navigate = useNavigate({from: '/overview'})
	const {range, choose: chooseTime} = useChosenTime()
	const picture = useRef<HistogramHandle>(null)
	const span = search.span ?? '24h'
	const {ms, steps} = spans[span]
	// The axis advances in whole steps.
	const stepMs = ms / steps
	const end = useFromNow(now => Math.ceil(now / stepMs) * stepMs)
	const from = new Date(end - ms).toISOString()
	const to = new Date(end).toISOString()
	const {data, error, refetch} = useAsked(q => q.events.histogram, {
		input: {connection: id, filter: '', from, to, steps},
		placeholderData: old => old
	})
	const choose = (next: Span) => void navigate({search: {span: next}, replace: true})
	useKeys({
		'overview.shorter': span !== '24h' && (() => choose('24h')),
		'overview.longer': span !== '7d' && (() => choose('7d')),
		'overview.brush': () => picture.current?.beginBrush()
	})
	if (error !== null && data === undefined) return <ErrorState error={error} title={t.couldNotLoadStored} onRetry={refetch} />
	const clear = () => {
		chooseTime(null)
		// The pressed button disappears.
		picture.current?.focus()
	}
	if (data === undefined) return <ToCome range={range} onClear={clear} />
	return (
		<Shown
			data={data}
			empty={hasEvents ? t.noEventLast(span === '24h' ? t.n24Hours : t.n7Days) : t.noEventsYet}
			brush={range}
			onBrush={chooseTime}
			onClear={clear}
			span={span}
			onSpan={choose}
			handle={picture}
		/>
	)
}

/** Reserves the height of the chart and its parts. */
function ToCome({range, onClear}: {range: TimeRange | null; onClear: () => void}) {
	const {id: connection} = useActiveConnection()
	return (
		<>
			<Skeleton width="100%" height={170} />
			{range === null ? <p className={styles.chosen} /> : <ChosenTime key={connection} range={range} onClear={onClear} />}
		</>
	)
}

interface ShownProps {
	data: EventHistogram
	empty: string
	brush: {from: string; to: string} | null
	onBrush: (range: ShownProps['brush']) => void
	onClear: () => void
	span: Span
	onSpan: (span: Span) => void
	handle: Ref<HistogramHandle>
}

function Shown({data, empty, brush, onBrush, onClear, span, onSpan, handle}: ShownProps) {
	const open = useOpen()
	const {id: connection} = useActiveConnection()
	const isEmpty = eventSeverities.every(severity => data.counts[severity].every(count => count === 0))
	return (
		<>
			<EventsHistogram
				title={t.eventsBySeverity}
				data={data}
				brush={brush}
				onBrush={onBrush}
				onOpen={range => open(pathDuring('/events', range))}
				empty={empty}
				fileName="events-by-severity"
				handle={handle}
				controls={<SpanSwitch span={span} onSpan={onSpan} />}
			/>
			{brush === null ? (
				<p className={styles.chosen}>{!isEmpty && <span className="note">{t.dragOverChart}</span>}</p>
			) : (
				<ChosenTime key={connection} range={brush} onClear={onClear} />
			)}
		</>
	)
}

function SpanSwitch({span, onSpan}: {span: Span; onSpan: (span: Span) => void}) {
	return (
		<Segments
			label={t.timeSpan}
			options={(['24h', '7d'] as const).map(value => ({value, title: spans[value].title}))}
			value={span}
			onChange={onSpan}
		/>
	)
}
