import {useMemo} from 'react'

import type {FileListItemRow, FileListItems} from '#contract/directory.ts'

import {useConnected} from '#api/hooks.tsx'
import {usePaged, type Paged} from '#api/pages.ts'
import type {FileListSearch} from './search.ts'

/** Search and order of items. */
export type ItemsQuestion = ReturnType<typeof questionOf>

export function questionOf({search = '', sort = 'sha256', descending = false}: FileListSearch) {
	return {search, sort, descending}
}

const pageSize = 100

/** Windows over a list's items in the local copy. */
export function useItems(guid: string, question: ItemsQuestion): Paged<FileListItemRow, FileListItems> {
	const {queries, connection} = useConnected()
	return usePaged<FileListItemRow, FileListItems>({
		pageSize,
		question: JSON.stringify([guid, question]),
		page: (offset, limit) => queries.directory.fileLists.items.queryOptions({input: {connection, guid, ...question, offset, limit}}),
	})
}

/** Position of an item in a query's order. The function is stable. */
export function useLocate(guid: string) {
	const {client, connection} = useConnected()
	return useMemo(
		() => (question: ItemsQuestion, sha256: string, signal: AbortSignal) =>
			client.directory.fileLists.position({connection, guid, ...question, sha256}, {signal}),
		[client, connection, guid],
	)
}
