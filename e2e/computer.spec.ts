import type {Page} from '@playwright/test'

import {hasNoViolations} from './axe.ts'
import {expect, test} from './house.ts'
import {
	alert,
	aside,
	button,
	closeDialog,
	comboBox,
	dialog,
	field,
	grid,
	group,
	guidOf,
	link,
	openComputer,
	option,
	press,
	searchBox,
	tableRow,
	shows,
	pressIn,
	isShown,
	says,
	hasValue,
	push
} from './screens.ts'

const host = 'FIN-LT-0231'
const other = 'FIN-SRV-014'
const tab = (page: Page, name: string) => page.getByRole('tab', {name})
const lanes = (page: Page) => page.getByRole('application', {name: 'Trajectory of'})
const table = (page: Page) => grid(page, 'Events of the trajectory')
const inspector = (page: Page) => aside(page, 'Event at the cursor')
const compared = (page: Page) => group(page, 'Compared computers')

async function readTrajectory(page: Page) {
	await openComputer(page, host)
	await tab(page, 'Trajectory').click()
	await push(page, /^(Load|Refresh) .*1 call$/)
	await isShown(button(page, 'Refresh · 1 call'))
}

async function compareWith(page: Page, hostname: string) {
	await push(page, 'Compare with…')
	await comboBox(page, 'Add a computer to the timeline').fill(hostname)
	await option(page, new RegExp(`^${hostname}`)).click()
}

test('stored events have one row for each detection, users link to searches, and keys switch tabs', async ({page}) => {
	await openComputer(page, host)
	const events = grid(page, 'Events of this computer')
	await isShown(tableRow(events, /Quarantine Failure.*failed/))
	await isShown(link(page, 'Corporate ▸ Finance ▸ Finance Laptops').first())
	for (const [key, name] of [
		['2', 'Trajectory'],
		['3', 'Incident log'],
		['4', 'Vulnerabilities'],
		['5', 'JSON'],
		['1', 'Activity']
	] as const) {
		await press(page, key)
		await expect(tab(page, name)).toHaveAttribute('aria-selected', 'true')
	}
	await link(page, /^Show activity of g\.hartmann/).click()
	await hasValue(searchBox(page, 'Query the service for events with'), /^user:g\.hartmann/)
	await push(page, 'Load the trajectory · 1 call')
	await expect(lanes(page)).toHaveAccessibleName(/[\d,]+ events?, from/)
})

test('vulnerable programs are queried by the first look at them, once, and a failure keeps the tab', async ({page, service}) => {
	await openComputer(page, 'FIN-WS-0001')
	const asked = async () => (await service.requests())[`GET /v1/computers/${guidOf(page)}/vulnerabilities`]
	expect(await asked()).toBeUndefined()
	await service.weather('GET /v1/computers/*/vulnerabilities*=status:404')
	await press(page, '4')
	await says(alert(page.getByRole('tabpanel')), 'no longer knows this call')
	await service.weather()
	await push(page, 'Try again')
	await isShown(button(page, 'Query again · 1 call'))
	await hasNoViolations(page)
	const before = await asked()
	await press(page, '3', '4')
	await isShown(button(page, 'Query again · 1 call'))
	expect(await asked()).toBe(before)
})

test('another computer joins the timeline at its own cost, with common files linked, and leaves again', async ({page, service}) => {
	await readTrajectory(page)
	const alone = Number(await table(page).getAttribute('aria-rowcount'))
	await compareWith(page, other)
	await says(compared(page), other)
	const counts = async () =>
		Object.entries(await service.requests())
			.filter(([path]) => path.endsWith('/trajectory'))
			.reduce((sum, [, count]) => sum + count, 0)
	const before = await counts()
	await hasNoViolations(page)
	await push(page, `Load · 1 call for the trajectory of ${other}`)
	await expect.poll(async () => Number(await table(page).getAttribute('aria-rowcount'))).toBeGreaterThan(alone)
	expect(await counts()).toBe(before + 1)
	await shows(page, /files? ⇄ on more than one/)

	await page.getByText('Only shared files').click()
	expect(page.url()).toContain('shared=true')
	await searchBox(page, 'Filter the lanes by name').fill('updchk')
	await pressIn(lanes(page), ']', 'Enter')
	await says(inspector(page), 'All fields')
	const first = await inspector(page).getByText(/^on /).textContent()
	await press(page, 'x')
	await expect(inspector(page).getByText(/^on /)).not.toHaveText(first ?? '')
	await says(inspector(page), 'All fields')
	await hasNoViolations(page)

	await page.reload()
	await says(compared(page), other)
	await isShown(lanes(page))
	expect(await counts()).toBe(before + 1)
	await push(page, `Remove ${other} from the timeline`)
	await expect.poll(async () => Number(await table(page).getAttribute('aria-rowcount'))).toBe(alone)
})

test('an event links to other computers that saw it, to lists, and to the log', async ({page, service}) => {
	await readTrajectory(page)
	await pressIn(lanes(page), ']', 'Enter')
	const before = (await service.requests())['GET /v1/computers/activity'] ?? 0
	await push(inspector(page), 'Check prevalence · 1 call')
	await shows(inspector(page), /^Seen on \d+ computers?/)
	expect((await service.requests())['GET /v1/computers/activity']).toBe(before + 1)
	await push(inspector(page), 'Note…')
	await hasValue(field(dialog(page), 'Note (required)'), /^20\d\d-/)
	await closeDialog(page)
	await push(inspector(page), 'Who else saw this?')
	await hasValue(searchBox(page, 'Search everything'), /^[0-9a-f]{64}$/)
	// Its answer is there already: no second query.
	await isShown(grid(page, 'Matching computers'))
})

test('an event is marked, found again after a reload, and its mark is taken away', async ({page}) => {
	await readTrajectory(page)
	await pressIn(lanes(page), ']', 'b')
	const said = page.getByText('Event marked', {exact: true})
	await expect(said).toBeAttached()
	await page.reload()
	await pressIn(lanes(page), 'Shift+b', 'Enter')
	await says(inspector(page), 'All fields')
	await press(page, 'b')
	await expect(page.getByText('Bookmark removed', {exact: true})).toBeAttached()
})

test('thousands of events are drawn at once when the tab is opened', async ({page}) => {
	await readTrajectory(page)
	const times: (readonly [number, number])[] = []
	for (let run = 0; run < 5; run += 1) times.push(await page.evaluate(measureDrawing))
	const least = (which: 0 | 1) => Math.min(...times.map(pair => pair[which]))
	const [took, work] = [least(0), least(1)]
	test
		.info()
		.annotations.push({type: 'from tab to painted lanes', description: `${took.toFixed(0)} ms, ${(took / work).toFixed(1)} times the work`})
	// The bench bounds the time; here by what this machine, which other tests share, does meanwhile.
	expect(took / work).toBeLessThan(9)
})

/** Runs in the page: leaves the tab, comes back, and measures until the lanes are painted, and how long plain work takes. */
async function measureDrawing() {
	const begun = performance.now()
	let sum = 0
	for (let turn = 0; turn < 3_000_000; turn += 1) sum += Math.sqrt(turn)
	const work = sum > 0 ? performance.now() - begun : NaN
	const frame = () => new Promise(resolve => requestAnimationFrame(resolve))
	const tabs = () => [...document.querySelectorAll<HTMLElement>('[role="tab"]')]
	tabs()[0]?.click()
	while (document.querySelector('[role="application"]') !== null) await frame()
	const start = performance.now()
	tabs()[1]?.click()
	while (document.querySelector('[role="application"]') === null) await frame()
	// The frame that paints it, and the next one.
	await frame()
	await frame()
	return [performance.now() - start, work] as const
}
