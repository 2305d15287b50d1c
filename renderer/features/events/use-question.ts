import {useMemo} from 'react'

import type {EventQuery} from '#contract/events.ts'
import {eventFilter} from '#model/event-filter.ts'
import type {EventFilterTerm} from '#model/event-filter-values.ts'
import {addTerm} from '#model/filter-language.ts'

import {useActiveConnection} from '#api/hooks.tsx'
import {useTypedFilter, type TypedFilter} from '#commands/filter/use-typed-filter.ts'
import {useAddress} from '#kit/use-address.ts'
import {useFromNow} from '#ui/Time.tsx'
import type {EventSpan} from '#model/choices.ts'
import type {EventsSearch} from './search.ts'
import {endOf, picturedTimes, shownTimes, spanOf, type Times} from './span.ts'

export interface EventsView {
	search: EventsSearch
	/** Changes the address without a history entry. */
	change(next: Partial<EventsSearch>): void
	filter: TypedFilter<EventFilterTerm>
	ask(term: string): void
	showAll(): void
	question: EventQuery
	span: EventSpan
	pictured: Times
	/** The selected time within it; an open end is the end of the chart. */
	brush: {from: string; to: string} | null
	/** Whether a span or a selected time restricts the rows. */
	isTimed: boolean
}

export function useQuestion(): EventsView {
	const {id: connection} = useActiveConnection()
	const {search, change} = useAddress('/events')
	const filter = useTypedFilter(eventFilter, search.filter ?? '', text => change({filter: text}))
	const span = useFromNow(now => spanOf(search, now))
	const end = useFromNow(now => endOf(span, now))
	const {from, to, grouping = 'none', within = null} = search
	const {applied} = filter
	// The same objects while unchanged: charts are redrawn only for new ones.
	const pictured = useMemo(() => picturedTimes(span, end), [span, end])
	const brush = useMemo(() => brushOf(from, to, pictured, end), [from, to, pictured, end])
	const question = useMemo(
		() => ({connection, filter: applied, ...shownTimes({from, to}, span, end), grouping, within}),
		[connection, applied, from, to, span, end, grouping, within]
	)
	const isTimed = question.from !== null || question.to !== null
	const ask = (term: string) => filter.set(addTerm(eventFilter, applied, term))
	const showAll = () => {
		filter.set('')
		change({filter: '', from: undefined, to: undefined, span: 'all'})
	}
	return {search, change, filter, ask, showAll, question, span, pictured, brush, isTimed}
}

function brushOf(from: string | undefined, to: string | undefined, pictured: Times, end: number): EventsView['brush'] {
	if (from === undefined && to === undefined) return null
	return {from: from ?? pictured.from ?? new Date(0).toISOString(), to: to ?? new Date(end).toISOString()}
}
