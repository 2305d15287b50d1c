import {Plug} from 'lucide-react'

import {pageAt, type Screen} from '#kit/screen.ts'

const routes = [pageAt('/automation', () => import('./AutomationScreen.tsx'), 'AutomationScreen')]

export const screen = {id: 'automation', Icon: Plug, routes} satisfies Screen

declare module '#kit/screen.ts' {
	interface ScreenRoutes {
		readonly automation: typeof routes
	}
}
