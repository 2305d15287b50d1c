import {Cable} from 'lucide-react'

import {useConnections} from '#api/hooks.tsx'
import {NavCount} from '#kit/NavCount.tsx'
import {pageAt, type Screen} from '#kit/screen.ts'
import {connectionsSearchSchema} from './search.ts'

const routes = [pageAt('/connections', () => import('./ConnectionsScreen.tsx'), 'ConnectionsScreen', connectionsSearchSchema)]

export const screen = {id: 'connections', Icon: Cable, Count, routes} satisfies Screen

declare module '#kit/screen.ts' {
	interface ScreenRoutes {
		readonly connections: typeof routes
	}
}

function Count() {
	const connections = useConnections()
	return <NavCount count={connections?.length ?? 0} isShown={connections !== undefined} />
}
