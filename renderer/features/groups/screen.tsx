import {createRoute, lazyRouteComponent} from '@tanstack/react-router'
import {FolderTree} from 'lucide-react'

import {inFrame, type Screen} from '#kit/screen.ts'
import {compareGroupsSearchSchema, groupSearchSchema, groupsSearchSchema} from './search.ts'

const routes = [
	createRoute({
		...inFrame,
		path: '/groups',
		validateSearch: groupsSearchSchema,
		component: lazyRouteComponent(() => import('./GroupsScreen.tsx'), 'GroupsScreen'),
	}),
	createRoute({
		...inFrame,
		path: '/groups/compare',
		validateSearch: compareGroupsSearchSchema,
		component: lazyRouteComponent(() => import('./CompareScreen.tsx'), 'CompareScreen'),
	}),
	createRoute({
		...inFrame,
		path: '/groups/$guid',
		validateSearch: groupSearchSchema,
		component: lazyRouteComponent(() => import('./GroupScreen.tsx'), 'GroupScreen'),
	}),
]

export const screen = {id: 'groups', Icon: FolderTree, routes} satisfies Screen

declare module '#kit/screen.ts' {
	interface ScreenRoutes {
		readonly groups: typeof routes
	}
}
