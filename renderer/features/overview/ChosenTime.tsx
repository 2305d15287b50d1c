import type {EventFacets, Facet} from '#contract/events.ts'
import {formatCount} from '#text/numbers.ts'

import {useAskedHere} from '#api/hooks.tsx'
import {facetTerm, type FacetName, shapeOf} from '#commands/filter/event-facet-terms.ts'
import {rangeWords, type TimeRange} from '#ui/chart/histogram-shapes.ts'
import {useTimeZone} from '#ui/Time.tsx'
import {Link} from '#ui/Button.tsx'
import {SkeletonLines} from '#ui/States.tsx'
import {Chip} from '#ui/Tag.tsx'
import styles from './ChosenTime.module.css'
import {t} from './text.ts'
import {pathDuring} from './use-chosen-time.ts'

/** Events of the selected time: each value opens its events. */
export function ChosenTime({range, onClear}: {range: TimeRange; onClear: () => void}) {
	const zone = useTimeZone()
	const {data, error} = useAskedHere(q => q.events.facets, {filter: '', from: range.from, to: range.to}, {placeholderData: old => old})
	return (
		<section className={styles.during} aria-label={t.chosenTime}>
			<p className={styles.line} role="status">
				<Chip tone="accent" name="Time" onRemove={onClear} removeLabel={t.clearTheTime}>
					{rangeWords(range, zone)}
				</Chip>
				<Link href={pathDuring('/events', range)}>{t.showEvents(data === undefined ? '' : `${countWords(data.counted)} `)}</Link>
				<span className="note">{t.lastActions}</span>
			</p>
			{data !== undefined ? (
				<Lists facets={data} range={range} />
			) : error === null ? (
				<SkeletonLines lines={shown + 1} label={t.countingEvents} />
			) : (
				<p className="note">
					{t.couldNotCount} {error.message}
				</p>
			)}
		</section>
	)
}

function countWords({events, exact}: EventFacets['counted']) {
	return `${exact ? '' : 'at least '}${formatCount(events)}`
}

const lists = [
	['severity', 'By severity'],
	['outcome', 'By outcome of the detection'],
	['type', 'By type'],
	['detection', 'By name of detection'],
	['group', 'By group']
] as const satisfies readonly (readonly [FacetName, string])[]
/** Values per list; the events screen has all. */
const shown = 5

function Lists({facets, range}: {facets: EventFacets; range: TimeRange}) {
	return (
		<div className={styles.lists}>
			{lists.map(([name, title]) => (
				<List key={name} name={name} title={title} values={facets[name]} range={range} />
			))}
		</div>
	)
}

interface ListProps {
	name: FacetName
	title: string
	values: readonly Facet[]
	range: TimeRange
}

function List({name, title, values, range}: ListProps) {
	const rest = values.length - shown
	return (
		<div>
			<h3 className={styles.title}>{title}</h3>
			{values.length === 0 && <p className="note">{t.none}</p>}
			<ul className="unlisted">
				{values.slice(0, shown).map(facet => (
					<li key={facet.value} className={styles.value}>
						<Link href={openOf(name, facet, range)} className={styles.label}>
							<span aria-hidden>{shapeOf(name, facet.value)} </span>
							{facet.label}
						</Link>
						<span className={styles.count}>{formatCount(facet.count)}</span>
					</li>
				))}
			</ul>
			{rest > 0 && <p className="note">{t.andMore(formatCount(rest))}</p>}
		</div>
	)
}

function openOf(name: FacetName, facet: Facet, range: TimeRange) {
	return pathDuring(`/events?filter=${encodeURIComponent(facetTerm(name, facet))}`, range)
}
