import {createRoute, redirect} from '@tanstack/react-router'
import {ListTree} from 'lucide-react'

import {inFrame, type Screen, screenOf} from '#kit/screen.ts'
import {eventsSearchSchema} from './search.ts'

const routes = [
	createRoute({
		...inFrame,
		path: '/events',
		component: screenOf(() => import('./EventsScreen.tsx'), 'EventsScreen'),
		validateSearch: eventsSearchSchema,
		// Detections first. An address with anything in it, even an empty filter, is shown as it stands.
		beforeLoad: ({search}) => {
			if (Object.keys(search).length === 0) throw redirect({to: '/events', search: {filter: 'severity>=low'}, replace: true})
		}
	})
]

export const screen = {id: 'events', Icon: ListTree, routes} satisfies Screen

declare module '#kit/screen.ts' {
	interface ScreenRoutes {
		readonly events: typeof routes
	}
}
