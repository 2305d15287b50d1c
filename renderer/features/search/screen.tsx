import {createRoute, lazyRouteComponent} from '@tanstack/react-router'
import {Search} from 'lucide-react'

import {inFrame, type Screen} from '#kit/screen.ts'
import {searchSearchSchema} from './search.ts'

const routes = [
	createRoute({
		...inFrame,
		path: '/search',
		validateSearch: searchSearchSchema,
		component: lazyRouteComponent(() => import('./SearchScreen.tsx'), 'SearchScreen'),
	}),
]

export const screen = {id: 'search', Icon: Search, routes} satisfies Screen

declare module '#kit/screen.ts' {
	interface ScreenRoutes {
		readonly search: typeof routes
	}
}
