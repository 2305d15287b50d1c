import {type RegisteredRouter, type RouteById, type RouteIds, useMatch, useRouter, useSearch} from '@tanstack/react-router'
import {useCallback} from 'react'

type Tree = RegisteredRouter['routeTree']
type SearchOf<From extends RouteIds<Tree>> = RouteById<Tree, From>['types']['fullSearchSchema']

/**
 * What the address says of the screen `from`, and a change of it in place. Once the operator is on the way to another screen,
 * whose code may still load, a late change of this one (a rested cursor, a typed filter) does not call them back.
 */
export function useAddress<const From extends RouteIds<Tree>>(from: From) {
	const router = useRouter()
	const search = useSearch({from}) as SearchOf<From> // the generic route hides it
	const pathname = useMatch({from, select: match => match.pathname}) as string
	const change = useCallback(
		(next: Partial<SearchOf<From>>) => {
			if (router.latestLocation.pathname !== pathname) return
			void router.navigate({to: '.', search: (old: object) => ({...old, ...next}), replace: true} as never) // as above
		},
		[router, pathname]
	)
	return {search, change}
}
