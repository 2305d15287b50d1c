import {createRoute, lazyRouteComponent} from '@tanstack/react-router'
import {SquareTerminal} from 'lucide-react'

import {inFrame, type Screen} from '#kit/screen.ts'
import {commandLineSearchSchema} from './search.ts'

const routes = [
	createRoute({
		...inFrame,
		path: '/command-line',
		validateSearch: commandLineSearchSchema,
		component: lazyRouteComponent(() => import('./CommandLineScreen.tsx'), 'CommandLineScreen'),
	}),
]

export const screen = {id: 'commandLine', Icon: SquareTerminal, routes} satisfies Screen

declare module '#kit/screen.ts' {
	interface ScreenRoutes {
		readonly commandLine: typeof routes
	}
}
