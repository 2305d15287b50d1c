import {useEffect, useMemo, useRef, useState} from 'react'
import {z} from 'zod'

import type {EventHistogram} from '#contract/events.ts'
import {unnamedIn} from '#shared/attention-names.ts'
import type {AttentionItem} from '#contract/insight.ts'
import {counted} from '#text/numbers.ts'
import {nouns} from '#text/terms.ts'
import {useAskedHere} from '#api/hooks.tsx'
import {Link} from '#ui/Button.tsx'
import {EventsHistogram} from '#ui/chart/EventsHistogram.tsx'
import type {TimeRange} from '#ui/chart/histogram-shapes.ts'
import {type Spark, sparkOf} from '#ui/chart/spark.ts'
import {Sparkline, SparklineToCome} from '#ui/chart/Sparkline.tsx'
import {useFromNow, Time} from '#ui/Time.tsx'
import {cx} from '#ui/cx.ts'
import {Dialog} from '#ui/Dialog.tsx'
import {KeyCap} from '#ui/Tag.tsx'
import {useKeys} from '#ui/keys/KeyRegistry.tsx'
import {Skeleton} from '#ui/States.tsx'
import {urgencyWords} from '#ui/event-words.ts'
import {Card} from '#ui/Screen.tsx'
import styles from './OverviewScreen.module.css'
import {t} from './text.ts'
import {pathDuring} from './use-chosen-time.ts'
import {useOpen} from './use-open.ts'

interface AttentionProps {
	connection: string
	/** `undefined` during the first load. */
	items: readonly AttentionItem[] | undefined
	checkedAt: string | undefined
	/** Computers are not loaded: "nothing needs attention" would be a guess. */
	isBlind: boolean
}

/** What needs action in the next ten minutes. Each line opens its rows; keys 1 to 9 open the lines in order. */
export function Attention({connection, items, checkedAt, isBlind}: AttentionProps) {
	useAttentionKeys(items ?? [])
	return (
		<Card
			title={t.needsAttention}
			aside={
				checkedAt === undefined || items?.length === 0 ? undefined : (
					<>
						{t.checked} <Time at={checkedAt} form="clock" />
					</>
				)
			}
		>
			{items === undefined || checkedAt === undefined ? (
				<ToCome key={connection} connection={connection} />
			) : items.length === 0 && isBlind ? (
				<p className="note">{t.noDataYetRefresh}</p>
			) : (
				<Known connection={connection} items={items} checkedAt={checkedAt} />
			)}
		</Card>
	)
}

interface KnownProps extends Pick<AttentionProps, 'connection'> {
	items: readonly AttentionItem[]
	checkedAt: string
}

function Known({connection, items, checkedAt}: KnownProps) {
	const place = useRef<HTMLDivElement>(null)
	useEffect(() => {
		const element = place.current
		if (element === null) return undefined
		const observer = new ResizeObserver(() => keepRoom(connection, items.length, element.offsetHeight))
		observer.observe(element)
		return () => observer.disconnect()
	}, [connection, items.length])
	return (
		<div ref={place}>
			{items.length === 0 ? (
				<p className={styles.calm}>
					<span aria-hidden>✓</span> {t.nothingNeeds} <Time at={checkedAt} form="clock" />.
				</p>
			) : (
				<ol className={styles.attention}>
					{items.map((item, index) => (
						<Line key={`${item.kind} ${item.open}`} item={item} place={index + 1} />
					))}
				</ol>
			)}
		</div>
	)
}

const skeletonWidths = ['72%', '54%', '63%']

/** As high as the lines were last time, so that nothing below moves once they are loaded. */
function ToCome({connection}: Pick<AttentionProps, 'connection'>) {
	const [{lines, height}] = useState(() => readRoom(connection))
	return (
		<div role="status" aria-label={t.checkingWhat} className={styles.toCome} {...(height !== null && {style: {height}})}>
			{Array.from({length: Math.max(1, lines)}, (_, index) => (
				<div key={index} className={styles.line}>
					<span />
					<Skeleton width="48px" />
					<Skeleton width={skeletonWidths[index % skeletonWidths.length] ?? '60%'} />
				</div>
			))}
		</div>
	)
}

function Line({item, place}: {item: AttentionItem; place: number}) {
	const {shape, word} = urgencyWords[item.urgency]
	return (
		<li className={styles.line}>
			<span>{place <= 9 && <KeyCap keys={String(place)} />}</span>
			<span className={cx(styles.urgency, styles[item.urgency])}>
				<span aria-hidden>{shape}</span> {word}
			</span>
			<span className={styles.what}>
				<Link href={item.open} className={styles.title}>
					{item.title}
				</Link>
				{item.names.length !== 0 && <span className="fact">{namesOf(item)}</span>}
			</span>
			<ItemTrend item={item} />
			<span className={styles.since}>
				{item.since !== null && (
					<>
						{t.since} <Time at={item.since} form="age" />
					</>
				)}
			</span>
		</li>
	)
}

function namesOf(item: AttentionItem) {
	return `${item.names.join(', ')}${unnamedIn(item) > 0 ? ', …' : ''}`
}

/** Keys 1 to 9 open the lines in order. */
function useAttentionKeys(items: readonly AttentionItem[]) {
	const go = useOpen()
	const keys = ([1, 2, 3, 4, 5, 6, 7, 8, 9] as const).map(number => {
		const item = items[number - 1]
		return [`overview.open${number}`, item !== undefined && (() => go(item.open))] as const
	})
	useKeys(Object.fromEntries(keys))
}

/* The height of the attention lines last time: the next start reserves it, and nothing moves. */

/** `width` of the window: lines are higher in a narrow one. */
const roomSchema = z.object({lines: z.int().min(0).max(100), height: z.number().min(0), width: z.number()})
type Room = z.infer<typeof roomSchema>

/** The most recent connection is last. */
const keptSchema = z.array(z.tuple([z.string(), roomSchema]))
type Kept = z.infer<typeof keptSchema>

const storage = 'cordon.overview.attention'
const mostKept = 20
/** Typical number for most tenants. */
const usualLines = 3

/** `height` is `null` when only the number of lines is known. */
interface RoomToCome {
	lines: number
	height: number | null
}

export function roomIn(kept: Kept, connection: string, width: number): RoomToCome {
	const room = kept.find(([id]) => id === connection)?.[1]
	if (room === undefined) return {lines: usualLines, height: null}
	return {lines: room.lines, height: room.width === width ? room.height : null}
}

export function withRoom(kept: Kept, connection: string, room: Room): Kept {
	return [...kept.filter(([id]) => id !== connection), [connection, room] satisfies Kept[number]].slice(-mostKept)
}

function readRoom(connection: string) {
	return roomIn(readKept(), connection, window.innerWidth)
}

function keepRoom(connection: string, lines: number, height: number) {
	try {
		const next = withRoom(readKept(), connection, {lines, height, width: window.innerWidth})
		localStorage.setItem(storage, JSON.stringify(next))
	} catch {
		// Without storage the next start uses the default.
	}
}

function readKept() {
	try {
		return parseKept(localStorage.getItem(storage))
	} catch {
		return []
	}
}

/** Anything else in the storage is ignored. */
export function parseKept(text: string | null): Kept {
	try {
		return keptSchema.safeParse(JSON.parse(text ?? '[]')).data ?? []
	} catch {
		return []
	}
}

const stepMs = 6 * 3_600_000
const steps = 28

type TrendItem = Pick<AttentionItem, 'title' | 'open'>

/** The course of a line's rows over seven days, if the event store has their times. */
function ItemTrend({item}: {item: TrendItem}) {
	const filter = trendFilter(item.open)
	return filter === null ? null : <Trend item={item} filter={filter} />
}

/** As small as a word; pressed, it opens the chart with its table. */
function Trend({item, filter}: {item: TrendItem; filter: string}) {
	const [isOpen, setOpen] = useState(false)
	const end = useFromNow(now => Math.ceil(now / stepMs) * stepMs)
	const span = {from: new Date(end - steps * stepMs).toISOString(), to: new Date(end).toISOString()}
	const {data} = useAskedHere(q => q.events.histogram, {filter, ...span, steps}, {placeholderData: old => old})
	const spark = useMemo(() => (data === undefined ? null : sparkOf(data)), [data])
	if (data === undefined)
		return (
			<span className={styles.trend}>
				<SparklineToCome counts={steps} />
			</span>
		)
	if (spark === null) return null
	const words = wordsOf(spark)
	return (
		<>
			<button type="button" className={styles.trend} aria-label={t.enlarge(words)} aria-haspopup="dialog" onClick={() => setOpen(true)}>
				<Sparkline spark={spark} label={words} />
			</button>
			{isOpen && <TrendDialog item={item} data={data} onClose={() => setOpen(false)} />}
		</>
	)
}

function wordsOf({total, isPart}: Spark) {
	const count = `${isPart ? 'At least ' : ''}${counted(total, nouns.event)}`
	return `${count} in seven days, one bar for six hours${isPart ? '; part of that time was not loaded' : ''}`
}

/** The event filter of a page's path; `null` for other paths. */
export function trendFilter(open: string) {
	const {pathname, searchParams} = new URL(open, 'https://page.invalid')
	return pathname === '/events' ? searchParams.get('filter') : null
}

/** The course of one line in full: severities, table and files, and a selectable time. */
function TrendDialog({item, data, onClose}: {item: Pick<AttentionItem, 'title' | 'open'>; data: EventHistogram; onClose: () => void}) {
	const open = useOpen()
	const [brush, setBrush] = useState<TimeRange | null>(null)
	const show = (range: TimeRange | null) => {
		onClose()
		open(pathDuring(item.open, range))
	}
	return (
		<Dialog
			title={item.title}
			size="large"
			onClose={onClose}
			cancel={t.close}
			act={[brush === null ? t.showTheseEvents : t.showEventsChosen, () => show(brush)]}
		>
			<EventsHistogram
				title={t.eventsSeven}
				data={data}
				brush={brush}
				onBrush={setBrush}
				onOpen={show}
				height={220}
				empty={t.noEventThese}
				fileName="attention"
			/>
		</Dialog>
	)
}
