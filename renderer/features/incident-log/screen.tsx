import {NotebookText} from 'lucide-react'

import {pageAt, type Screen} from '#kit/screen.ts'
import {handoverSearchSchema, incidentLogSearchSchema} from './search.ts'

const routes = [
	pageAt('/log', () => import('./IncidentLogScreen.tsx'), 'IncidentLogScreen', incidentLogSearchSchema),
	pageAt('/log/handover', () => import('./HandoverScreen.tsx'), 'HandoverScreen', handoverSearchSchema)
]

export const screen = {id: 'log', Icon: NotebookText, routes} satisfies Screen

declare module '#kit/screen.ts' {
	interface ScreenRoutes {
		readonly log: typeof routes
	}
}
