import {useQuery} from '@tanstack/react-query'
import {useMemo} from 'react'

import {useActiveConnection, useApi} from '#api/hooks.tsx'

/** Names of groups and policies by GUID, from local data; unknown ones keep their GUID. */
export function useNames(isNeeded: boolean): (guid: string) => string {
	const {queries} = useApi()
	const input = {connection: useActiveConnection().id}
	const groups = useQuery({...queries.directory.groups.tree.queryOptions({input}), enabled: isNeeded})
	const policies = useQuery({...queries.directory.policies.list.queryOptions({input}), enabled: isNeeded})
	return useMemo(() => {
		const named = [...(groups.data?.groups ?? []), ...(policies.data?.policies ?? [])]
		const names = new Map(named.map(({guid, name}) => [guid.toLowerCase(), name]))
		return guid => names.get(guid.toLowerCase()) ?? guid
	}, [groups.data, policies.data])
}

/** Computers of a group and its subgroups in local data; `undefined` for an unknown group. */
export function useComputersBelow(isNeeded: boolean): (guid: string) => number | undefined {
	const {queries} = useApi()
	const input = {connection: useActiveConnection().id}
	const {data} = useQuery({...queries.directory.groups.tree.queryOptions({input}), enabled: isNeeded})
	return useMemo(() => {
		const counts = new Map((data?.groups ?? []).map(({guid, below}) => [guid.toLowerCase(), below.computers]))
		return guid => counts.get(guid.toLowerCase())
	}, [data])
}
