import {ShieldHalf} from 'lucide-react'

import {pageAt, type Screen} from '#kit/screen.ts'
import {compareSearchSchema, policiesSearchSchema, policySearchSchema} from './search.ts'

const routes = [
	pageAt('/policies', () => import('./PoliciesScreen.tsx'), 'PoliciesScreen', policiesSearchSchema),
	pageAt('/policies/compare', () => import('./CompareScreen.tsx'), 'CompareScreen', compareSearchSchema),
	pageAt('/policies/$guid', () => import('./PolicyScreen.tsx'), 'PolicyScreen', policySearchSchema)
]

export const screen = {id: 'policies', Icon: ShieldHalf, routes} satisfies Screen

declare module '#kit/screen.ts' {
	interface ScreenRoutes {
		readonly policies: typeof routes
	}
}
