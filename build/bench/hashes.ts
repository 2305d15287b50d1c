/** The file-list editor: staging and linting 10,000 hashes, and hashing files in the browser and in the core. */
import {createHash, hash, randomBytes} from 'node:crypto'
import {createReadStream} from 'node:fs'
import {open} from 'node:fs/promises'
import {join} from 'node:path'
import {pipeline} from 'node:stream/promises'

import type {Page} from '@playwright/test'

import {launchChromium} from './browser.ts'
import type {Figure} from './measure.ts'
import {withHost, withTenant} from './processes.ts'
import {benchFolder} from './folder.ts'

const staged = 10_000
const megabytes = 300
const runs = 3

export async function benchHashes(): Promise<readonly Figure[]> {
	const folder = benchFolder()
	return await withTenant(2000, async profile => {
		const file = join(folder, 'image.bin')
		await fill(file)
		return await withHost(profile, async ({ready}) => {
			const inPage = await measurePage(ready['url'] ?? '', file)
			return [...inPage, {name: 'node:crypto in the core', unit: 'MB/s', values: await hashInCore(file)}]
		})
	})
}

async function fill(path: string) {
	const handle = await open(path, 'w')
	const piece = randomBytes(1_000_000)
	for (let index = 0; index < megabytes; index += 1) await handle.write(piece)
	await handle.close()
}

async function hashInCore(file: string) {
	const speeds: number[] = []
	for (let run = 0; run < runs; run += 1) {
		const from = performance.now()
		await pipeline(createReadStream(file, {highWaterMark: 1 << 20}), createHash('sha256'))
		speeds.push(megabytes / ((performance.now() - from) / 1000))
	}
	return speeds
}

async function measurePage(url: string, file: string): Promise<readonly Figure[]> {
	const browser = await launchChromium()
	try {
		const page = await browser.newPage()
		await page.goto(url)
		await openEditor(page)
		const lint: number[] = []
		const speeds: number[] = []
		for (let run = 0; run < runs; run += 1) {
			lint.push(await stageMany(page, run))
			speeds.push(await hashInPage(page, file))
		}
		return [
			{name: `${staged} hashes staged and linted, to rows on the screen`, unit: 'ms', values: lint, target: 'under 1,000'},
			{name: 'worker in Chromium', unit: 'MB/s', values: speeds}
		]
	} finally {
		await browser.close()
	}
}

async function openEditor(page: Page) {
	await page.getByRole('link', {name: 'File lists'}).click()
	await page.getByRole('row', {name: /^Known bad files,/}).dblclick({timeout: 60_000})
	await page.getByText(/hashes · loaded/).waitFor({timeout: 60_000})
	await page.keyboard.press('Shift+E')
	await page.getByText('Nothing is staged').first().waitFor()
}

async function stageMany(page: Page, run: number) {
	const lines = Array.from({length: staged}, (_, index) => hash('sha256', `bench ${run} ${index}`, 'hex'))
	await page.evaluate(text => {
		const clipboardData = new DataTransfer()
		clipboardData.setData('text/plain', text)
		document.body.dispatchEvent(new ClipboardEvent('paste', {clipboardData, bubbles: true, cancelable: true}))
	}, lines.join('\n'))
	const button = page.getByRole('button', {name: `Stage ${staged.toLocaleString('en-US')} rows to add`})
	await button.waitFor({timeout: 30_000})
	const from = performance.now()
	await button.click()
	const all = ((run + 1) * staged).toLocaleString('en-US')
	const bar = page.getByRole('group', {name: 'Commit'})
	await bar.getByText(`${all} staged`).waitFor({timeout: 60_000})
	await page
		.getByRole('row', {name: new RegExp(`^${run === 0 ? lines[0] : ''}`)})
		.first()
		.waitFor()
	return performance.now() - from
}

async function hashInPage(page: Page, file: string) {
	const dialog = page.getByRole('dialog')
	const from = performance.now()
	await page.getByLabel('Files to stage from').setInputFiles(file)
	await dialog.getByText('Hashing has ended.').waitFor({timeout: 300_000})
	const seconds = (performance.now() - from) / 1000
	await dialog.getByRole('button', {name: 'Cancel'}).click()
	return megabytes / seconds
}
