import {useQuery} from '@tanstack/react-query'
import {useCallback, useEffect, useMemo, useRef, useState} from 'react'

import type {ComputerFacets} from '#contract/computer-list.ts'
import {messageOf} from '#contract/errors.ts'
import {computerFilter} from '#model/computer-filter.ts'
import type {ComputerRow} from '#model/computer.ts'
import type {SavedView} from '#model/saved-view.ts'

import {useActiveConnection, useActiveFrame, useApi} from '#api/hooks.tsx'
import {usePaged} from '#api/pages.ts'
import {useAfterRows, type AnsweredRows} from '#commands/filter/use-after-rows.ts'
import {useCursor} from '#commands/filter/use-cursor.ts'
import {useKeptPlace} from '#commands/filter/use-kept-place.ts'
import {useTypedFilter} from '#commands/filter/use-typed-filter.ts'
import {useAddress} from '#kit/use-address.ts'
import {useAnnounce} from '#ui/Announcer.tsx'
import {sortOf} from './columns.tsx'
import {type Question, sortIn} from './rows.ts'
import {useFrozenSelection} from './selection/use-frozen.ts'
import {useViews} from './views/use-views.ts'
import type {TableHandle} from '#ui/table/types.ts'

export type ComputersList = ReturnType<typeof useList>

/** The query, from the address and the typed filter, and the local copy's answer. */
export function useList() {
	const asked = useAsked()
	const {question} = asked
	const rows = useRows(question)
	const table = useRef<TableHandle>(null)
	const [fitting, setFitting] = useState('')
	const cursor = useRowCursor(question, rows.isPrevious ? undefined : rows.newest?.revision, table, rows)
	const selecting = useSelecting(question)
	/** An invisible selection never takes a key. */
	const acted = () => (table.current?.showsSelection() === true ? selecting.selection.guids : [])
	const facets = useFacets(question, rows)
	const matching = rows.newest?.matching ?? 0
	const counts = useCounts(facets.data, facets.isError, {all: rows.newest?.all ?? 0, matching})
	return {...asked, ...selecting, acted, rows, table, fitting, setFitting, cursor, facets, counts, matching}
}

/** `undefined` while loading, `null` if unknown: data that was never complete has no zeros, nor has a count before the rows. */
function useCounts(answer: ComputerFacets | undefined, isError: boolean, {all, matching}: Record<'all' | 'matching', number>) {
	const inventory = useActiveFrame()?.inventory
	const isKnown = all > 0 || inventory?.completeAt != null
	if (answer !== undefined && isKnown && (answer.matching > 0 || matching === 0)) return answer.facets
	const isComing = isKnown || inventory === undefined || inventory.phase === 'loading' || inventory.phase === 'empty'
	return isError || !isComing ? null : undefined
}

/** Rows come first, then counts: now and then while the list loads, and at once when it is whole. */
function useFacets({connection, filter}: Question, rows: AnsweredRows) {
	const question = useMemo(() => ({connection, filter}), [connection, filter])
	const asked = useAfterRows(question, rows)
	const facets = useQuery({
		...useApi().queries.computers.facets.queryOptions({input: asked ?? question, placeholderData: old => old}),
		enabled: asked !== undefined
	})
	const {refetch} = facets
	const isLoading = useActiveFrame()?.inventory.phase === 'loading'
	const wasLoading = useRef(isLoading)
	useEffect(() => {
		if (wasLoading.current && !isLoading) void refetch()
		wasLoading.current = isLoading
	}, [isLoading, refetch])
	return facets
}

function useAsked() {
	const {id: connection} = useActiveConnection()
	const {search, change} = useAddress('/computers')
	const filter = useTypedFilter(computerFilter, search.filter ?? '', text => change({filter: text === '' ? undefined : text}))
	const views = useViews({search, filter: filter.text, setFilter: filter.set, change})
	const sort = sortIn(search)
	const question: Question = {connection, filter: filter.applied, sort}
	const sortBy = (column: string) => {
		const next = sortOf(column)
		if (next === null) return
		change({sort: next, desc: next === sort.column ? !sort.descending : false})
	}
	const asView = (view?: SavedView): SavedView => ({
		id: view?.id ?? crypto.randomUUID(),
		name: view?.name ?? '',
		pinned: view?.pinned ?? true,
		isDefault: view?.isDefault ?? false,
		filter: filter.text.trim(),
		sort: sort.column,
		descending: sort.descending,
		columns: [...views.columns]
	})
	return {search, change, filter, views, question, sortBy, asView}
}

function useRows(question: Question) {
	const frame = useActiveFrame()
	const rows = usePaged(q => q.computers.query, question)
	const waiting = rows.isFirstLoad || (rows.newest?.all === 0 && frame?.inventory.phase === 'loading')
	return {...rows, source: waiting ? undefined : rows, isBusy: rows.isPrevious || waiting}
}

function useRowCursor(
	question: Question,
	revision: number | undefined,
	table: Parameters<typeof useCursor>[0]['table'],
	source: {row(index: number): ComputerRow | undefined}
) {
	const {client} = useApi()
	const locate = useCallback(
		(asked: Question, guid: string, signal: AbortSignal) => client.computers.position({...asked, guid}, {signal}),
		[client]
	)
	useKeptPlace({question, revision, table, source, locate})
	return useCursor({question, revision, table, locate})
}

function useSelecting(question: Question) {
	const {client} = useApi()
	const announce = useAnnounce()
	const inventory = useActiveFrame()?.inventory
	const selection = useFrozenSelection(question.connection)
	const [isInView, setInView] = useState(true)
	// While it is read again, the rows of the last whole listing are all there.
	const isWhole = inventory !== undefined && inventory.completeAt !== null && inventory.phase !== 'partial'
	const refusal = isWhole ? null : 'The list is not whole yet: all that match cannot be told.'
	const selectAll = async () => {
		if (refusal !== null) return announce(refusal)
		try {
			selection.add(await client.computers.guids(question))
		} catch (error) {
			announce(messageOf(error))
		}
	}
	return {selection, isInView, setInView, refusal, selectAll}
}
