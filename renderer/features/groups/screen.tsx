import {FolderTree} from 'lucide-react'

import {pageAt, type Screen} from '#kit/screen.ts'
import {compareGroupsSearchSchema, groupSearchSchema, groupsSearchSchema} from './search.ts'

const routes = [
	pageAt('/groups', () => import('./GroupsScreen.tsx'), 'GroupsScreen', groupsSearchSchema),
	pageAt('/groups/compare', () => import('./CompareScreen.tsx'), 'CompareScreen', compareGroupsSearchSchema),
	pageAt('/groups/$guid', () => import('./GroupScreen.tsx'), 'GroupScreen', groupSearchSchema)
]

export const screen = {id: 'groups', Icon: FolderTree, routes} satisfies Screen

declare module '#kit/screen.ts' {
	interface ScreenRoutes {
		readonly groups: typeof routes
	}
}
