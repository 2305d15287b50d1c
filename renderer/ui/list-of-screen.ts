/** The first list of rows on the screen, target of its keys. `null` without one. */
export function listOfScreen(screen: Element | null) {
	return screen?.querySelector<HTMLElement>(':is([role="grid"], [role="treegrid"])[tabindex="0"]') ?? null
}

/** Without a focused element, Tab would start at the top of the window: focuses the screen's list, otherwise the screen. */
export function keepFocus() {
	const {activeElement} = document
	if (activeElement !== null && activeElement !== document.body) return
	const main = document.getElementById('main')
	;(listOfScreen(main) ?? main)?.focus({preventScroll: true})
}

export const anyDialog = '[role="dialog"], [role="alertdialog"]'

/** Also the palette, which is a dialog of the browser. */
export function isDialogOpen() {
	return document.querySelector(`dialog, ${anyDialog}`) !== null
}
