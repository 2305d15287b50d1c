/** Files dropped on the editor of a file list, and its staged rows. */
import type {Locator, Page} from '@playwright/test'

import {dialogIsGone, grid, group, press, tableRow, says, shows, decide} from './screens.ts'

/** From the file lists to the editor of one. */
export async function openEditor(page: Page, list = 'Known bad files') {
	await tableRow(page, new RegExp(`^${list},`)).dblclick()
	await openEditorHere(page)
}

export async function openEditorHere(page: Page) {
	await shows(page, /hashes · loaded/)
	await press(page, 'Shift+E')
	await says(group(page, 'Commit'), 'staged')
}

/** Like the system, with a path; a page cannot make such a drop by itself. */
export async function drop(page: Page, path: string) {
	const session = await page.context().newCDPSession(page)
	const data = {items: [], files: [path], dragOperationsMask: 1}
	for (const type of ['dragEnter', 'dragOver', 'drop'] as const) await session.send('Input.dispatchDragEvent', {type, x: 700, y: 500, data})
	await session.detach()
}

export function stagedRow(page: Page, key: string): Locator {
	return tableRow(grid(page, 'Staged rows'), new RegExp(`^${key}`))
}

export async function stage(page: Page) {
	await decide(page, /^Stage [\d,]+ (?:rows?|hash(?:es)?) to add$/)
	await dialogIsGone(page)
}
