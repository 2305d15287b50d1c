import {createRoute} from '@tanstack/react-router'
import {Siren} from 'lucide-react'

import {pageAt, type Screen} from '#kit/screen.ts'
import {detectionsSearchSchema} from './search.ts'

const routes = [
	createRoute({
		...pageAt('/detections', () => import('./DetectionsScreen.tsx'), 'DetectionsScreen'),
		validateSearch: detectionsSearchSchema,
	}),
]

export const screen = {id: 'detections', Icon: Siren, routes} satisfies Screen

declare module '#kit/screen.ts' {
	interface ScreenRoutes {
		readonly detections: typeof routes
	}
}
