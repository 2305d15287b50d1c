import type {Page} from '@playwright/test'

import {hasNoViolations, isAccessible} from './axe.ts'
import {expect, test} from './house.ts'
import {callService} from './processes.ts'
import {
	aside,
	button,
	columnHeader,
	dialog,
	dialogIsGone,
	grid,
	heading,
	link,
	listIsRead,
	listItem,
	main,
	menuItem,
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
	push,
	pick,
	hasValue,
	addressIs
} from './screens.ts'

test.use({houseName: 'local copies'})

const events = (page: Page) => grid(page, 'Events')
const box = (page: Page) => searchBox(page, 'Filter the events')
const picture = (page: Page) => page.getByRole('slider', {name: 'Events by severity, step of time'})
const firstRow = (page: Page) => tableRow(events(page)).nth(1)
const firstIs = (page: Page, name: RegExp) => expect(firstRow(page)).toHaveAccessibleName(name)

async function openEvents(page: Page) {
	await listIsRead(page)
	await press(page, 'g', 'e')
	await screenIs(page, 'Events')
	await hasValue(box(page), 'severity>=low')
	await push(page, 'Remove the condition Severity at least low')
	await addressIs(page, /filter=$/)
	await shows(main(page), /[\d,]+ stored, newest/)
	await expect(firstRow(page)).not.toHaveAttribute('aria-label', 'Loading')
	await isShown(picture(page))
}

async function rowsOf(page: Page) {
	return Number(await events(page).getAttribute('aria-rowcount')) - 1
}

test('a name has the room of the cells beside it while they are empty, and all cells stay in their columns', async ({page}) => {
	await page.setViewportSize({width: 1920, height: 1080})
	await openEvents(page)
	await box(page).fill('type:"threat detected"')
	await box(page).press('Enter')
	await firstIs(page, /Threat Detected/)
	const widths = await events(page).evaluate(grid => {
		const edges = [...grid.querySelectorAll('[role="columnheader"]')].map(title => title.getBoundingClientRect().right)
		const rows = [...grid.querySelectorAll('[role="row"]')].slice(1).map(row => [...row.querySelectorAll('[role="gridcell"]')])
		const isEmpty = (cell: Element | undefined) => cell?.textContent === ''
		const roomOf = (cells: readonly Element[], at: number) => (!isEmpty(cells[at + 1]) ? 0 : isEmpty(cells[at + 2]) ? 2 : 1)
		return rows.flatMap(cells =>
			cells.flatMap((cell, at) => {
				if (cell.textContent === '') return []
				const room = roomOf(cells, at)
				const edge = edges[at + room] ?? 0
				return [{text: cell.textContent, room, off: Math.abs(cell.getBoundingClientRect().right - edge)}]
			})
		)
	})
	expect(widths.filter(({room}) => room > 0).length).toBeGreaterThan(3)
	expect(widths.some(({room}) => room > 1)).toBe(true)
	expect(widths.filter(({off}) => off > 1)).toEqual([])
})

test('a typed filter narrows the rows, its chip removes it, and a mistake is marked in place', async ({page}) => {
	await openEvents(page)
	const all = await rowsOf(page)
	expect(all).toBeGreaterThan(100)
	await press(page, '/')
	await page.keyboard.type('severity>=high')
	await expect.poll(async () => rowsOf(page)).toBeLessThan(all)
	await press(page, 'Enter')
	await isFocused(events(page))
	await firstIs(page, /severity (?:high|critical)/)
	await addressIs(page, /filter=severity/)

	await box(page).fill('severity>=hgh')
	await shows(page, /Did you mean “high”\?.*The rows still match “severity>=high”/)
	await box(page).fill('severity>=high')
	await box(page).press('Enter')
	await push(page, 'Remove the condition Severity at least high')
	await expect.poll(async () => rowsOf(page)).toBe(all)

	// A scan, failure or Cloud IOC has no detection's name, and says its own.
	await box(page).fill('type:ioc')
	await box(page).press('Enter')
	await firstIs(page, /Cloud IOC.*\.ioc \(TA\d/)
	await box(page).fill('type:"scan completed"')
	await box(page).press('Enter')
	await firstIs(page, /Scan, [\d,]+ files, /)

	await box(page).fill('host:no-such-computer-anywhere')
	await push(page, /^Show all [\d,]+$/)
	await expect.poll(async () => rowsOf(page)).toBe(all)

	// By keys alone: severities and outcome in and out, one row for each detection, one computer, and the hunt for a hash.
	await pressIn(events(page), '1', '2', 'o')
	await hasValue(box(page), 'severity:critical,high outcome:open')
	await press(page, 'o', 'Shift+G')
	await addressIs(page, /grouping=detections/)
	// Keys act on the current rows: each waits for those that the previous key requested.
	const answered = page.locator('[data-shown]')
	await expect(answered).toHaveAttribute('data-shown', /"severity:critical,high".*detections/)
	await press(page, 'j', 'f')
	await hasValue(box(page), /^severity:critical,high guid:[0-9a-f-]{36}$/)
	await expect(answered).toHaveAttribute('data-shown', /guid:/)
	await press(page, 'Shift+S')
	await hasValue(searchBox(page, /Search/), /^[0-9a-f]{64}$/)
})

test('rows load before the counts beside them', async ({page}) => {
	const heard: string[] = []
	page.on('websocket', socket => {
		const note = (way: string) => (frame: {payload: string | Buffer}) => heard.push(`${way} ${frame.payload}`)
		socket.on('framesent', note('asked'))
		socket.on('framereceived', note('told'))
	})
	await page.reload()
	await openEvents(page)
	heard.length = 0
	await box(page).fill('severity>=high')
	const asked = (what: string) =>
		heard.findIndex(text => text.startsWith('asked') && text.includes(`/events/${what}`) && text.includes('severity'))
	await expect.poll(() => Math.min(asked('facets'), asked('histogram'))).toBeGreaterThan(0)
	const question = asked('query')
	const rows = heard.findIndex((text, at) => at > question && text.startsWith('told') && text.includes('"matching"'))
	expect(question).toBeGreaterThanOrEqual(0)
	expect(rows).toBeGreaterThan(question)
	expect(Math.min(asked('facets'), asked('histogram'))).toBeGreaterThan(rows)
})

test('a facet filters by its value alone, and a time chosen in the chart is in the address', async ({page}) => {
	await openEvents(page)
	const facet = button(region(page, 'Severity')).first()
	const count = Number(/([\d,]+)$/.exec((await facet.textContent()) ?? '')?.[1]?.replaceAll(',', ''))
	await facet.click()
	await expect(facet).toHaveAttribute('aria-pressed', 'true')
	await expect.poll(async () => rowsOf(page)).toBe(count)
	await facet.click()
	await hasValue(box(page), '')

	await pressIn(events(page), 'b')
	await isFocused(picture(page))
	await press(page, 'ArrowLeft', 'Enter', 'Enter')
	await addressIs(page, /from=.*to=/)
	await isFocused(events(page))
	await expect.poll(async () => rowsOf(page)).toBeLessThan(1200)
	await link(page, 'Clear selection of time').click()
	await expect(page).not.toHaveURL(/from=/)
})

test('an event opens beside the list with all its digits, and links on', async ({page}) => {
	await openEvents(page)
	await box(page).fill('outcome:quarantined')
	await box(page).press('Enter')
	await firstIs(page, /outcome: quarantined/)
	await press(page, 'j', 'Space')
	const panel = aside(page, 'Event at the cursor')
	await says(panel.getByLabel('event as JSON', {exact: true}), /"id": \d{19}\b/)
	await isShown(region(panel, 'Same detection'))
	const id = /"id": (\d{19})/.exec((await panel.getByLabel('event as JSON', {exact: true}).textContent()) ?? '')?.[1] ?? ''
	await isShown(panel.getByText(id, {exact: true}).first())
	await push(panel, 'Same computer')
	await hasValue(box(page), /^outcome:quarantined guid:[0-9a-f-]{36}$/)
	await press(page, 'Escape')
	await isHidden(panel)
	await pressIn(events(page), 'Enter')
	await addressIs(page, /computers\/[0-9a-f-]{36}/)
})

test('an id of 19 digits is the same at the service, in both files and on the clipboard', async ({page, context, service}) => {
	await context.grantPermissions(['clipboard-read', 'clipboard-write'])
	await openEvents(page)
	await pressIn(events(page), 'j', 'Space')
	const panel = aside(page, 'Event at the cursor')
	const record = panel.getByLabel('event as JSON', {exact: true})
	await says(record, /"id": \d{19}\b/)
	const id = /"id": (\d{19})/.exec((await record.textContent()) ?? '')?.[1] ?? ''
	// Too large for a number of the page.
	expect(String(Number(id))).not.toBe(id)
	expect(await (await callService(service, 'events?limit=500')).text()).toContain(`"id":${id}`)
	await page.setViewportSize({width: 640, height: 400})
	expect((await panel.boundingBox())?.height).toBeGreaterThan(250)
	await button(panel, 'Copy event as JSON').focus()
	await expect(button(panel, 'Open computer')).not.toBeInViewport()
	await page.setViewportSize({width: 1280, height: 720})
	await push(panel, 'Copy event as JSON')
	await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toContain(`"id": ${id}`)
	for (const [format, written] of [
		['CSV', id],
		['JSON Lines', `"id":${id}`]
	] as const) {
		await pressIn(events(page), 'e')
		await dialog(page).locator('label').filter({hasText: format}).click()
		expect((await savedBy(button(dialog(page), 'Export', true))).text).toContain(written)
		await dialogIsGone(page)
	}
})

test('one row for each detection, and a file of them', async ({page}) => {
	await openEvents(page)
	const all = await rowsOf(page)
	const rows = button(page, /Rows/)
	await rows.click()
	await pick(page, 'By hash')
	await shows(page, /rows of (?:the newest )?[\d,]+ that match/)
	await firstIs(page, /^stands for \d+ (?:event|on)/)
	await rows.click()
	await pick(page, 'By detection', true)
	await expect.poll(async () => rowsOf(page)).toBeLessThan(all)
	await pressIn(events(page), 'v')
	await menuItem(page, 'Save as a view…').click()
	await page.keyboard.type('Detections')
	await press(page, 'Enter')
	await dialogIsGone(page)
	for (const [view, shown] of [
		['All events', 'Every event'],
		['Detections', 'By detection']
	] as const) {
		await push(page, 'Views')
		await menuItem(page, view).click()
		await says(rows, shown)
		await hasValue(box(page), '')
	}
	for (const name of ['Detection, details', 'File', 'Hash']) await isShown(columnHeader(events(page), name, true))
	await pressIn(events(page), 'e')
	expect((await savedBy(button(dialog(page), 'Export', true))).name).toMatch(/^events-.*\.csv$/)
	await dialogIsGone(page)
})

test('the overview leads to the worst detection group', async ({page}) => {
	await openEvents(page)
	await press(page, 'g', 'o')
	const line = listItem(region(page, 'Needs attention')).filter({hasText: 'critical, not stopped'})
	await link(line, /Updchk/).click()
	const panel = aside(page, 'Detection group at the cursor')
	await isShown(heading(panel, 'W32.Updchk.RAT.tht.VRT on 3 computers'))
	await hasNoViolations(page)
})

test('a failed refresh keeps the rows and says so', async ({page, service}) => {
	await openEvents(page)
	const all = await rowsOf(page)
	await service.weather('GET /v1/events*=500')
	await press(page, 'r', 'Enter')
	const banner = page.getByText(/Could not refresh the events: .*You see local data/)
	await isShown(banner)
	expect(await rowsOf(page)).toBe(all)
	await service.weather()
	await push(status(page).filter({has: banner}), 'Try again')
	await isHidden(banner)
})

test('has no violation in any theme, with an event beside the list', async ({page}) => {
	await openEvents(page)
	await isAccessible(page)
	await pressIn(events(page), 'j', 'Space')
	await isShown(page.getByLabel('event as JSON', {exact: true}))
	await isAccessible(page)
})
