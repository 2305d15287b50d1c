import {createRoute, lazyRouteComponent} from '@tanstack/react-router'

import {inFrame, type Screen} from '#kit/screen.ts'

const routes = [
	createRoute({
		...inFrame,
		path: '/unlock-codes',
		component: lazyRouteComponent(() => import('./UnlockCodesScreen.tsx'), 'UnlockCodesScreen'),
	}),
]

export const screen = {id: 'unlockCodes', routes} satisfies Screen

declare module '#kit/screen.ts' {
	interface ScreenRoutes {
		readonly unlockCodes: typeof routes
	}
}
