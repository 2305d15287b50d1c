import type {Page} from '@playwright/test'

import {hasNoViolations} from './axe.ts'
import {test as alone} from './fixtures.ts'
import {expect, test} from './house.ts'
import {
	button,
	closeDialog,
	comboBox,
	computers,
	dialogIsGone,
	dialogSays,
	grid,
	heading,
	link,
	listIsRead,
	main,
	option,
	press,
	region,
	savedBy,
	searchBox,
	status,
	tableRow,
	screenIs,
	shows,
	pressIn,
	isShown,
	isHidden,
	isFocused,
	says,
	hasValue,
	isNamed,
	push
} from './screens.ts'

const box = (page: Page) => searchBox(page, 'Search everything')
const group = (page: Page, title: string) => region(page, title, true)
const service = (page: Page) => region(page, 'The service')
const seen = (page: Page) => grid(page, 'Matching computers')
const question = (page: Page, words: RegExp) => button(page.getByRole('group', {name: words}), /^Query/)
const ask = (page: Page) => question(page, /^Which computers have seen/)
const activity = 'GET /v1/computers/activity'

async function openSearch(page: Page) {
	await listIsRead(page)
	await press(page, 'Control+Shift+f')
	await isFocused(box(page))
}

/** Searches for a program that many computers run, and asks the service. */
async function askFor(page: Page, text: string) {
	await openSearch(page)
	await box(page).fill(text)
	await ask(page).click()
	await isShown(seen(page))
	await isHidden(button(page, 'Stop', true))
}

async function numberOf(page: Page, word: RegExp) {
	const text = (await button(page, word).textContent()) ?? ''
	return Number(/\d+/.exec(text)?.[0])
}

test('local results appear while typing, are grouped, open by keyboard, and cost nothing', async ({page, service: sandbox}) => {
	await openSearch(page)
	await isShown(heading(page, 'What you can search for'))
	const before = await sandbox.requests()
	await box(page).fill('FIN-LT-0231')
	await says(group(page, 'Computers'), 'FIN-LT-0231')
	expect((await link(group(page, 'Events'), /phishing/).boundingBox())?.height).toBeLessThan(30)
	await isShown(link(group(page, 'Events'), 'Open all: Events'))
	expect((await sandbox.requests())[activity]).toBe(before[activity])
	await expect.poll(() => page.url()).toContain('FIN-LT-0231')
	await press(page, 'ArrowDown', 'Enter')
	await screenIs(page, 'FIN-LT-0231')
	await page.goBack()
	await hasValue(box(page), 'FIN-LT-0231')
	await link(page, 'Open all: Events').click()
	await isNamed(tableRow(grid(page, 'Events')).nth(1), /FIN-LT-0231/)
})

test('defanged addresses, hashes of other kinds and nonsense are told apart', async ({page}) => {
	await openSearch(page)
	const recognised = status(main(page))
	await box(page).fill('hxxp://203[.]0[.]113[.]66/x')
	await says(recognised.first(), 'URLhttp://203.0.113.66/x')
	await says(recognised.first(), 'was defanged')
	await box(page).fill('203[.]0[.]113[.]66')
	await says(recognised.first(), 'IPv4 address')
	await box(page).fill('d41d8cd98f00b204e9800998ecf8427e')
	await says(recognised.first(), 'The service searches by SHA-256 alone')
	await shows(page, 'No local results')
	await isHidden(service(page))
	await box(page).fill('"..."')
	await isShown(heading(page, 'There is no letter or digit to search for'))
})

test('a service query shows its cost, and can include computers without local events', async ({page, service: sandbox}) => {
	await openSearch(page)
	await box(page).fill('svchost.exe')
	await isNamed(ask(page), /1 call/)
	const before = (await sandbox.requests())[activity] ?? 0
	await ask(page).click()
	await isShown(seen(page))
	expect((await sandbox.requests())[activity]).toBe(before + 1)
	const [all, silent] = [await numberOf(page, /saw it/), await numberOf(page, /no local events/)]
	expect(silent).toBeGreaterThan(0)
	expect(silent).toBeLessThan(all)
	await press(page, 'Escape')
	await pressIn(seen(page), 'Shift+s')
	await expect(seen(page)).toHaveAttribute('aria-rowcount', String(silent + 1))
	expect(page.url()).toContain('show=silent')

	const {name, text} = await savedBy(button(page, 'Export CSV'))
	expect(name).toBe('seen-but-silent-svchost.exe.csv')
	const lines = text.trim().split('\r\n')
	expect(lines).toHaveLength(silent + 1)
	expect(lines.slice(1).every(line => line.split(',')[2] === 'yes')).toBe(true)

	await push(page, 'Open in Computers')
	await isShown(main(page).getByText(`${silent} of`, {exact: false}).first())
	await expect(computers(page)).toHaveAttribute('aria-rowcount', String(silent + 1))
	await page.goBack()
	// The answer is still there, and nothing was asked again.
	await expect(seen(page)).toHaveAttribute('aria-rowcount', String(silent + 1))
	expect((await sandbox.requests())[activity]).toBe(before + 1)
})

test('a user can be queried too, and a computer found opens at its trajectory', async ({page}) => {
	await openSearch(page)
	await box(page).fill('g.hartmann')
	await says(group(page, 'Users'), 'g.hartmann@FIN-LT-0231')
	await question(page, /Which computers has this user been on/).click()
	await isShown(tableRow(seen(page), /FIN-LT-0231/))
	await tableRow(seen(page), /FIN-LT-0231/).dblclick()
	await isShown(heading(page, 'This trajectory has not been loaded yet'))
	await hasValue(searchBox(page, 'Query the service for events with'), 'user:g.hartmann')
})

// On a service of its own: the console remembers for ten minutes that its quota is spent.
alone('a service that fails says so, keeps what came, and can be asked again', async ({page, service: sandbox}) => {
	await askFor(page, 'RuntimeBroker.exe')
	await sandbox.weather('GET /v1/computers/activity*=status:403')
	await ask(page).click()
	await says(status(service(page)).first(), 'No answer yet')
	await sandbox.weather('GET /v1/computers/activity*=429:600')
	await push(page, /^Continue/)
	await isFocused(main(page))
	await says(service(page), /budget|too many|limit/i)
	await sandbox.weather()
})

test('searches are remembered, and forgotten on request', async ({page}) => {
	await openSearch(page)
	await box(page).fill('zebra-fish')
	await press(page, 'Enter')
	await shows(page, 'No local results')
	await page.reload()
	await box(page).fill('')
	const recent = region(page, 'Recent searches')
	await recent.getByText('zebra-fish').click()
	await hasValue(box(page), 'zebra-fish')
	await box(page).fill('')
	await push(recent, 'Forget these')
	await says(recent, 'None yet')
})

test('the palette and the list of keys know the search', async ({listed: page}) => {
	await press(page, 'Control+k')
	await comboBox(page).fill('zebra-fish')
	await option(page, /Search everything for “zebra-fish”/).click()
	await hasValue(box(page), 'zebra-fish')
	await press(page, 'Tab', '?')
	await dialogSays(page, 'Go to Query service')
	await closeDialog(page)
	await press(page, 'Control+k')
	await isFocused(comboBox(page))
	// Beside the palette, where its scrim is.
	await page.mouse.click(12, 400)
	await dialogIsGone(page)
})

for (const [scheme, zoom] of [
	['light', '1'],
	['dark', '2']
] as const)
	test(`axe finds nothing in ${scheme} at zoom ${zoom}`, async ({page}) => {
		await page.emulateMedia({colorScheme: scheme})
		await page.setViewportSize({width: 1280 / Number(zoom), height: 800 / Number(zoom)})
		await openSearch(page)
		await hasNoViolations(page)
		await box(page).fill('FIN-LT')
		await isShown(group(page, 'Computers'))
		await ask(page).click()
		await says(service(page), /No match in the newest records.*is not ruled out/)
		await hasNoViolations(page)
		await box(page).fill('svchost.exe')
		// Until then the buttons are those of the text before, below its results.
		await isHidden(group(page, 'Computers'))
		await ask(page).click()
		await isShown(seen(page))
		await hasNoViolations(page)
		const isWider = await page.evaluate(() => document.documentElement.scrollWidth > window.innerWidth)
		expect(isWider).toBe(false)
	})
