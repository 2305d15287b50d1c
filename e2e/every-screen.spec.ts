import {screens} from '#model/screens.ts'

import {hasNoViolations} from './axe.ts'
import {expect, test} from './house.ts'
import {goTo} from './jobs.ts'
import {listIsRead, press} from './screens.ts'

test('the shortcut of each screen leads to it, and its line in the navigation says so', async ({page}) => {
	await listIsRead(page)
	for (const {path, title, keys, section} of screens) {
		for (const key of keys) {
			await goTo(page, path === '/settings' ? '/jobs' : '/settings')
			await press(page, ...key.split(' ').map(each => each.replace('Mod', 'Control')))
			await expect(page).toHaveURL(new RegExp(`#${path}`))
		}
		await goTo(page, path)
		await expect(page.getByRole('main').getByRole('heading', {level: 1, name: title})).toBeVisible()
		if (section !== undefined)
			await expect(page.getByRole('navigation').locator('[aria-current="page"]').filter({hasText: title})).toBeVisible()
	}
})

test('letters typed into the middle of a search stay there', async ({page}) => {
	await listIsRead(page)
	for (const {path, title} of screens) {
		await goTo(page, path)
		await expect(page.getByRole('main').getByRole('heading', {level: 1, name: title})).toBeVisible()
		const box = page.getByRole('main').getByRole('searchbox').last()
		if ((await box.count()) === 0) continue
		await box.fill('ab')
		await box.press('Home')
		await box.pressSequentially('cde')
		await expect(box, path).toHaveValue('cdeab')
		await box.fill('')
	}
})

for (const colorScheme of ['light', 'dark'] as const) {
	test.describe(`in ${colorScheme}`, () => {
		test.use({colorScheme})

		test('no screen has violations', async ({page}) => {
			await listIsRead(page)
			for (const {path, title} of screens) {
				await goTo(page, path)
				await expect(page.getByRole('main').getByRole('heading', {level: 1, name: title})).toBeVisible()
				await expect(page.getByRole('main').locator('[aria-busy="true"]')).toHaveCount(0)
				await hasNoViolations(page)
			}
		})
	})
}
