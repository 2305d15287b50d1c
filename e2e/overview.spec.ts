/** The overview: what needs a human comes first, every number opens its rows, and every picture has a table. */
import type {Page} from '@playwright/test'

import {isAccessible} from './axe.ts'
import {usualSetup} from './fixtures.ts'
import {expect, test} from './house.ts'
import {attention, events, eventsAreRead, goToOverview, openOverview, picture, threePages, tile} from './overview.ts'
import {
	button,
	chartAction,
	closeDialog,
	dialog,
	filterBox,
	link,
	list,
	listItem,
	press,
	region,
	shows,
	pressIn,
	screenIs,
	isShown,
	isHidden,
	isFocused,
	says,
	push
} from './screens.ts'

/** The numbers of the computers screen: matching and all. */
async function rowsShown(page: Page) {
	const facts = page.getByRole('main').getByText(/^[\d,]+ (?:of the [\d,]+ )?computers?$/)
	await isShown(facts)
	return Number(((await facts.textContent()) ?? '').split(' ')[0]?.replaceAll(',', ''))
}

test.use({houseName: 'three pages', houseSetup: {...usualSetup, service: threePages}})

test.describe('a tenant at work', () => {
	test('each number opens exactly its rows', async ({page}) => {
		await openOverview(page)
		// The numbers of the first pages stay until those of the whole list are counted.
		await says(tile(page, 'Computers'), '1,200')
		for (const name of ['Seen in 24 h', 'Not seen for 30 d', 'Compromised', 'Old connector']) {
			const number = Number((await tile(page, name).textContent())?.replace(name, '').replaceAll(',', ''))
			expect(number, name).toBeGreaterThan(0)
			await tile(page, name).click()
			await screenIs(page, 'Computers')
			await expect.poll(async () => rowsShown(page), {message: name}).toBe(number)
			await page.goBack()
			await screenIs(page, 'Overview')
		}
	})

	test('attention items open by their number, and the shortcuts are listed', async ({listed: page}) => {
		await press(page, 'g', 'o')
		await screenIs(page, 'Overview')
		const lines = listItem(attention(page))
		const compromised = lines.filter({hasText: /computers? (?:is|are) compromised/})
		await isShown(compromised)
		// It comes with the stored events, which are read a little after the start, and takes a place before the others.
		await isShown(lines.filter({hasText: /quarantine/i}))
		await push(lines.filter({hasText: /quarantine/i}), /in seven days.*enlarge/)
		const course = 'Events in seven days, by severity'
		await chartAction(page, course, 'Show as a table')
		await isShown(region(page, `${course}, as a table`))
		await closeDialog(page)
		const place = (await lines.allTextContents()).findIndex(text => text.includes('compromised')) + 1
		await press(page, '?')
		await shows(dialog(page), 'Select a time range')
		await closeDialog(page)
		await press(page, String(place))
		await expect(filterBox(page)).toHaveValue('compromised:yes')
	})

	test('a time range chosen in the event chart is the same by keys, by dragging and in the table', async ({page}) => {
		await openOverview(page)
		await eventsAreRead(page)
		await press(page, ']')
		await expect(button(page, '7 d', true)).toHaveAttribute('aria-pressed', 'true')
		await press(page, 'b')
		await isFocused(events(page))
		await press(page, 'ArrowLeft', 'ArrowLeft')
		await expect(events(page)).toHaveAttribute('aria-valuetext', /; chosen .* events/)
		const chosen = link(page, /Show the [\d,]+ events of the chosen time/)
		await expect(chosen).toHaveAttribute('href', /#\/events\?from=.*&to=/)
		await expect(page).toHaveURL(/from=.*to=/)
		await isShown(region(page, 'Last actions of the chosen time'))
		await isShown(listItem(region(page, 'In the chosen time')).first())

		await chartAction(page, 'Events by severity', 'Show as a table')
		const table = region(page, 'Events by severity, as a table')
		await isShown(table.getByRole('button', {pressed: true}).first())
		await chartAction(page, 'Events by severity', 'Show the chart')

		await pressIn(events(page), 'Escape')
		await isHidden(chosen)
		const box = await events(page).boundingBox()
		if (box === null) throw new Error('The picture has no place.')
		await page.mouse.move(box.x + box.width * 0.3, box.y + 40)
		await page.mouse.down()
		await page.mouse.move(box.x + box.width * 0.6, box.y + 50, {steps: 4})
		await page.mouse.up()
		await isShown(chosen)
		const drag = async (from: number, to: number) => {
			const before = page.url()
			await page.mouse.move(box.x + box.width * from, box.y + 40)
			await page.mouse.down()
			await page.mouse.move(box.x + box.width * to, box.y + 40, {steps: 4})
			await page.mouse.up()
			await expect.poll(() => page.url()).not.toBe(before)
			return chosenTime(page)
		}
		const drawn = chosenTime(page)
		const moved = await drag(0.45, 0.6)
		expect(moved.from).toBeGreaterThan(drawn.from)
		expect(moved.to - moved.from).toBe(drawn.to - drawn.from)
		await press(page, ',')
		await expect.poll(() => chosenTime(page).from).toBeLessThan(moved.from)
		expect(chosenTime(page).to).toBeLessThan(moved.to)
		await push(page, 'Clear the time')
		await isHidden(chosen)
		await isShown(region(page, 'Last actions', true))
	})

	interface TimeRange {
		from: number
		to: number
	}

	/** The chosen time, as the address has it. */
	function chosenTime(page: Page): TimeRange {
		const asked = new URLSearchParams(page.url().split('?')[1])
		const at = (name: string) => Date.parse((asked.get(name) ?? '').replaceAll('"', ''))
		return {from: at('from'), to: at('to')}
	}

	test('charts are walked by arrow keys, open their rows, and are saved as image and table', async ({page}) => {
		await openOverview(page)
		const groups = picture(page, 'Groups')
		const items = button(list(groups, 'Groups'))
		await pressIn(items.first(), 'ArrowRight')
		await isFocused(items.nth(1))
		const [, count] = /: ([\d,]+) computers?/.exec((await items.nth(1).textContent()) ?? '') ?? []

		const [image] = await Promise.all([page.waitForEvent('download'), chartAction(page, 'Groups', 'Save image')])
		expect(image.suggestedFilename()).toBe('groups.png')
		const [text] = await Promise.all([page.waitForEvent('download'), chartAction(page, 'Groups', 'Save table')])
		expect(text.suggestedFilename()).toBe('groups.csv')

		await pressIn(items.nth(1), 'Enter')
		await expect.poll(async () => rowsShown(page)).toBe(Number(count?.replaceAll(',', '')))
	})

	test('paper has the colours of paper, in charts too', async ({page}) => {
		await openOverview(page)
		await eventsAreRead(page)
		const canvas = picture(page, 'Groups').locator('canvas')
		const image = () => canvas.evaluate((element: HTMLCanvasElement) => element.toDataURL())
		const light = await image()
		await page.evaluate(() => (document.documentElement.dataset['theme'] = 'contrast'))
		await expect.poll(image).not.toBe(light)
		await canvas.evaluate((element: HTMLCanvasElement) => {
			matchMedia('print').addEventListener('change', () => (element.title ||= element.toDataURL()))
		})
		await page.pdf()
		await expect(canvas).toHaveAttribute('title', light)
	})

	test('has no violation in any theme, as pictures and as tables', async ({page}) => {
		await openOverview(page)
		await eventsAreRead(page)
		await isAccessible(page)
		for (const chart of ['Events by severity', 'Groups', 'Agent versions']) await chartAction(page, chart, 'Show as a table')
		await isShown(region(page, 'Groups, as a table'))
		await isAccessible(page)
	})

	test.describe('at 200 %', () => {
		test.use({viewport: {width: 640, height: 400}})

		test('nothing is cut off at the edge', async ({page}) => {
			await goToOverview(page)
			await expect(tile(page, 'Old connector')).toBeAttached()
			const widths = await page
				.getByRole('main')
				.evaluate(main => [...main.querySelectorAll('*')].map(each => each.getBoundingClientRect().right).reduce((a, b) => Math.max(a, b), 0))
			expect(widths).toBeLessThanOrEqual(641)
			await tile(page, 'Old connector').scrollIntoViewIfNeeded()
			await expect(tile(page, 'Old connector')).toBeInViewport()
		})
	})
})
