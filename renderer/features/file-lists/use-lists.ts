import {useEffect, useRef} from 'react'

import type {FileListRow} from '#contract/directory.ts'
import {itemsKnown} from '#model/file-list.ts'

import {useConnected, useAskedHere, useCall} from '#api/hooks.tsx'
import {readCalls} from './words.ts'

export type FileListsCopy = ReturnType<typeof useFileLists>

/** All known file lists. */
export function useFileLists() {
	/** Of the copy, not of the service. */
	const {data, error, refetch} = useAskedHere(q => q.directory.fileLists.list, {})
	return {
		/** `undefined` until the copy's first answer. */
		items: data?.lists,
		unlisted: data?.unlisted ?? [],
		state: data?.state,
		error,
		retry: refetch
	}
}

export type ItemsReading = ReturnType<typeof useReadItems>

/** Maximum cost of an automatic load (calls). */
const unasked = 20

/** Loads the items of a list: once automatically when cheap, and on request. */
export function useReadItems(list: FileListRow | undefined) {
	const {connection} = useConnected()
	const {isPending, mutate} = useCall((client, guid: string) => client.directory.fileLists.refreshItems({connection, guid}).catch(() => {}))
	const guid = list?.guid
	const calls = list === undefined ? null : readCalls(list)
	const isWanted =
		list !== undefined && list.vanishedAt === null && list.problem === null && itemsKnown(list) === 'never' && calls !== null && calls <= unasked
	const tried = useRef<string | null>(null)
	useEffect(() => {
		if (!isWanted || guid === undefined || tried.current === guid) return
		tried.current = guid
		mutate(guid)
	}, [isWanted, guid, mutate])
	return {
		/** Loads all items of the list again; its row reports the outcome. */
		read: () => {
			if (guid !== undefined) mutate(guid)
		},
		/** Running, here or elsewhere in this program. */
		isReading: isPending || list?.itemsRead.running === true
	}
}
