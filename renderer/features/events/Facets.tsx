import {useMemo} from 'react'

import type {EventQuery, Facet} from '#contract/events.ts'
import type {EventFilterTerm} from '#model/event-filter-values.ts'

import {useAsked} from '#api/hooks.tsx'
import {FacetPanel, type FacetSection} from '#commands/filter/FacetPanel.tsx'
import {useAfterRows, type AnsweredRows} from '#commands/filter/use-after-rows.ts'
import type {TypedFilter} from '#commands/filter/use-typed-filter.ts'
import {facetTerm, type FacetName, shapeOf} from '#commands/filter/event-facet-terms.ts'
import {eventsInWords} from './grouping.ts'

const titles: Readonly<Record<FacetName, string>> = {
	severity: 'Severity',
	outcome: 'Outcome',
	type: 'Type',
	detection: 'Detection',
	group: 'Group'
}
// The keys of the literal above.
const names = Object.keys(titles) as readonly FacetName[]

interface FacetsProps {
	id: string
	question: EventQuery
	/** Counted after the rows. */
	rows: AnsweredRows
	filter: TypedFilter<EventFilterTerm>
	/** Nothing is known before the first page. */
	isWaiting: boolean
}

/** Count of each value among the matching events; a click filters by it. */
export function Facets({id, question, rows, filter, isWaiting}: FacetsProps) {
	const asked = useAfterRows(question, rows)
	const {
		data: counts,
		error,
		refetch
	} = useAsked(q => q.events.facets, {input: asked ?? question, enabled: asked !== undefined, placeholderData: old => old})
	const data = isWaiting ? undefined : counts
	const sections = useMemo(() => data && names.map(name => sectionOf(name, data[name])), [data])
	return (
		<FacetPanel
			id={id}
			filter={filter}
			sections={sections}
			error={error}
			onRetry={refetch}
			about={data === undefined ? null : eventsInWords((asked ?? question).grouping, data.counted)}
		/>
	)
}

function sectionOf(name: FacetName, facets: readonly Facet[]): FacetSection {
	const values = facets.map(({value, label, count}) => ({
		key: value,
		label,
		count,
		term: facetTerm(name, {value, label}),
		shape: shapeOf(name, value)
	}))
	return {title: titles[name], values}
}
