import type {Locator, Page} from '@playwright/test'

import {hasNoViolations} from './axe.ts'
import {expect, test} from './house.ts'
import type {SandboxProcess} from './processes.ts'
import {closeDialog, dialog, listIsRead, tenant, writesIn} from './screens.ts'

test.use({houseName: 'local copies'})
// Axe checks the whole page in some of them, which takes its time beside other tests.
test.describe.configure({timeout: 120_000})

const main = (page: Page): Locator => page.getByRole('main')
const hashes = (page: Page): Locator => page.getByRole('grid', {name: 'Hashes'})
const firstRow = (page: Page): Locator => hashes(page).getByRole('row').nth(1)
const searchBox = (page: Page): Locator => page.getByRole('searchbox', {name: 'Search the hashes and notes'})
const receipt = (page: Page): Locator => page.getByRole('region', {name: 'Result of the last change'})
const hashField = (page: Page): Locator => dialog(page).getByRole('textbox', {name: 'SHA-256'})
const reasonField = (page: Page): Locator => dialog(page).getByRole('textbox', {name: 'Reason'})

async function openLists(page: Page): Promise<void> {
	await listIsRead(page)
	await page.keyboard.press('g')
	await page.keyboard.press('f')
	await expect(page.getByRole('heading', {name: 'File lists', level: 1})).toBeVisible()
	await expect(main(page).getByText('all details loaded')).toBeVisible({timeout: 20_000})
}

async function openList(page: Page, name: string): Promise<void> {
	await openLists(page)
	await page.getByRole('row', {name: new RegExp(`^${name},`)}).dblclick()
	await expect(page.getByRole('heading', {name, level: 1})).toBeVisible()
	await expect(firstRow(page)).toHaveAccessibleName(/^[0-9a-f]{64},/)
}

async function rowsOf(page: Page): Promise<number> {
	return Number(await hashes(page).getAttribute('aria-rowcount')) - 1
}

async function firstHash(page: Page): Promise<string> {
	return ((await firstRow(page).getAttribute('aria-label')) ?? '').slice(0, 64)
}

/** Somebody else, directly on the service. */
async function elsewhere(service: SandboxProcess, method: string, path: string): Promise<void> {
	const authorization = `Basic ${Buffer.from(`${service.clientId}:${service.apiKey}`).toString('base64')}`
	const answer = await fetch(`${service.url}${path}`, {method, headers: {authorization}})
	expect(answer.ok).toBe(true)
}

function guidOfList(page: Page): string {
	return /file-lists\/([0-9a-f-]{36})/.exec(page.url())?.[1] ?? ''
}

/** Into the palette. */
async function paste(page: Page, text: string): Promise<void> {
	await page.keyboard.press('Control+k')
	await page.getByRole('combobox', {name: 'Search computers, groups and commands'}).fill(text)
}

/** The clipboard's text: nobody may read it, but it can be pasted into a field. */
async function clipboard(page: Page): Promise<string> {
	await searchBox(page).focus()
	await page.keyboard.press('Control+a')
	await page.keyboard.press('Control+v')
	return searchBox(page).inputValue()
}

/** A hash of its own for each test. */
let next = 0
function freshHash(): string {
	next += 1
	return `${process.pid}a${next}`.padEnd(64, 'c0ffee')
}

test('from the two kinds to one hash and back, by keyboard, and every view has an address', async ({page}) => {
	await openLists(page)
	await expect(page.getByRole('grid', {name: 'Simple custom detections'}).getByRole('row')).toHaveCount(8)
	await expect(page.getByRole('grid', {name: 'Application blocking'}).getByRole('row')).toHaveCount(6)
	await page.keyboard.press('/')
	await page.keyboard.type('known bad')
	const row = page.getByRole('row', {name: /^Known bad files, hashes: 720, policies: 13, enforced on: \d+ of 300/})
	await expect(page.getByRole('grid', {name: 'Simple custom detections'}).getByRole('row')).toHaveCount(2)
	await expect(page.getByText('No list of this kind has “known bad” in its name.')).toBeVisible()
	await page.getByRole('grid', {name: 'Simple custom detections'}).focus()
	await page.keyboard.press('j')
	await expect(row).toBeVisible()
	await page.keyboard.press('Enter')
	await expect(page.getByRole('heading', {name: 'Known bad files', level: 1})).toBeVisible()
	await expect(main(page).getByText(/^720 hashes · loaded/)).toBeVisible()
	await expect.poll(async () => rowsOf(page)).toBe(720)

	await page.keyboard.press('/')
	await page.keyboard.type('service desk')
	await expect.poll(async () => rowsOf(page)).toBeLessThan(720)
	await expect(page).toHaveURL(/search=service/)
	await page.keyboard.press('Enter')
	await expect(hashes(page)).toBeFocused()
	await page.keyboard.press('j')
	await page.keyboard.press('Space')
	const panel = page.getByRole('complementary', {name: 'Hash at the cursor'})
	await expect(panel).toContainText('Reported by the service desk')
	await expect(page).toHaveURL(/item=[0-9a-f]{64}/)
	await page.reload()
	await expect(panel).toContainText('Reported by the service desk')
	await expect(searchBox(page)).toHaveValue('service desk')
	await page.keyboard.press('Escape')
	await expect(panel).toBeHidden()

	await hashes(page).focus()
	await page.keyboard.press('j')
	await page.keyboard.press('Enter')
	await expect(page).toHaveURL(/file-lists\/[0-9a-f-]{36}\/[0-9a-f]{64}/)
	await expect(page.getByRole('region', {name: 'On Known bad files'})).toContainText('Reported by the service desk')
	await expect(page.getByRole('region', {name: 'Lists that contain it'})).toContainText('Known bad files')
	await page.keyboard.press('Escape')
	await expect(page.getByRole('heading', {name: 'Known bad files', level: 1})).toBeVisible()
	await page.keyboard.press('Escape')
	await expect(page.getByRole('heading', {name: 'File lists', level: 1})).toBeVisible()
})

test('hashes are put into another order, and "?" lists the keys', async ({page}) => {
	await openList(page, 'Known bad files')
	const first = await firstHash(page)
	await page.getByRole('button', {name: 'SHA-256', exact: true}).click()
	await expect(page).toHaveURL(/descending=true/)
	await expect.poll(async () => firstHash(page)).not.toBe(first)
	expect((await firstHash(page)) > first).toBe(true)
	await page.getByRole('button', {name: 'Note', exact: true}).click()
	await expect(page).toHaveURL(/sort=description/)
	await hashes(page).focus()
	await page.keyboard.press('?')
	const keys = dialog(page).getByRole('region', {name: 'File list', exact: true})
	await expect(keys).toContainText('Toggle coverage')
	await expect(keys).toContainText('Remove the hash…')
})

test('coverage: every number opens its computers, and the chart has a table', async ({page}) => {
	await openList(page, 'Linux miners')
	await page.keyboard.press('Shift+V')
	await expect(page).toHaveURL(/view=coverage/)
	await expect(page.getByText(/^Enforced on \d+ of 300 computers/)).toContainText('not at once')
	const parts = page.getByRole('table', {name: 'All computers by what they enforce'})
	const counts = await parts.getByRole('row').locator('td:first-of-type').allTextContents()
	expect(counts.reduce((sum, count) => sum + Number(count), 0)).toBe(300)
	await page.getByRole('button', {name: 'From the list to its computers as a table'}).click()
	await expect(page.getByRole('region', {name: 'From the list to its computers, as a table'})).toContainText('(Linux)')
	const other = parts.getByRole('link', {name: /computers: Have another list/})
	const count = Number(await other.textContent())
	await other.click()
	await expect(page).toHaveURL(/computers\?filter=policy/)
	await expect(page.getByRole('grid', {name: 'Computers'})).toHaveAttribute('aria-rowcount', String(count + 1))
	await page.goBack()
	await expect(parts).toBeVisible()
	await page.keyboard.press('Shift+V')
	await expect(hashes(page)).toBeVisible()
	await page.getByRole('tab', {name: 'Ages'}).click()
	await expect(page.getByText('The service gives no date for a hash')).toContainText('21 were already on it')
	await expect(page.getByRole('button', {name: 'age not known, there before: 21'})).toHaveCount(1)
})

test('a hash that must not or should not be listed is reported before anything is sent', async ({page, service}) => {
	await openList(page, 'Known bad files')
	const known = await firstHash(page)
	const hash = freshHash()
	await page.keyboard.press('a')
	await expect(hashField(page)).toBeFocused()
	const send = dialog(page).getByRole('button', {name: new RegExp(` in ${tenant}$`)})
	const checks = dialog(page).getByRole('list', {name: 'Checks'})
	for (const [typed, told] of [
		['d41d8cd98f00b204e9800998ecf8427e', 'This is an MD5 (that of the empty file).'],
		['e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855', 'This is the hash of the empty file'],
		[known.toUpperCase(), 'It is on the list already'],
	] as const) {
		await hashField(page).fill(typed)
		await expect(checks).toContainText(told)
		await expect(send).toHaveAttribute('aria-disabled', 'true')
	}
	await reasonField(page).fill('INC-7, dropper')
	await hashField(page).fill('01ba4719c80b6fe911b091a7c05124b64eeece964e09c058ef8f9805daca546b')
	await expect(checks).toContainText('This is the hash of a file of one line break')
	await expect(send).toHaveAttribute('aria-disabled', 'true')
	await dialog(page).getByRole('textbox', {name: 'Confirm with the beginning of the hash'}).fill('01BA4719')
	await expect(send).not.toHaveAttribute('aria-disabled')
	await hashField(page).fill(` ${hash.toUpperCase()} `)
	await expect(checks).toContainText('No stored event names it.')
	await dialog(page).getByRole('button', {name: 'How many computers have seen it? · 1 call'}).click()
	await expect(checks).toContainText('The service knows no computer that has seen it.')
	await hashField(page).press('Enter')
	await expect(dialog(page)).toBeVisible()
	expect(writesIn(await service.requests()).filter(name => name.includes(hash))).toEqual([])
})

test('a hash is added with a reason, and undone after its state was checked', async ({page}) => {
	await openList(page, 'Known bad files')
	const hash = freshHash()
	await page.keyboard.press('a')
	await hashField(page).fill(hash)
	await reasonField(page).fill('INC-7, dropper')
	await dialog(page)
		.getByRole('button', {name: `Add ${hash.slice(0, 12)}… to Known bad files in ${tenant}`})
		.click()
	await expect(dialog(page)).toBeHidden()
	await expect(receipt(page)).toContainText('was added to the list Known bad files')
	await expect(receipt(page)).toContainText('HTTP 201')
	await expect.poll(async () => rowsOf(page)).toBe(721)

	await receipt(page).getByRole('button', {name: 'Undo…'}).click()
	await expect(dialog(page)).toContainText('Just checked: unchanged since.')
	await expect(dialog(page)).toContainText(`!svc_delete_file_list_files_by_sha file_list_guid=${guidOfList(page)}`)
	await expect(dialog(page).getByRole('button', {name: 'Cancel'})).toBeFocused()
	await dialog(page)
		.getByRole('button', {name: `Remove ${hash.slice(0, 12)}… from Known bad files in ${tenant}`})
		.click()
	await expect(dialog(page)).toBeHidden()
	await expect(receipt(page)).toBeHidden()
	await expect.poll(async () => rowsOf(page)).toBe(720)
})

test('a removed hash comes back with its note; what somebody changed since is not touched', async ({page, service}) => {
	await openList(page, 'Mac adware')
	await searchBox(page).fill('threat feed')
	await searchBox(page).press('Enter')
	await expect(firstRow(page)).toHaveAccessibleName(/From the threat feed/)
	const hash = await firstHash(page)
	await page.keyboard.press('j')
	await page.keyboard.press('Delete')
	await expect(dialog(page)).toContainText(hash)
	await expect(reasonField(page)).toBeFocused()
	await reasonField(page).fill('False positive')
	await dialog(page)
		.getByRole('button', {name: `Remove ${hash.slice(0, 12)}… from Mac adware in ${tenant}`})
		.click()
	await expect(dialog(page)).toBeHidden()
	await expect(receipt(page)).toContainText('was removed from the list Mac adware')
	await searchBox(page).fill(hash)
	await expect(page.getByText('No hash matches')).toBeVisible()

	await receipt(page).getByRole('button', {name: 'Undo…'}).click()
	await expect(dialog(page)).toContainText('description="From the threat feed"')
	await dialog(page)
		.getByRole('button', {name: /^Add .* to Mac adware again in /})
		.click()
	await expect(dialog(page)).toBeHidden()
	await expect(firstRow(page)).toHaveAccessibleName(new RegExp(`^${hash}, From the threat feed`))

	const other = freshHash()
	await hashes(page).focus()
	await page.keyboard.press('a')
	await hashField(page).fill(other)
	await reasonField(page).fill('Mine')
	await dialog(page)
		.getByRole('button', {name: /^Add .* to Mac adware in /})
		.click()
	await expect(receipt(page)).toContainText('was added')
	await elsewhere(service, 'DELETE', `/v1/file_lists/${guidOfList(page)}/files/${other}`)
	await receipt(page).getByRole('button', {name: 'Undo…'}).click()
	await expect(dialog(page)).toContainText('It is no longer on Mac adware: no undo needed.')
	await expect(dialog(page).getByRole('button', {name: /^Remove /})).toHaveAttribute('aria-disabled', 'true')
})

test('all hashes go into a file, and one onto the clipboard in several forms', async ({page, context}) => {
	await context.grantPermissions(['clipboard-write'])
	await openList(page, 'Remote administration tools')
	await page.keyboard.press('e')
	const [csv] = await Promise.all([
		page.waitForEvent('download'),
		dialog(page).getByRole('button', {name: 'Export', exact: true}).click(),
	])
	expect(csv.suggestedFilename()).toMatch(/^remote-administration-tools-\d{4}-\d\d-\d\d\.csv$/)
	await expect(dialog(page)).toBeHidden()
	await hashes(page).focus()
	await page.keyboard.press('j')
	const hash = await firstHash(page)
	await page.keyboard.press('Shift+Y')
	await dialog(page).getByRole('option', {name: 'Command'}).click()
	await expect(dialog(page)).toBeHidden()
	await page.keyboard.press('y')
	await expect(page.getByText('Hash copied', {exact: true})).toBeAttached()
	expect(await clipboard(page)).toBe(hash)
	await expect.poll(async () => rowsOf(page)).toBe(1)
})

test('a pasted hash leads to the lists that hold it, and to the dialog with the list to choose', async ({page}) => {
	await openList(page, 'Incident 2024-117')
	const hash = await firstHash(page)
	await paste(page, hash)
	await page.getByRole('option', {name: /Which file lists hold this hash/}).click()
	await expect(page).toHaveURL(new RegExp(`file-lists/hash/${hash}`))
	const lists = page.getByRole('region', {name: 'Lists that contain it'})
	await expect(lists.getByRole('link', {name: 'Incident 2024-117'})).toBeVisible()
	await expect(page.getByRole('region', {name: 'Events that name it'})).toBeVisible()
	await page.keyboard.press('p')
	await page.keyboard.press('Space')
	await expect(page.getByText(/^The service says: /)).toBeVisible()

	await paste(page, hash)
	await page.getByRole('option', {name: /Block this hash…/}).click()
	await expect(hashField(page)).toHaveValue(hash)
	await expect(reasonField(page)).toBeFocused()
	await dialog(page).getByRole('button', {name: /List/}).first().click()
	await expect(page.getByRole('option', {name: /allowed applications/})).toHaveCount(0)
	await page.getByRole('option', {name: /^Remote administration tools/}).click()
	await expect(dialog(page).getByRole('heading', {level: 2})).toHaveText(/^Block .* on Remote administration tools$/)
	await expect(dialog(page).getByRole('list', {name: 'Checks'})).toContainText(
		'It is also on Incident 2024-117, a list of simple custom detections.',
	)
	await closeDialog(page)
})

test('a failed refresh keeps the rows; a partial list says how much is loaded', async ({page, service}) => {
	await openList(page, 'Known bad files')
	await service.weather('GET /v1/file_lists/*/files*=500')
	await page.keyboard.press('r')
	await page.keyboard.press('Enter')
	const banner = page.getByText(/Not all hashes could be loaded: .*500.*You see/)
	await expect(banner).toBeVisible({timeout: 20_000})
	expect(await rowsOf(page)).toBe(720)
	await service.weather()
	await page
		.getByRole('status')
		.filter({has: banner})
		.getByRole('button', {name: /^Refresh · 2 calls/})
		.click()
	await expect(banner).toBeHidden()

	await service.weather('GET /v1/file_lists/*/files?*offset=500*=status:500')
	await page.keyboard.press('Escape')
	await page.getByRole('row', {name: /^Ransomware indicators,/}).dblclick()
	await expect(page.getByText(/You see 500 of 512/)).toBeVisible({timeout: 20_000})
	await expect.poll(async () => rowsOf(page)).toBe(500)
	await page.keyboard.press('e')
	await expect(dialog(page)).toContainText('The list was not fully loaded: the file has 500 of 512 hashes.')
})

test('a list that was deleted elsewhere stays to be read, and nothing can be added', async ({page, service}) => {
	await openList(page, 'Unwanted applications')
	await service.weather(`GET /v1/file_lists/${guidOfList(page)}/files*=status:404`)
	await page.getByRole('button', {name: /^Refresh/}).click()
	await expect(page.getByText(/This list was deleted elsewhere at or before/)).toBeVisible()
	expect(await rowsOf(page)).toBe(148)
	await expect(page.getByRole('button', {name: /^Add a hash…/})).toHaveAttribute('aria-disabled', 'true')
})

test('an empty list says what it does; an unknown one says that it does not exist', async ({page}) => {
	await openLists(page)
	await page.getByRole('row', {name: /^Empty blocking list,/}).dblclick()
	await expect(page.getByText('This list is empty')).toBeVisible()
	await page.keyboard.press('Shift+V')
	await expect(page.getByText(/No computer enforces this list\. Its hashes have no effect\./)).toBeVisible()
	await page.goto(page.url().replace(/#.*/, '#/file-lists/00000000-0000-4000-8000-000000000000'))
	await expect(page.getByText('List not found')).toBeVisible()
	await page.goto(page.url().replace(/#.*/, '#/file-lists/hash/abc'))
	await expect(page.getByText('A SHA-256 has 64 digits, and these are 3: something is missing.')).toBeVisible()
})

test('nothing is lost at 200 % zoom', async ({page}) => {
	await page.setViewportSize({width: 640, height: 400})
	await openList(page, 'Known bad files')
	for (const name of ['Add a hash… a', 'Export… e']) await expect(page.getByRole('button', {name})).toBeVisible()
	const beyond = await page.evaluate(() => {
		const {scrollWidth, clientWidth, scrollHeight, clientHeight} = document.documentElement
		return {wide: scrollWidth - clientWidth, high: scrollHeight - clientHeight}
	})
	expect(beyond).toEqual({wide: 0, high: 0})
	await page.keyboard.press('Shift+V')
	await expect(page.getByText(/^Enforced on/)).toBeVisible()
})

/** Opens each view once and checks it: the lists, hashes with one beside, both dialogs, coverage, one hash. */
async function judgeViews(page: Page, judge: () => Promise<void>): Promise<void> {
	await openLists(page)
	await judge()
	await page.getByRole('row', {name: /^Linux miners,/}).dblclick()
	await expect(firstRow(page)).toHaveAccessibleName(/^[0-9a-f]{64},/)
	await hashes(page).focus()
	for (const key of ['j', 'Space']) await page.keyboard.press(key)
	await expect(page.getByRole('complementary', {name: 'Hash at the cursor'})).toContainText('On this list')
	await judge()
	await page.keyboard.press('Delete')
	await expect(reasonField(page)).toBeFocused()
	await judge()
	await closeDialog(page)
	await page.keyboard.press('Shift+V')
	await expect(page.getByText(/^Enforced on/)).toBeVisible()
	await page.keyboard.press('a')
	await hashField(page).fill('nothing of the kind')
	await judge()
	await closeDialog(page)
	await judge()
	await page.keyboard.press('Shift+V')
	await hashes(page).focus()
	for (const key of ['j', 'Enter']) await page.keyboard.press(key)
	await expect(page.getByRole('region', {name: 'Lists that contain it'})).toBeVisible()
	await judge()
}

test('has no violation: lists, hashes, dialogs, coverage, one hash', async ({page}) => {
	await judgeViews(page, async () => await hasNoViolations(page))
})

test.describe('dark', () => {
	test.use({colorScheme: 'dark'})

	test('has enough contrast: lists, hashes, dialogs, coverage, one hash', async ({page}) => {
		await judgeViews(page, async () => await hasNoViolations(page, ['color-contrast']))
	})
})
