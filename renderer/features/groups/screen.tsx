import {createRoute} from '@tanstack/react-router'
import {FolderTree} from 'lucide-react'

import {pageAt, type Screen} from '#kit/screen.ts'
import {compareGroupsSearchSchema, groupSearchSchema, groupsSearchSchema} from './search.ts'

const routes = [
	createRoute({...pageAt('/groups', () => import('./GroupsScreen.tsx'), 'GroupsScreen'), validateSearch: groupsSearchSchema}),
	createRoute({
		...pageAt('/groups/compare', () => import('./CompareScreen.tsx'), 'CompareScreen'),
		validateSearch: compareGroupsSearchSchema,
	}),
	createRoute({...pageAt('/groups/$guid', () => import('./GroupScreen.tsx'), 'GroupScreen'), validateSearch: groupSearchSchema}),
]

export const screen = {id: 'groups', Icon: FolderTree, routes} satisfies Screen

declare module '#kit/screen.ts' {
	interface ScreenRoutes {
		readonly groups: typeof routes
	}
}
