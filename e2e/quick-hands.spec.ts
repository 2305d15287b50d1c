/** What saves clicks and keys: boxes, a verb with its object, Ctrl+Enter; and a record that is not as documented. */
import {openAltered} from './altered.ts'
import {expect, test as base} from './fixtures.ts'
import {button, computers, dialog, filterBox, listIsRead, press, reasonOf, rowOf} from './screens.ts'

const test = base.extend({
	serviceUrl: async ({service}, use) => {
		const altered = await openAltered(service.url, body => body.replaceAll('"hostname":"FIN-LT-0231"', '"hostname":231231'))
		await use(altered.url)
		await altered.stop()
	},
})

test('the box of the header selects all or none, Shift and a box all between', async ({page}) => {
	await listIsRead(page)
	const bar = page.getByRole('group', {name: 'Selection'})
	await computers(page).getByTitle('Select all').click()
	await expect(bar).toContainText('300 selected')
	await computers(page).getByTitle('Clear selection').click()
	await expect(bar).toBeHidden()
	const box = (index: number) =>
		computers(page).locator('[role="row"][aria-selected]').nth(index).locator('[role="presentation"] > span')
	await box(1).click()
	await box(4).click({modifiers: ['Shift']})
	await expect(bar).toContainText('4 selected')
	await page.screenshot({path: test.info().outputPath('boxes.png')})
})

test('a verb and a name open the dialog, and Ctrl+Enter confirms it', async ({page}) => {
	await listIsRead(page)
	await press(page, 'Control+k')
	await page.keyboard.type('fin-ws-0002 isolate')
	await expect(page.getByRole('option').first()).toHaveText(/^Isolate FIN-WS-0002…/)
	await press(page, 'Enter')
	await expect(dialog(page).getByRole('heading', {level: 2})).toHaveText('Isolate FIN-WS-0002')
	await expect(dialog(page).getByText('Now: not isolated')).toBeVisible()
	await press(page, 'Control+Enter')
	await expect(reasonOf(page)).toBeFocused()
	await reasonOf(page).fill('Beaconing')
	await press(page, 'Control+Enter')
	await expect(dialog(page)).toBeHidden()
	await expect(page.getByRole('img', {name: /^Isolation: isolat/})).toBeVisible()
})

test('an odd record is shown, marked, with its text', async ({page}) => {
	await listIsRead(page)
	await expect(page.getByRole('main').getByText('300 computers')).toBeVisible()
	await filterBox(page).fill('name:231231')
	await rowOf(page, '231231').click()
	await press(page, 'Space')
	const panel = page.getByRole('complementary', {name: 'Computer at the cursor'})
	await button(panel, 'Odd record hostname').click()
	await expect(panel.getByText('"hostname":231231')).toBeVisible()
	await expect(panel.getByRole('heading', {name: 'Last detections'})).toBeVisible()
	await expect(panel.getByText('No stored event names a detection.')).toBeHidden()
	await panel.evaluate(element => element.scrollTo(0, element.scrollHeight))
	await expect(button(panel, 'Isolate…')).toBeInViewport()
	for (const colorScheme of ['light', 'dark'] as const) {
		await page.emulateMedia({colorScheme})
		await page.screenshot({path: test.info().outputPath(`odd-${colorScheme}.png`)})
	}
})
