import {apiVersion, Refusal, type Answer} from './answer.ts'
import type {Call} from './call.ts'

type Page = ReturnType<typeof pageOf>

const defaultLimit = 500

/** Reads `limit` (1 to `maximum`) and `offset`. Throws a {@link Refusal} of 400. */
export function pageOf(call: Call, maximum = defaultLimit) {
	const limit = integerOf(call, 'limit', defaultLimit)
	const offset = integerOf(call, 'offset', 0)
	if (limit < 1 || limit > maximum) throw new Refusal(400, `limit must be between 1 and ${maximum}`)
	return {limit, offset}
}

function integerOf(call: Call, name: string, fallback: number) {
	const text = call.query.get(name)
	if (text === null) return fallback
	if (!/^\d{1,9}$/.test(text)) throw new Refusal(400, `${name} must be a whole number that is not negative`)
	return Number(text)
}

/** A page of a collection: `next` and `prev` only when such a page exists (API reference, 1.4). */
export function listAnswer(call: Call, page: Page, total: number, data: unknown, count: number, exact = false): Answer {
	const body = {
		version: apiVersion,
		metadata: {links: linksOf(call, page, total), results: {total, current_item_count: count, index: page.offset, items_per_page: page.limit}},
		data
	}
	return {status: 200, body, exact}
}

/** Cuts the page out of all matches and renders each with `show`. */
export function pagedList<T>(call: Call, items: readonly T[], show: (item: T) => unknown, exact = false): Answer {
	const page = pageOf(call)
	const shown = items.slice(page.offset, page.offset + page.limit).map(show)
	return listAnswer(call, page, items.length, shown, shown.length, exact)
}

function linksOf(call: Call, {limit, offset}: Page, total: number) {
	const links: Record<string, string> = {self: call.self}
	if (offset > 0) links['prev'] = withOffset(call, Math.max(0, offset - limit))
	if (offset + limit < total) links['next'] = withOffset(call, offset + limit)
	return links
}

function withOffset(call: Call, offset: number) {
	const query = new URLSearchParams(call.query)
	query.set('offset', String(offset))
	return `${call.origin}${call.path}?${query.toString()}`
}
