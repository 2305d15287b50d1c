/** The palette: from its key to the full list, and from letters to results. */
import type {Figure} from '../measure.ts'
import {untilAtRest} from './probe.ts'
import type {Stage} from './stage.ts'

const found = ['FIN-LT', 'isolate', 'events', 'HR-WS-00']
const part = 'dialog, [role=dialog]'

export async function palette({page, visit}: Pick<Stage, 'page' | 'visit'>): Promise<readonly Figure[]> {
	await visit('/computers')
	await page.getByRole('grid', {name: 'Computers'}).focus()
	const opened: number[] = []
	const typed: number[] = []
	for (const text of [...found, ...found, ...found]) {
		opened.push(await untilAtRest(page, part, () => page.keyboard.press('Control+k')))
		typed.push(await untilAtRest(page, part, () => page.keyboard.insertText(text)))
		await page.keyboard.press('Escape')
		await page.locator(part).waitFor({state: 'detached'})
	}
	return [
		{name: 'palette: key to the open palette', unit: 'ms', values: opened, target: 'under 30'},
		{name: 'palette: letters to its answer', unit: 'ms', values: typed, target: 'under 30'}
	]
}
