import {createRoute, lazyRouteComponent} from '@tanstack/react-router'
import {NotebookText} from 'lucide-react'

import {inFrame, type Screen} from '#kit/screen.ts'
import {handoverSearchSchema, incidentLogSearchSchema} from './search.ts'

const routes = [
	createRoute({
		...inFrame,
		path: '/log',
		validateSearch: incidentLogSearchSchema,
		component: lazyRouteComponent(() => import('./IncidentLogScreen.tsx'), 'IncidentLogScreen'),
	}),
	createRoute({
		...inFrame,
		path: '/log/handover',
		validateSearch: handoverSearchSchema,
		component: lazyRouteComponent(() => import('./HandoverScreen.tsx'), 'HandoverScreen'),
	}),
]

export const screen = {id: 'log', Icon: NotebookText, routes} satisfies Screen

declare module '#kit/screen.ts' {
	interface ScreenRoutes {
		readonly log: typeof routes
	}
}
