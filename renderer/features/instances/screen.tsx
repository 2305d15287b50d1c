import {Waypoints} from 'lucide-react'

import {useAsked} from '#api/hooks.tsx'
import {NavCount} from '#kit/NavCount.tsx'
import {pageAt, type Screen} from '#kit/screen.ts'
import {navWords} from '#kit/nav-words.ts'
import {instanceSearchSchema, instancesSearchSchema, parametersSearchSchema} from './search.ts'

const routes = [
	pageAt('/instances', () => import('./InstancesScreen.tsx'), 'InstancesScreen', instancesSearchSchema),
	pageAt('/instances/parameters', () => import('./ParametersScreen.tsx'), 'ParametersScreen', parametersSearchSchema),
	pageAt('/instances/$id', () => import('./InstanceScreen.tsx'), 'InstanceScreen', instanceSearchSchema)
]

export const screen = {id: 'instances', Icon: Waypoints, Count, routes} satisfies Screen

declare module '#kit/screen.ts' {
	interface ScreenRoutes {
		readonly instances: typeof routes
	}
}

/** How many instances exist, with a mark when one of them or the server needs attention. */
function Count() {
	const {data} = useAsked(q => q.instances.list)
	if (data === undefined) return null
	const ill = data.rows.filter(row => row.health.state === 'unhealthy').length
	const warning = data.server.state === 'failed' ? navWords.serverFailed : ill > 0 ? navWords.unhealthy(ill) : undefined
	return <NavCount count={data.rows.length} isShown {...(warning !== undefined && {warning})} />
}
