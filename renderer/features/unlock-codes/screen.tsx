import {createRoute} from '@tanstack/react-router'

import {pageAt, type Screen} from '#kit/screen.ts'

const routes = [createRoute(pageAt('/unlock-codes', () => import('./UnlockCodesScreen.tsx'), 'UnlockCodesScreen'))]

export const screen = {id: 'unlockCodes', routes} satisfies Screen

declare module '#kit/screen.ts' {
	interface ScreenRoutes {
		readonly unlockCodes: typeof routes
	}
}
