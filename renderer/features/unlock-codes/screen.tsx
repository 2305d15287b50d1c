import {pageAt, type Screen} from '#kit/screen.ts'

const routes = [pageAt('/unlock-codes', () => import('./UnlockCodesScreen.tsx'), 'UnlockCodesScreen')]

export const screen = {id: 'unlockCodes', routes} satisfies Screen

declare module '#kit/screen.ts' {
	interface ScreenRoutes {
		readonly unlockCodes: typeof routes
	}
}
