import {useMemo} from 'react'

import type {JoinedPage, JoinedRow, LogThread} from '#contract/log.ts'
import type {LogQuery, Pin} from '#model/incident.ts'
import {omitUndefined} from '#shared/omit-undefined.ts'

import {useActiveConnectionOrNull, useAsked} from '#api/hooks.tsx'
import {usePaged, type Paged} from '#api/pages.ts'
import {useFromNow} from '#ui/Time.tsx'
import {allTenants, sinceOf, type IncidentLogSearch} from './search.ts'

export type LogRows = Paged<JoinedRow, JoinedPage>

type Question = Omit<Partial<LogQuery>, 'limit' | 'before' | 'after'>

/** The part of the address that queries the log. */
export function questionOf(search: IncidentLogSearch, now: number, tenant?: string): Question {
	const {text, incident, target, surface, person: operator, hash} = search
	return {
		...omitUndefined({text, incident, target, surface, operator, hash}),
		...(search.kind === undefined ? {} : {kinds: [search.kind]}),
		...tenantOf(search, tenant),
		...(search.pinned === true ? {pinned: true} : {}),
		...timesOf(search, now),
		...(search.writes === true ? {writesOnly: true} : {})
	}
}

function tenantOf({connection}: IncidentLogSearch, tenant: string | undefined): Question {
	if (connection === allTenants) return {}
	if (connection !== undefined) return {connection}
	return tenant === undefined ? {} : {tenant}
}

/** A time selected in a chart takes precedence over a last period. */
function timesOf({from, to, within}: IncidentLogSearch, now: number): Pick<Question, 'since' | 'until'> {
	if (from !== undefined || to !== undefined) return omitUndefined({since: from, until: to})
	return within === undefined ? {} : {since: sinceOf(within, now)}
}

/** To the minute: a query that changed on every render would never be answered. */
export function useQuestion(search: IncidentLogSearch): Question {
	const minute = useFromNow(now => Math.floor(now / 60_000))
	return questionOf(search, minute * 60_000, useActiveConnectionOrNull()?.id)
}

/**
 * Only visible rows are loaded; the live stream adds new ones, but not those after `upTo`. `connection`: of the merged audit log.
 */
export function useLogRows(search: IncidentLogSearch, connection: string | null, upTo: number | undefined): LogRows {
	const query = useQuestion(search)
	return usePaged(q => q.log.joined, {query, connection}, {upTo})
}

const nothing: LogThread = {row: null, entries: []}

/** The row in the address, at any position, with all entries about the same object. */
export function useThread(key: string | undefined, connection: string | null) {
	const {data} = useAsked(q => q.log.thread, {input: {connection, key: key ?? '-'}, enabled: key !== undefined})
	return data ?? nothing
}

export function usePins(): ReadonlyMap<string, Pin> {
	const {data} = useAsked(q => q.log.pins)
	return useMemo(() => new Map((data ?? []).map(pin => [pin.about, pin])), [data])
}
