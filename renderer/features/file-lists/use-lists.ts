import {useMutation} from '@tanstack/react-query'
import {useEffect, useRef} from 'react'

import type {DirectoryState, FileListRow} from '#contract/directory.ts'
import type {CordonError} from '#contract/errors.ts'

import {useConnected, useAsked} from '#api/hooks.tsx'
import {itemsKnown, readCalls} from './words.ts'

export interface FileListsCopy {
	/** `undefined` until the copy's first answer. */
	readonly items: readonly FileListRow[] | undefined
	readonly state: DirectoryState | undefined
	/** Of the copy, not of the service. */
	readonly error: CordonError | null
	retry(): void
}

/** All known file lists. */
export function useFileLists(): FileListsCopy {
	const {connection} = useConnected()
	const {data, error, refetch} = useAsked(q => q.directory.fileLists.list, {input: {connection}})
	return {items: data?.lists, state: data?.state, error, retry: refetch}
}

export interface ItemsReading {
	/** Loads all items of the list again; its row reports the outcome. */
	read(): void
	/** Running, here or elsewhere in this program. */
	readonly isReading: boolean
}

/** Maximum cost of an automatic load (calls). */
const unasked = 20

/** Loads the items of a list: once automatically when cheap, and on request. */
export function useReadItems(list: FileListRow | undefined): ItemsReading {
	const {client, connection} = useConnected()
	const {isPending, mutate} = useMutation({
		mutationFn: (guid: string) => client.directory.fileLists.refreshItems({connection, guid}).catch(() => {}),
	})
	const guid = list?.guid
	const calls = list === undefined ? null : readCalls(list)
	const isWanted =
		list !== undefined &&
		list.vanishedAt === null &&
		list.problem === null &&
		itemsKnown(list) === 'never' &&
		calls !== null &&
		calls <= unasked
	const tried = useRef<string | null>(null)
	useEffect(() => {
		if (!isWanted || guid === undefined || tried.current === guid) return
		tried.current = guid
		mutate(guid)
	}, [isWanted, guid, mutate])
	return {
		read: () => {
			if (guid !== undefined) mutate(guid)
		},
		isReading: isPending || list?.itemsRead.running === true,
	}
}
