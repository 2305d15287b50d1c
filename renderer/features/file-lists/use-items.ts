import {useMemo} from 'react'

import {useConnected} from '#api/hooks.tsx'
import {usePaged} from '#api/pages.ts'
import type {FileListSearch} from './search.ts'

/** Search and order of items. */
export type ItemsQuestion = ReturnType<typeof questionOf>

export function questionOf({search = '', sort = 'sha256', descending = false}: FileListSearch) {
	return {search, sort, descending}
}

/** Windows over a list's items in the local copy. */
export function useItems(guid: string, question: ItemsQuestion) {
	const {connection} = useConnected()
	return usePaged(q => q.directory.fileLists.items, {connection, guid, ...question})
}

/** Position of an item in a query's order. The function is stable. */
export function useLocate(guid: string) {
	const {client, connection} = useConnected()
	return useMemo(
		() => (question: ItemsQuestion, sha256: string, signal: AbortSignal) =>
			client.directory.fileLists.position({connection, guid, ...question, sha256}, {signal}),
		[client, connection, guid]
	)
}
