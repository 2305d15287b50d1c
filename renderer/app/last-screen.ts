/** The screens of a shift; a start elsewhere would surprise. */
const screens = ['/overview', '/computers', '/groups', '/policies', '/file-lists', '/events', '/log'] as const

const storage = 'cordon.screen'

/** Keeps a screen for the next start. */
export function keepScreen(path: string): void {
	if (!screens.some(screen => screen === path)) return
	try {
		localStorage.setItem(storage, path)
	} catch {
		// A browser that keeps nothing starts on the Overview.
	}
}

/** The screen on which this profile's page was last; the Overview at first. */
export function lastScreen(): (typeof screens)[number] {
	try {
		const kept = localStorage.getItem(storage)
		return screens.find(screen => screen === kept) ?? '/overview'
	} catch {
		return '/overview'
	}
}
