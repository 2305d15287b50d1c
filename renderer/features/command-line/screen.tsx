import {createRoute} from '@tanstack/react-router'
import {SquareTerminal} from 'lucide-react'

import {pageAt, type Screen} from '#kit/screen.ts'
import {commandLineSearchSchema} from './search.ts'

const routes = [
	createRoute({
		...pageAt('/command-line', () => import('./CommandLineScreen.tsx'), 'CommandLineScreen'),
		validateSearch: commandLineSearchSchema,
	}),
]

export const screen = {id: 'commandLine', Icon: SquareTerminal, routes} satisfies Screen

declare module '#kit/screen.ts' {
	interface ScreenRoutes {
		readonly commandLine: typeof routes
	}
}
