import {createRoute, lazyRouteComponent} from '@tanstack/react-router'
import {Monitor} from 'lucide-react'

import {useActiveFrame} from '#api/hooks.tsx'
import {NavCount} from '#kit/NavCount.tsx'
import {inFrame, type Screen} from '#kit/screen.ts'
import {computersSearchSchema} from './search.ts'

const routes = [
	createRoute({
		...inFrame,
		path: '/computers',
		validateSearch: computersSearchSchema,
		component: lazyRouteComponent(() => import('./ComputersScreen.tsx'), 'ComputersScreen'),
	}),
]

export const screen = {id: 'computers', Icon: Monitor, Count, routes} satisfies Screen

declare module '#kit/screen.ts' {
	interface ScreenRoutes {
		readonly computers: typeof routes
	}
}

/** Before the first reading the number is unknown. */
function Count() {
	const frame = useActiveFrame()
	const computers = frame?.counts.computers ?? 0
	return <NavCount count={computers} isShown={computers > 0 || (frame?.inventory.completeAt ?? null) !== null} />
}
