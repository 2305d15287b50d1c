import {useQueries, useQueryClient, type FetchQueryOptions, type QueryKey, type UseQueryOptions} from '@tanstack/react-query'
import {useCallback, useEffect, useEffectEvent, useMemo, useRef, useState} from 'react'

import type {CordonError} from '#contract/errors.ts'

import type {Api} from './client.ts'
import {type Question, useApi} from './hooks.tsx'

interface Page<Row> {
	rows: readonly Row[]
	offset: number
	/** `exact: false` when more rows match than the host counted. */
	matching: number | {count: number; exact: boolean}
}

export interface Paged<Row, P extends Page<Row>> {
	count: number
	row(index: number): Row | undefined
	want(from: number, to: number): void
	/** The newest page, for the facts beside its rows; `undefined` before the first answer. */
	newest: P | undefined
	isFirstLoad: boolean
	/** The rows shown belong to the previous question, until the present one is answered. */
	isPrevious: boolean
	error: CordonError | null
	retry(): void
}

export const pageSize = 100

/**
 * A long list that reads only the pages in view. The previous question's rows stay until the first page of a new one
 * arrives, so that nothing flashes. What is asked aside makes no new question.
 */
export function usePaged<Input, P extends Page<unknown>>(
	of: (queries: Api['queries']) => Question<Input, P>,
	question: Omit<NoInfer<Input>, 'offset' | 'limit'>,
	aside: Partial<NoInfer<Input>> = {}
): Paged<P['rows'][number], P> {
	const {queries: all, cache} = useApi()
	const [range, setRange] = useState({from: 0, to: pageSize})
	const offsets = useMemo(() => offsetsOf(range, pageSize), [range])
	// A generic call does not say that this is the input.
	const page = (offset: number) => of(all).queryOptions({input: {...question, ...aside, offset, limit: pageSize}} as never) as UseQueryOptions<P>
	const text = JSON.stringify(question)
	const queries = offsets.map(offset => page(offset))
	const results = useQueries({queries})
	const failed = results.find(result => result.error !== null)?.error ?? null
	// `results` is new on every render; this string changes only with the data.
	const version = results.map(result => result.dataUpdatedAt).join(' ')

	const answer = useMemo(
		() => answerOf<P['rows'][number], P>(text, offsets, results, offset => cache.getQueryData<P>(page(offset).queryKey)),
		// `page` belongs to the question, and `version` stands for `results`, which is new on every render.
		// oxlint-disable-next-line react-hooks/exhaustive-deps -- see above
		[text, offsets, version, cache]
	)
	useNeighbours(page, offsets, matchingOf(answer?.newest), version)
	const last = useRef(answer)
	if (answer !== null) last.current = answer
	const shown = answer ?? last.current

	const want = useCallback((from: number, to: number) => setRange(old => (samePages(old, {from, to}) ? old : {from, to})), [])
	const latest = useRef(results)
	latest.current = results
	return useMemo(
		() => ({
			count: matchingOf(shown?.newest),
			row: index => shown?.row(index),
			want,
			newest: shown?.newest,
			isFirstLoad: shown === null && failed === null,
			isPrevious: shown !== null && shown.question !== text,
			error: failed,
			retry: () => {
				for (const result of latest.current) if (result.error !== null) void result.refetch()
			}
		}),
		[shown, text, failed, want]
	)
}

/** Prefetches the pages before and after those in view, so that scrolling meets rows. */
function useNeighbours(page: (offset: number) => {queryKey: QueryKey}, offsets: readonly number[], count: number, version: string) {
	const cache = useQueryClient()
	const pageAt = useEffectEvent(page)
	useEffect(() => {
		for (const offset of neighboursOf(offsets, pageSize, count)) {
			const options = pageAt(offset) as FetchQueryOptions // the caller's query, as for those in view
			// A failure shows when the page comes into view and is requested again.
			void cache.prefetchQuery(options)
		}
		// A new `version` may outdate the neighbours too.
	}, [cache, offsets, count, version])
}

/** What is known for a question: the pages in view, and older ones while the cache keeps them. */
interface Answer<Row, P> {
	question: string
	newest: P
	row(index: number): Row | undefined
}

function answerOf<Row, P extends Page<Row>>(
	question: string,
	offsets: readonly number[],
	results: readonly {data: P | undefined; dataUpdatedAt: number}[],
	kept: (offset: number) => P | undefined
): Answer<Row, P> | null {
	const pages = new Map(offsets.map((offset, index) => [offset, results[index]?.data]))
	const newest = results.toSorted((a, b) => b.dataUpdatedAt - a.dataUpdatedAt)[0]?.data
	if (newest === undefined) return null
	return {
		question,
		newest,
		row(index) {
			const offset = Math.floor(index / pageSize) * pageSize
			if (!pages.has(offset)) pages.set(offset, kept(offset))
			return pages.get(offset)?.rows[index - offset]
		}
	}
}

function matchingOf(page: Page<unknown> | undefined) {
	if (page === undefined) return 0
	return typeof page.matching === 'number' ? page.matching : page.matching.count
}

interface Range {
	from: number
	to: number
}

/** Offsets of the pages that a range touches. */
export function offsetsOf({from, to}: Range, pageSize: number): readonly number[] {
	const first = Math.floor(Math.max(0, from) / pageSize)
	const last = Math.floor(Math.max(from, to - 1, 0) / pageSize)
	return Array.from({length: last - first + 1}, (_, index) => (first + index) * pageSize)
}

/** Offsets of the pages right before and after, as far as rows exist. */
export function neighboursOf(offsets: readonly number[], pageSize: number, count: number): readonly number[] {
	const before = (offsets[0] ?? 0) - pageSize
	const after = (offsets.at(-1) ?? 0) + pageSize
	return [after, before].filter(offset => offset >= 0 && offset < count)
}

function samePages(a: Range, b: Range) {
	const [x, y] = [offsetsOf(a, pageSize), offsetsOf(b, pageSize)]
	return x.length === y.length && x[0] === y[0]
}
