import {Siren} from 'lucide-react'
import {z} from 'zod'

import {pageAt, type Screen} from '#kit/screen.ts'
import {searchOf} from '#kit/search-of.ts'

/** The group in the side panel, by the key of any of its events. */
const detectionsSearchSchema = searchOf({group: z.string()})

const routes = [pageAt('/detections', () => import('./DetectionsScreen.tsx'), 'DetectionsScreen', detectionsSearchSchema)]

export const screen = {id: 'detections', Icon: Siren, routes} satisfies Screen

declare module '#kit/screen.ts' {
	interface ScreenRoutes {
		readonly detections: typeof routes
	}
}
