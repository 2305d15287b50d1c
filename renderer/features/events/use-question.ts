import {useNavigate, useRouter, useSearch} from '@tanstack/react-router'
import {useCallback, useMemo} from 'react'

import type {EventQuery} from '#shared/contract/events.ts'
import {eventFilter} from '#shared/model/event-filter.ts'
import type {EventFilterTerm} from '#shared/model/event-filter-values.ts'
import {addTerm} from '#shared/model/filter-language.ts'

import {useActiveConnection} from '../../api/active.tsx'
import {useTypedFilter, type TypedFilter} from '../../commands/filter/use-typed-filter.ts'
import {useFromNow} from '../../ui/Clock.tsx'
import type {EventSpan} from '#shared/contract/event-views.ts'
import type {EventsSearch} from './search.ts'
import {endOf, picturedTimes, shownTimes, spanOf, type Times} from './span.ts'

export interface EventsView {
	readonly search: EventsSearch
	/** Changes the address of the screen in its place. */
	change(next: Partial<EventsSearch>): void
	readonly filter: TypedFilter<EventFilterTerm>
	/** Puts a term into the filter. */
	ask(term: string): void
	/** No filter, and all of the time. */
	showAll(): void
	/** What the rows answer to. */
	readonly question: EventQuery
	readonly span: EventSpan
	/** The time that the picture shows. */
	readonly pictured: Times
	/** The chosen time in it; an open end is the end of the picture. */
	readonly brush: {readonly from: string; readonly to: string} | null
	/** Whether a span or a chosen time restricts the rows. */
	readonly isTimed: boolean
}

/** What the screen is asked: its address and the typed filter, as a question to the store of events. */
export function useQuestion(): EventsView {
	const {id: connection} = useActiveConnection()
	const search = useSearch({from: '/events'})
	const navigate = useNavigate({from: '/events'})
	const {history} = useRouter()
	const change = useCallback(
		(next: Partial<EventsSearch>) => void navigate({search: old => ({...old, ...next}), replace: true}),
		[navigate],
	)
	const filter = useTypedFilter(eventFilter, search.filter ?? '', text => {
		// On the way to another screen the address is no longer this one's.
		if (history.location.pathname === '/events') change({filter: text === '' ? undefined : text})
	})
	const span = useFromNow(now => spanOf(search, now))
	const end = useFromNow(now => endOf(span, now))
	const {from, to, grouping = 'none', within = null} = search
	const {applied} = filter
	// The same objects as long as they say the same: what is drawn from them is drawn again only for something new.
	const pictured = useMemo(() => picturedTimes(span, end), [span, end])
	const brush = useMemo(() => brushOf(from, to, pictured, end), [from, to, pictured, end])
	const question = useMemo(
		() => ({connection, filter: applied, ...shownTimes({from, to}, span, end), grouping, within}),
		[connection, applied, from, to, span, end, grouping, within],
	)
	const isTimed = question.from !== null || question.to !== null
	const ask = (term: string) => filter.set(addTerm(eventFilter, applied, term))
	const showAll = () => {
		filter.set('')
		change({filter: undefined, from: undefined, to: undefined, span: 'all'})
	}
	return {search, change, filter, ask, showAll, question, span, pictured, brush, isTimed}
}

function brushOf(from: string | undefined, to: string | undefined, pictured: Times, end: number): EventsView['brush'] {
	if (from === undefined && to === undefined) return null
	return {from: from ?? pictured.from ?? new Date(0).toISOString(), to: to ?? new Date(end).toISOString()}
}
