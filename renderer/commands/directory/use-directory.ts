import type {DirectoryState, GroupNode, PolicyRow} from '#contract/directory.ts'
import type {CordonError} from '#contract/errors.ts'

import {useConnected, useAskedHere, useCall} from '#api/hooks.tsx'
import type {Details} from './directory-words.ts'

export interface Copy<T> {
	/** `undefined` until the first answer. */
	items: readonly T[] | undefined
	state: DirectoryState | undefined
	/** An error of local data, not of the service. */
	error: CordonError | null
	retry(): void
}

export function useGroups(): Copy<GroupNode> {
	const {data, error, refetch} = useAskedHere(q => q.directory.groups.tree, {})
	return {items: data?.groups, state: data?.state, error, retry: refetch}
}

export function usePolicies(): Copy<PolicyRow> {
	const {data, error, refetch} = useAskedHere(q => q.directory.policies.list, {})
	return {items: data?.policies, state: data?.state, error, retry: refetch}
}

export type DirectoryRefresh = ReturnType<typeof useDirectoryRefresh>

export function useDirectoryRefresh() {
	const {connection} = useConnected()
	const {isPending, mutate} = useCall((client, details: Details) => client.directory.refresh({connection, details}).catch(() => {}))
	return {
		isRefreshing: isPending,
		/** Refreshes the listings, and their details on request. The state of local data shows the outcome. */
		refresh: (details: Details = false) => mutate(details)
	}
}

type Named = readonly {guid: string}[]

/** Loads details of groups and policies, one call each. */
export function useReadDetails() {
	const {connection} = useConnected()
	return useCall(async (client, {groups = [], policies = []}: {groups?: Named; policies?: Named}) => {
		for (const {guid} of groups) await client.directory.groups.refreshOne({connection, guid})
		for (const {guid} of policies) await client.directory.policies.refreshOne({connection, guid})
	})
}

export function isReading(state: DirectoryState | undefined, isRefreshing: boolean) {
	return isRefreshing || state?.phase === 'loading'
}
