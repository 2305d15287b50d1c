/**
 * The window over 100,000 computers: first load from the service, cold start from the local copy, and the time of a filter
 * or a sort from the keystroke to the rows.
 */
import type {Browser, Page} from '@playwright/test'

import {launchChromium} from './browser.ts'
import {memoryOf, times, type Figure} from './measure.ts'
import {heapOf, rendererMemory} from './page-memory.ts'
import {startHeadless, withHost, withTenant, type Running} from './processes.ts'

const computers = 100_000
/** Set by `npm run bench`, which finds a browser or installs one. */
const filters = ['FIN-', 'os:windows compromised:yes', 'last_seen<1d group:Servers', 'ip:10.20.0.0/16', 'isolation:pending*'] as const
const sorts = ['Last seen', 'Operating system', 'Name'] as const

export async function benchWindow(): Promise<readonly Figure[]> {
	return await withTenant(computers, async (profile, sandbox) => {
		const browser = await launchChromium()
		try {
			const began = performance.now()
			const first = await withHost(profile, host => watchFirstLoad(host, sandbox, browser, began))
			const cold = await coldStarts(profile, browser)
			return [...first, ...cold]
		} finally {
			await browser.close()
		}
	})
}

async function watchFirstLoad(host: Running, sandbox: Running, browser: Browser, began: number) {
	const page = await open(browser, host.ready['url'] ?? '')
	await firstRow(page)
	const firstRows = performance.now() - began
	await page
		.getByText(new RegExp(`^${computers.toLocaleString('en')} computers`))
		.first()
		.waitFor({timeout: 120_000})
	const whole = performance.now() - began
	const figures: Figure[] = [
		{name: 'first load: first rows on the screen', unit: 's', values: [firstRows / 1000]},
		{name: `first load: ${computers} computers, ${computers / 500} pages`, unit: 's', values: [whole / 1000]},
		{name: 'memory of the host process', unit: 'MB', values: [memoryOf(host.pid)]},
		{name: 'memory of the sandbox service', unit: 'MB', values: [memoryOf(sandbox.pid)]},
		{name: 'memory of the page (its renderer process)', unit: 'MB', values: [await rendererMemory(browser, memoryOf)]},
		{name: 'memory of the page (JavaScript heap)', unit: 'MB', values: [await heapOf(page)]},
		...(await filterLatency(page)),
		...(await sortLatency(page))
	]
	await page.context().close()
	return figures
}

async function coldStarts(profile: string, browser: Browser): Promise<readonly Figure[]> {
	const values = await times(5, async () => {
		const began = performance.now()
		const host = await startHeadless(profile)
		const page = await open(browser, host.ready['url'] ?? '')
		await firstRow(page)
		const ms = performance.now() - began
		await page.context().close()
		await host.stop()
		return ms
	})
	return [{name: 'cold start to the first usable list from the local copy', unit: 'ms', values, target: 'under 1,500'}]
}

async function open(browser: Browser, url: string) {
	const context = await browser.newContext({viewport: {width: 1920, height: 1080}})
	const page = await context.newPage()
	await page.goto(`${url}#/computers`)
	return page
}

async function firstRow(page: Page) {
	// A row of data, not a skeleton, which is called *Loading*.
	await page
		.getByRole('row', {name: /isolation:/})
		.first()
		.waitFor({timeout: 60_000})
}

async function filterLatency(page: Page): Promise<readonly Figure[]> {
	const box = page.getByRole('searchbox', {name: /filter/i})
	const values: number[] = []
	for (const filter of filters) {
		values.push(await untilCounted(page, () => box.fill(filter)))
		values.push(await untilCounted(page, () => box.fill('')))
	}
	return [{name: `filter over ${computers} rows: last key to rows on the screen`, unit: 'ms', values, target: 'under 100'}]
}

async function sortLatency(page: Page): Promise<readonly Figure[]> {
	const values: number[] = []
	for (const title of sorts) {
		for (let click = 0; click < 2; click += 1) {
			values.push(await untilCounted(page, () => page.getByRole('columnheader', {name: title}).getByRole('button').click()))
		}
	}
	return [{name: `sort over ${computers} rows: click to rows on the screen`, unit: 'ms', values, target: 'under 100'}]
}

/** From the action to the frame in which the rows answer the new query, which the screen marks with `data-shown`. */
async function untilCounted(page: Page, act: () => Promise<void>) {
	const before = await page.locator('[data-shown]').first().getAttribute('data-shown')
	const began = performance.now()
	await act()
	await page.waitForFunction(
		old => {
			const now = document.querySelector('[data-shown]')?.getAttribute('data-shown') ?? null
			return now !== null && now !== old
		},
		before,
		{polling: 'raf'}
	)
	return performance.now() - began
}
