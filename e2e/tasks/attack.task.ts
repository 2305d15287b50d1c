/** From a detection back to the file from outside that began the attack. */
import type {Page} from '@playwright/test'

import {button, listIsRead, palette, title} from '../screens.ts'
import {expect, task} from './task.ts'

const host = 'FIN-LT-0231'
const lanes = (page: Page) => page.getByRole('application', {name: 'Trajectory of'})
const table = (page: Page) => page.getByRole('grid', {name: 'Events of the trajectory'})

/** The row with the cursor, in words. */
async function chosen(page: Page): Promise<string> {
	// At one go: while the table scrolls, a row that was named a moment ago may be gone.
	return table(page).evaluate(grid => {
		const row = document.getElementById(grid.getAttribute('aria-activedescendant') ?? '')
		return row?.getAttribute('aria-label') ?? ''
	})
}

task.describe(() => {
	task.use({limits: {'find the origin': {clicks: 3, keys: 3}}})

	task('5 find the origin of an attack', async ({page, hand, service}) => {
		await listIsRead(page)
		await hand.click(button(page, /^Search computers, groups and commands/))
		await expect(palette(page)).toBeFocused()
		await hand.type('0231')
		await hand.click(page.getByRole('option', {name: new RegExp(`^${host}`)}))
		await expect(title(page, host)).toBeVisible()
		hand.leg('open the computer')

		await hand.click(page.getByRole('tab', {name: 'Trajectory'}))
		await hand.click(button(page, /^(Load|Refresh) .*1 call$/))
		await expect(lanes(page)).toBeVisible()
		await hand.tabTo(lanes(page))
		// From detection to detection until the program that was let in, then from parent to parent.
		while (!(await chosen(page)).includes('W32.Updchk.RAT')) {
			const before = await chosen(page)
			await hand.press(']')
			// While it scrolls there, no row has the cursor.
			await expect.poll(async () => [before, ''].includes(await chosen(page))).toBe(false)
		}
		await hand.press('p')
		await expect.poll(() => chosen(page)).toContain('powershell.exe was started by WINWORD.EXE')
		await hand.press('p')
		await expect.poll(() => chosen(page)).toContain('WINWORD.EXE was started by explorer.exe')
		// What Word had opened is one row further, and no parent of it.
		await hand.press('ArrowDown')
		await expect.poll(() => chosen(page)).toContain('Invoice_2291.docm was created')
		await hand.press('Enter')
		const inspector = page.getByRole('complementary', {name: 'Event at the cursor'})
		await expect(inspector).toContainText('Invoice_2291.docm')
		hand.leg('find the origin')
		const guid = /computers\/([0-9a-f-]{36})/.exec(page.url())?.[1] ?? 'none'
		expect((await service.requests())[`GET /v1/computers/${guid}/trajectory`]).toBe(1)
	})
})
