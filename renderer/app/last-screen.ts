import {screens, type ScreenLine} from '#shared/model/screens.ts'

const storage = 'cordon.screen'

function startAt(path: string | null): ScreenLine | undefined {
	return screens.find(screen => screen.isStart === true && screen.path === path)
}

/** Keeps a screen for the next start. */
export function keepScreen(path: string): void {
	if (startAt(path) === undefined) return
	try {
		localStorage.setItem(storage, path)
	} catch {
		// A browser that keeps nothing starts on the Overview.
	}
}

/** The screen on which this profile's page was last; the Overview at first. */
export function lastScreen(): ScreenLine['path'] {
	try {
		return startAt(localStorage.getItem(storage))?.path ?? '/overview'
	} catch {
		return '/overview'
	}
}
