import {Monitor} from 'lucide-react'

import {useActiveFrame} from '#api/hooks.tsx'
import {NavCount} from '#kit/NavCount.tsx'
import {pageAt, type Screen} from '#kit/screen.ts'
import {computersSearchSchema} from './search.ts'

const routes = [pageAt('/computers', () => import('./ComputersScreen.tsx'), 'ComputersScreen', computersSearchSchema)]

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
