import {Settings} from 'lucide-react'

import {pageAt, type Screen} from '#kit/screen.ts'
import {settingsSearchSchema} from './search.ts'

const routes = [pageAt('/settings', () => import('./SettingsScreen.tsx'), 'SettingsScreen', settingsSearchSchema)]

export const screen = {id: 'settings', Icon: Settings, routes} satisfies Screen

declare module '#kit/screen.ts' {
	interface ScreenRoutes {
		readonly settings: typeof routes
	}
}
