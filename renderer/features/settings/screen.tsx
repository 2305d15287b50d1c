import {createRoute, lazyRouteComponent} from '@tanstack/react-router'
import {Settings} from 'lucide-react'

import {inFrame, type Screen} from '#kit/screen.ts'
import {settingsSearchSchema} from './search.ts'

const routes = [
	createRoute({
		...inFrame,
		path: '/settings',
		validateSearch: settingsSearchSchema,
		component: lazyRouteComponent(() => import('./SettingsScreen.tsx'), 'SettingsScreen'),
	}),
]

export const screen = {id: 'settings', Icon: Settings, routes} satisfies Screen

declare module '#kit/screen.ts' {
	interface ScreenRoutes {
		readonly settings: typeof routes
	}
}
