import {createRoute} from '@tanstack/react-router'
import {ShieldHalf} from 'lucide-react'

import {pageAt, type Screen} from '#kit/screen.ts'
import {compareSearchSchema, policiesSearchSchema, policySearchSchema} from './search.ts'

const routes = [
	createRoute({...pageAt('/policies', () => import('./PoliciesScreen.tsx'), 'PoliciesScreen'), validateSearch: policiesSearchSchema}),
	createRoute({
		...pageAt('/policies/compare', () => import('./CompareScreen.tsx'), 'CompareScreen'),
		validateSearch: compareSearchSchema,
	}),
	createRoute({...pageAt('/policies/$guid', () => import('./PolicyScreen.tsx'), 'PolicyScreen'), validateSearch: policySearchSchema}),
]

export const screen = {id: 'policies', Icon: ShieldHalf, routes} satisfies Screen

declare module '#kit/screen.ts' {
	interface ScreenRoutes {
		readonly policies: typeof routes
	}
}
