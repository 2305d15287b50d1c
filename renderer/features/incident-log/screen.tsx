import {createRoute} from '@tanstack/react-router'
import {NotebookText} from 'lucide-react'

import {pageAt, type Screen} from '#kit/screen.ts'
import {handoverSearchSchema, incidentLogSearchSchema} from './search.ts'

const routes = [
	createRoute({
		...pageAt('/log', () => import('./IncidentLogScreen.tsx'), 'IncidentLogScreen'),
		validateSearch: incidentLogSearchSchema,
	}),
	createRoute({
		...pageAt('/log/handover', () => import('./HandoverScreen.tsx'), 'HandoverScreen'),
		validateSearch: handoverSearchSchema,
	}),
]

export const screen = {id: 'log', Icon: NotebookText, routes} satisfies Screen

declare module '#kit/screen.ts' {
	interface ScreenRoutes {
		readonly log: typeof routes
	}
}
