import {createRoute, lazyRouteComponent} from '@tanstack/react-router'
import {ShieldHalf} from 'lucide-react'

import {inFrame, type Screen} from '#kit/screen.ts'
import {compareSearchSchema, policiesSearchSchema, policySearchSchema} from './search.ts'

const routes = [
	createRoute({
		...inFrame,
		path: '/policies',
		validateSearch: policiesSearchSchema,
		component: lazyRouteComponent(() => import('./PoliciesScreen.tsx'), 'PoliciesScreen'),
	}),
	createRoute({
		...inFrame,
		path: '/policies/compare',
		validateSearch: compareSearchSchema,
		component: lazyRouteComponent(() => import('./CompareScreen.tsx'), 'CompareScreen'),
	}),
	createRoute({
		...inFrame,
		path: '/policies/$guid',
		validateSearch: policySearchSchema,
		component: lazyRouteComponent(() => import('./PolicyScreen.tsx'), 'PolicyScreen'),
	}),
]

export const screen = {id: 'policies', Icon: ShieldHalf, routes} satisfies Screen

declare module '#kit/screen.ts' {
	interface ScreenRoutes {
		readonly policies: typeof routes
	}
}
