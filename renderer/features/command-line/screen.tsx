import {SquareTerminal} from 'lucide-react'
import {z} from 'zod'

import {pageAt, type Screen} from '#kit/screen.ts'
import {searchOf} from '#kit/search-of.ts'

const commandLineSearchSchema = searchOf({
	/** A prepared line. Inserted, never run. */
	line: z.string().max(4000),
	help: z.string().max(80)
})

const routes = [pageAt('/command-line', () => import('./CommandLineScreen.tsx'), 'CommandLineScreen', commandLineSearchSchema)]

export const screen = {id: 'commandLine', Icon: SquareTerminal, routes} satisfies Screen

declare module '#kit/screen.ts' {
	interface ScreenRoutes {
		readonly commandLine: typeof routes
	}
}
