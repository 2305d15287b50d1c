import {Search} from 'lucide-react'

import {pageAt, type Screen} from '#kit/screen.ts'
import {searchSearchSchema} from './search.ts'

const routes = [pageAt('/search', () => import('./SearchScreen.tsx'), 'SearchScreen', searchSearchSchema)]

export const screen = {id: 'search', Icon: Search, routes} satisfies Screen

declare module '#kit/screen.ts' {
	interface ScreenRoutes {
		readonly search: typeof routes
	}
}
