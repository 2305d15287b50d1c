/** Deceptive names, and names of 300 characters: hidden characters show everywhere, and no layout breaks. */
import type {Page} from '@playwright/test'

import {altering} from './altered.ts'
import {expect} from './fixtures.ts'
import {goTo} from './jobs.ts'
import {
	button,
	closeDialog,
	computers,
	dialog,
	dialogTitle,
	filterBox,
	heading,
	listIsRead,
	main,
	reasonOf,
	tableRow,
	title,
	shows,
	isShown,
	says
} from './screens.ts'

const shown = 'evil‹U+202E›gnp.exe'
const long = `LONG-${'W'.repeat(295)}`
const hebrew = 'מחשב קופה'

const test = altering(body =>
	body
		.replaceAll('FIN-LT-0231', String.raw`evil\u202egnp.exe`)
		.replaceAll('FIN-WS-0002', long)
		.replaceAll('FIN-WS-0003', hebrew)
		.replaceAll(/"file_name":"[^"]*invoice[^"]*"/gi, String.raw`"file_name":"invoice\u202efdp.exe"`)
		.replaceAll('Ward Workstations', `Ward ${'group '.repeat(49)}`)
)

/** What a reader or a screen reader meets, with what cannot be seen. */
const hidden = (page: Page) =>
	page.evaluate(() => {
		const unseen = /[\u200b-\u200f\u202a-\u202e\u2066-\u2069]/u
		const spoken = ['title', 'aria-label', 'alt', 'placeholder']
		const texts = [...document.querySelectorAll('body *')].flatMap(element => [
			...[...element.childNodes].filter(({nodeType}) => nodeType === 3).map(({nodeValue}) => nodeValue ?? ''),
			...spoken.map(name => element.getAttribute(name) ?? '')
		])
		return [document.title, ...texts].filter(text => unseen.test(text))
	})

const tooWide = (page: Page) =>
	page.evaluate(() => {
		const main = document.querySelector('main')
		return [document.documentElement, ...(main === null ? [] : [main])].some(({scrollWidth, clientWidth}) => scrollWidth > clientWidth + 1)
	})

/** Opens the dialog of the one computer that the filter leaves; returns its button. */
async function isolating(page: Page, filter: string, text: string) {
	await listIsRead(page)
	await filterBox(page).fill(filter)
	await filterBox(page).press('Enter')
	await expect(computers(page)).toHaveAttribute('aria-rowcount', '2')
	const row = tableRow(computers(page)).nth(1)
	await says(row, text)
	expect(await tooWide(page)).toBe(false)
	expect(await hidden(page)).toEqual([])
	await row.getByText(text).first().click()
	await says(title(main(page)), text)
	expect(await tooWide(page)).toBe(false)
	await button(page, 'Isolate…').click()
	await reasonOf(page).fill('Beaconing')
	await shows(dialog(page), 'Now: not isolated')
	return button(dialog(page), /^Isolate .* in Test tenant/)
}

test('a name with direction marks shows them in the list, the page, the dialog and on its button', async ({page}) => {
	const confirm = await isolating(page, 'name:evil*', shown)
	await says(confirm, shown)
	await says(dialogTitle(page), shown)
	expect(await hidden(page)).toEqual([])
	await closeDialog(page)
	expect(await page.title()).not.toContain('\u202e')
})

test('right-to-left words have an element of their own', async ({page}) => {
	const confirm = await isolating(page, `name:"${hebrew}"`, hebrew)
	await expect(confirm.locator('bdi')).toHaveText(hebrew)
})

test('no screen hides a character, and a name of 300 characters breaks none', async ({page}) => {
	await page.setViewportSize({width: 1280, height: 800})
	const confirm = await isolating(page, 'name:LONG-*', long)
	const box = await confirm.boundingBox()
	expect(box === null ? 0 : box.x + box.width).toBeLessThanOrEqual(1280)
	await page.evaluate(() => (document.documentElement.dataset['size'] = 'largest'))
	await dialog(page)
		.locator('header + div')
		.evaluate(one => one.scrollTo(0, 0))
	for (const part of [dialog(page).getByText('Now: not isolated'), main(page).getByText('No requests from this profile')])
		await expect(part).toBeInViewport({ratio: 1})
	await page.evaluate(() => void delete document.documentElement.dataset['size'])
	await page.setViewportSize({width: 640, height: 400})
	expect((await dialog(page).locator('footer').boundingBox())?.height).toBeLessThanOrEqual(160)
	await page.setViewportSize({width: 1280, height: 800})
	await closeDialog(page)
	for (const path of ['/overview', '/computers', '/groups', '/events', '/policies', '/log', '/jobs', '/search?q=evil']) {
		await goTo(page, path)
		await isShown(heading(main(page)).first())
		expect(await tooWide(page), path).toBe(false)
		expect(await hidden(page), path).toEqual([])
	}
})
