import type {Page} from '@playwright/test'

import {type ScreenLine, screens} from '#model/screens.ts'

import {isAccessible} from './axe.ts'
import {expect, test} from './house.ts'
import {goTo} from './jobs.ts'
import {aside, button, grid, group, listIsRead, press, title, main, searchBox, tableRow, isShown} from './screens.ts'

async function open(page: Page, screen: ScreenLine) {
	await goTo(page, screen.path)
	await isShown(title(main(page), screen.title))
}

test.beforeEach(({page}) => listIsRead(page))

test('the shortcut of each screen leads to it, and its line in the navigation says so, at 200 % zoom too', async ({page}) => {
	await page.setViewportSize({width: 640, height: 400})
	const bar = page.getByRole('navigation')
	for (const screen of screens) {
		for (const key of screen.keys) {
			await goTo(page, screen.path === '/settings' ? '/jobs' : '/settings')
			await press(page, ...key.split(' ').map(each => each.replace('Mod', 'Control')))
			await expect(page).toHaveURL(new RegExp(`#${screen.path}`))
		}
		await open(page, screen)
		if (screen.section !== undefined)
			await expect(bar.locator('[aria-current="page"]').filter({hasText: screen.title})).toBeInViewport({ratio: 1})
		if (screen.path === '/log') await isShown(grid(main(page)))
		const low = () => grid(main(page)).evaluateAll(all => all.filter(one => one.clientHeight <= 100).length)
		await expect.poll(low, screen.path).toBe(0)
	}
	// What a scroll bar leaves of it.
	expect(await bar.first().evaluate(one => ((one.style.width = '33px'), one.scrollWidth))).toBeLessThan(34)
})

test('letters typed into the middle of a search stay there', async ({page}) => {
	for (const screen of screens) {
		await open(page, screen)
		const box = searchBox(main(page)).last()
		if ((await box.count()) === 0) continue
		await box.fill('ab')
		await box.press('Home')
		await box.pressSequentially('cde')
		await expect(box, screen.path).toHaveValue('cdeab')
		await box.fill('')
	}
})

test('no `>=`, `->` or `==` is drawn as another sign', async ({page}) => {
	const joined = () => [...document.querySelectorAll('body, body *')].filter(one => getComputedStyle(one).fontVariantLigatures !== 'none').length
	for (const screen of screens.filter(({id}) => ['overview', 'events', 'commandLine'].includes(id))) {
		await open(page, screen)
		expect(await page.evaluate(joined), screen.path).toBe(0)
	}
})

test('beside a panel no list scrolls sideways in the largest text with the longest times, and its × stays in sight', async ({page}) => {
	await page.setViewportSize({width: 1280, height: 800})
	await goTo(page, '/settings')
	for (const choice of ['Largest', 'UTC', '12 hours, AM and PM']) await main(page).getByText(choice, {exact: true}).click()
	for (const screen of screens.filter(({id}) => ['computers', 'policies', 'detections', 'events', 'log'].includes(id))) {
		await open(page, screen)
		const list = grid(main(page), screen.title)
		await expect(tableRow(list).nth(1)).not.toHaveAccessibleName('Loading')
		await list.focus()
		await press(page, 'j', 'Space')
		const panel = aside(main(page)).last()
		const close = button(panel, 'Close the panel')
		await isShown(close)
		await expect.poll(() => list.evaluate(one => one.scrollWidth - one.clientWidth), screen.path).toBe(0)
		// At 200 % zoom the screen scrolls, too.
		for (const [width, height] of [
			[1280, 800],
			[640, 400]
		] as const) {
			await page.setViewportSize({width, height})
			await main(page)
				.locator('*')
				.evaluateAll(all => all.forEach(one => one.scrollTo(0, one.scrollHeight)))
			await expect(close, screen.path).toBeInViewport({ratio: 1})
		}
		await page.setViewportSize({width: 1280, height: 800})
	}
	// The house is left as it was found.
	await goTo(page, '/settings')
	for (const choice of ['Local time', '24 hours']) await main(page).getByText(choice, {exact: true}).click()
	await group(main(page), 'Text size', true).getByText('Normal', {exact: true}).click()
	await expect(page.locator('html')).not.toHaveAttribute('data-size')
})

test('no screen has violations or cuts the heading of a column, in light and in dark', async ({page}) => {
	const cut = (all: Element[]) =>
		all.filter(one => one.scrollWidth > one.clientWidth && getComputedStyle(one).overflow === 'hidden').map(one => one.textContent)
	for (const screen of screens) {
		await open(page, screen)
		await expect(main(page).locator('[aria-busy="true"]')).toHaveCount(0)
		await isAccessible(page)
		expect(await page.locator('[role="columnheader"] *').evaluateAll(cut), screen.path).toEqual([])
	}
})
