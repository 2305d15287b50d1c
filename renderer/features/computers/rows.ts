import type {ComputerSort} from '#model/choices.ts'
import {pageSize} from '#api/pages.ts'
import type {Queries} from '#api/wire.ts'
import type {ComputersSearch} from './search.ts'

export interface Question {
	connection: string
	filter: string
	sort: {column: ComputerSort; descending: boolean}
}

export function sortIn({sort, desc}: ComputersSearch): Question['sort'] {
	return {column: sort ?? 'hostname', descending: desc ?? false}
}

export function firstPageOf(queries: Queries, connection: string, search: ComputersSearch) {
	const question: Question = {connection, filter: search.filter ?? '', sort: sortIn(search)}
	return queries.computers.query.queryOptions({input: {...question, offset: 0, limit: pageSize}})
}
