/** The first list of rows on the screen: what its keys move in. `null` where it has none. */
export function listOfScreen(screen: Element | null): HTMLElement | null {
	return screen?.querySelector<HTMLElement>(':is([role="grid"], [role="treegrid"])[tabindex="0"]') ?? null
}

/** Where nothing has the focus any more it would lie at the top of the window: then the screen's list has it, or the screen. */
export function keepFocus(): void {
	const {activeElement} = document
	if (activeElement !== null && activeElement !== document.body) return
	const main = document.getElementById('main')
	;(listOfScreen(main) ?? main)?.focus({preventScroll: true})
}
