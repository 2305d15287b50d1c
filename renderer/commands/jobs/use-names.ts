import {useMemo} from 'react'

import {useAskedHere} from '#api/hooks.tsx'

/** Names of groups and policies by GUID, from local data; unknown ones keep their GUID. */
export function useNames(isNeeded: boolean): (guid: string) => string {
	const groups = useAskedHere(q => q.directory.groups.tree, {}, {enabled: isNeeded})
	const policies = useAskedHere(q => q.directory.policies.list, {}, {enabled: isNeeded})
	return useMemo(() => {
		const named = [...(groups.data?.groups ?? []), ...(policies.data?.policies ?? [])]
		const names = new Map(named.map(({guid, name}) => [guid.toLowerCase(), name]))
		return guid => names.get(guid.toLowerCase()) ?? guid
	}, [groups.data, policies.data])
}

/** Computers of a group and its subgroups in local data; `undefined` for an unknown group. */
export function useComputersBelow(isNeeded: boolean): (guid: string) => number | undefined {
	const {data} = useAskedHere(q => q.directory.groups.tree, {}, {enabled: isNeeded})
	return useMemo(() => {
		const counts = new Map((data?.groups ?? []).map(({guid, below}) => [guid.toLowerCase(), below.computers]))
		return guid => counts.get(guid.toLowerCase())
	}, [data])
}
