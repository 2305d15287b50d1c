import {createRoute, lazyRouteComponent} from '@tanstack/react-router'
import {Siren} from 'lucide-react'

import {inFrame, type Screen} from '#kit/screen.ts'
import {detectionsSearchSchema} from './search.ts'

const routes = [
	createRoute({
		...inFrame,
		path: '/detections',
		validateSearch: detectionsSearchSchema,
		component: lazyRouteComponent(() => import('./DetectionsScreen.tsx'), 'DetectionsScreen'),
	}),
]

export const screen = {id: 'detections', Icon: Siren, routes} satisfies Screen

declare module '#kit/screen.ts' {
	interface ScreenRoutes {
		readonly detections: typeof routes
	}
}
