import type {Page} from '@playwright/test'

import {isAccessible} from './axe.ts'
import {expect, test} from './house.ts'
import {callService} from './processes.ts'
import {
	aside,
	button,
	chartAction,
	closeDialog,
	columnHeader,
	decide,
	dialog,
	dialogIsGone,
	dialogSays,
	dialogTitle,
	field,
	grid,
	heading,
	isOff,
	link,
	list,
	listIsRead,
	main,
	option,
	press,
	reasonOf,
	region,
	savedBy,
	searchBox,
	status,
	tab,
	tableRow,
	tenant,
	screenIs,
	writesTo,
	shows,
	pressIn,
	isShown,
	isHidden,
	isFocused,
	says,
	palette,
	push,
	pick,
	hasValue,
	isNamed,
	thereAre,
	addressIs
} from './screens.ts'

test.use({houseName: 'local copies'})
const hashes = (page: Page) => grid(page, 'Hashes')
const firstRow = (page: Page) => tableRow(hashes(page)).nth(1)
const search = (page: Page) => searchBox(page, 'Search the hashes and notes')
const receipt = (page: Page) => region(page, 'Result of the last change')
const hashField = (page: Page) => field(dialog(page), 'SHA-256')
const reasonField = (page: Page) => reasonOf(page)

async function openLists(page: Page) {
	await listIsRead(page)
	await press(page, 'g', 'f')
	await screenIs(page, 'File lists')
	await shows(main(page), 'all details loaded')
}

async function openList(page: Page, name: string) {
	await openLists(page)
	await tableRow(page, new RegExp(`^${name},`)).dblclick()
	await screenIs(page, name)
	await isNamed(firstRow(page), /^[0-9a-f]{64},/)
}

async function rowsOf(page: Page) {
	return Number(await hashes(page).getAttribute('aria-rowcount')) - 1
}

async function firstHash(page: Page) {
	return ((await firstRow(page).getAttribute('aria-label')) ?? '').slice(0, 64)
}

function guidOfList(page: Page) {
	return /file-lists\/([0-9a-f-]{36})/.exec(page.url())?.[1] ?? ''
}

/** Into the palette. */
async function paste(page: Page, text: string) {
	await press(page, 'Control+k')
	await palette(page).fill(text)
}

/** The clipboard's text: nobody may read it, but it can be pasted into a field. */
async function clipboard(page: Page) {
	await pressIn(search(page), 'Control+a', 'Control+v')
	return search(page).inputValue()
}

/** A hash of its own for each test. */
let next = 0
function freshHash() {
	next += 1
	return `${process.pid}a${next}`.padEnd(64, 'c0ffee')
}

test('from the two kinds to one hash and back, by keyboard, and every view has an address', async ({page}) => {
	await openLists(page)
	await thereAre(tableRow(grid(page, 'Simple custom detections')), 8)
	await thereAre(tableRow(grid(page, 'Application blocking')), 6)
	await page.setViewportSize({width: 1280, height: 800})
	await thereAre(columnHeader(page, 'Hashes loaded'), 0)
	await press(page, '/')
	await page.keyboard.type('known bad')
	const row = tableRow(page, /^Known bad files, hashes: 720, policies: 13, enforced on: \d+ of 300/)
	await thereAre(tableRow(grid(page, 'Simple custom detections')), 2)
	await shows(page, 'No list of this kind has “known bad” in its name.')
	await pressIn(grid(page, 'Simple custom detections'), 'j')
	await isShown(row)
	await press(page, 'Enter')
	await screenIs(page, 'Known bad files')
	await shows(main(page), /^720 hashes · loaded/)
	await expect.poll(async () => rowsOf(page)).toBe(720)

	await press(page, '/')
	await page.keyboard.type('service desk')
	await expect.poll(async () => rowsOf(page)).toBeLessThan(720)
	await addressIs(page, /search=service/)
	await press(page, 'Enter')
	await isFocused(hashes(page))
	await press(page, 'j', 'Space')
	const panel = aside(page, 'Hash at the cursor')
	await says(panel, 'Reported by the service desk')
	await addressIs(page, /item=[0-9a-f]{64}/)
	await page.reload()
	await says(panel, 'Reported by the service desk')
	await hasValue(search(page), 'service desk')
	await press(page, 'Escape')
	await isHidden(panel)

	await pressIn(hashes(page), 'j', 'Enter')
	await addressIs(page, /file-lists\/[0-9a-f-]{36}\/[0-9a-f]{64}/)
	await says(region(page, 'On Known bad files'), 'Reported by the service desk')
	await says(region(page, 'Lists that contain it'), 'Known bad files')
	await press(page, 'Escape')
	await screenIs(page, 'Known bad files')
	await press(page, 'Escape')
	await screenIs(page, 'File lists')
})

test('hashes are put into another order, and "?" lists the keys', async ({page}) => {
	await openList(page, 'Known bad files')
	const first = await firstHash(page)
	await push(page, 'SHA-256', true)
	await addressIs(page, /descending=true/)
	await expect.poll(async () => firstHash(page)).not.toBe(first)
	expect((await firstHash(page)) > first).toBe(true)
	await push(page, 'Note', true)
	await addressIs(page, /sort=description/)
	await pressIn(hashes(page), '?')
	const keys = region(dialog(page), 'File list', true)
	await says(keys, 'Toggle coverage')
	await says(keys, 'Remove the hash…')
})

test('coverage: every number opens its computers, and the chart has a table', async ({page}) => {
	await openList(page, 'Linux miners')
	await press(page, 'Shift+V')
	await addressIs(page, /view=coverage/)
	await says(page.getByText(/^Enforced on \d+ of 300 computers/), 'not at once')
	const parts = page.getByRole('table', {name: 'All computers by what they enforce'})
	const counts = await tableRow(parts).locator('td:first-of-type').allTextContents()
	expect(counts.reduce((sum, count) => sum + Number(count), 0)).toBe(300)
	await chartAction(page, 'From the list to its computers', 'Show as a table')
	await says(region(page, 'From the list to its computers, as a table'), '(Linux)')
	const other = link(parts, /computers: Have another list/)
	const count = Number(await other.textContent())
	await other.click()
	await addressIs(page, /computers\?filter=policy/)
	await expect(grid(page, 'Computers')).toHaveAttribute('aria-rowcount', String(count + 1))
	await page.goBack()
	await isShown(parts)
	await press(page, 'Shift+V')
	await isShown(hashes(page))
	await tab(page, 'Ages').click()
	await says(page.getByText('The service gives no date for a hash'), '21 were already on it')
	await thereAre(button(page, 'age not known, there before: 21'), 1)
})

test('a hash that must not or should not be listed is reported before anything is sent', async ({page, service}) => {
	await openList(page, 'Known bad files')
	const known = await firstHash(page)
	const hash = freshHash()
	await press(page, 'a')
	await isFocused(hashField(page))
	const send = button(dialog(page), new RegExp(` in ${tenant}$`))
	const checks = list(dialog(page), 'Checks')
	for (const [typed, told] of [
		['d41d8cd98f00b204e9800998ecf8427e', 'This is an MD5 (that of the empty file).'],
		['e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855', 'This is the hash of the empty file'],
		[known.toUpperCase(), 'It is on the list already']
	] as const) {
		await hashField(page).fill(typed)
		await says(checks, told)
		await isOff(send)
	}
	await reasonField(page).fill('INC-7, dropper')
	await hashField(page).fill('01ba4719c80b6fe911b091a7c05124b64eeece964e09c058ef8f9805daca546b')
	await says(checks, 'This is the hash of a file of one line break')
	await isOff(send)
	await field(dialog(page), 'Confirm with the beginning of the hash').fill('01BA4719')
	await expect(send).not.toHaveAttribute('aria-disabled')
	await hashField(page).fill(` ${hash.toUpperCase()} `)
	await says(checks, 'No stored event names it.')
	await decide(page, 'How many computers have seen it? · 1 call')
	await says(checks, 'The service knows no computer that has seen it.')
	await hashField(page).press('Enter')
	await isShown(dialog(page))
	expect((await writesTo(service)).filter(name => name.includes(hash))).toEqual([])
})

test('after an unknown outcome a hash can be sent again, and its reason is still there', async ({page, service}) => {
	await openList(page, 'Known bad files')
	const guid = /file-lists\/([0-9a-f-]{36})/.exec(page.url())?.[1] ?? 'none'
	const hash = freshHash()
	const send = button(dialog(page), new RegExp(` in ${tenant}$`))
	await press(page, 'a')
	await hashField(page).fill(hash)
	await reasonField(page).fill('INC-7, dropper')
	await service.weather(`POST /v1/file_lists/*/files/${hash}=drop`, `GET /v1/file_lists/*/files/${hash}=500`)
	await send.click()
	await dialogSays(page, 'The state could not be checked either')
	await service.weather()
	await send.click()
	await dialogSays(page, 'is already on the list Known bad files')
	await hasValue(reasonField(page), 'INC-7, dropper')
	await callService(service, `file_lists/${guid}/files/${hash}`, 'DELETE')
})

test('a key adds to the list that was marked last, whatever comes back in another table', async ({page}) => {
	await openLists(page)
	for (const name of ['Mac adware', 'Unwanted applications']) await tableRow(page, new RegExp(`^${name},`)).click()
	for (const name of ['Unwanted', '']) {
		await searchBox(page, 'Filter the lists').fill(name)
		await thereAre(tableRow(page, /^Mac adware,/), name === '' ? 1 : 0)
	}
	await page.getByRole('heading', {level: 1}).click()
	await press(page, 'a')
	await dialogSays(page, 'to Unwanted applications')
	await closeDialog(page)
})

test('a hash is added with a reason, and undone after its state was checked', async ({page}) => {
	await openList(page, 'Known bad files')
	const hash = freshHash()
	await press(page, 'a')
	await hashField(page).fill(hash)
	await reasonField(page).fill('INC-7, dropper')
	await decide(page, `Add ${hash.slice(0, 12)}… to Known bad files in ${tenant}`)
	await dialogIsGone(page)
	await says(receipt(page), 'was added to the list Known bad files')
	await says(receipt(page), 'HTTP 201')
	await expect.poll(async () => rowsOf(page)).toBe(721)

	await push(receipt(page), 'Undo…')
	await dialogSays(page, 'Will be sent: 1 change')
	await dialogSays(page, `!svc_delete_file_list_files_by_sha file_list_guid=${guidOfList(page)}`)
	await isFocused(button(dialog(page), 'Cancel'))
	await decide(page, `Undo change in ${tenant}`)
	await isShown(heading(dialog(page), 'Change undone'))
	await closeDialog(page)
	await isHidden(receipt(page))
	await expect.poll(async () => rowsOf(page)).toBe(720)
})

test('a removed hash comes back with its note; what somebody changed since is not touched', async ({page, service}) => {
	await openList(page, 'Mac adware')
	await search(page).fill('threat feed')
	await search(page).press('Enter')
	await isNamed(firstRow(page), /From the threat feed/)
	const hash = await firstHash(page)
	await press(page, 'j', 'Space', 'Delete')
	await dialogSays(page, hash)
	await isFocused(reasonField(page))
	await reasonField(page).fill('False positive')
	await decide(page, `Remove ${hash.slice(0, 12)}… from Mac adware in ${tenant}`)
	await dialogIsGone(page)
	await says(receipt(page), 'was removed from the list Mac adware')
	await expect(page).not.toHaveURL(new RegExp(hash))
	await press(page, 'Delete')
	await dialogSays(page, await firstHash(page))
	await closeDialog(page)
	await search(page).fill(hash)
	await shows(page, 'No hash matches')

	await push(receipt(page), 'Undo…')
	await dialogSays(page, 'description="From the threat feed"')
	await decide(page, /^Undo change in /)
	await isShown(heading(dialog(page), 'Change undone'))
	await closeDialog(page)
	await isNamed(firstRow(page), new RegExp(`^${hash}, From the threat feed`))

	const other = freshHash()
	await pressIn(hashes(page), 'a')
	await hashField(page).fill(other)
	await reasonField(page).fill('Mine')
	await decide(page, /^Add .* to Mac adware in /)
	await says(receipt(page), 'was added')
	expect((await callService(service, `file_lists/${guidOfList(page)}/files/${other}`, 'DELETE')).ok).toBe(true)
	await push(receipt(page), 'Undo…')
	await dialogSays(page, 'Someone has changed this since. Undo is unavailable.')
	await isOff(button(dialog(page), /^Undo change in /))
})

test('all hashes go into a file, and one onto the clipboard in several forms', async ({page, context}) => {
	await context.grantPermissions(['clipboard-write'])
	await openList(page, 'Remote administration tools')
	await press(page, 'e')
	expect((await savedBy(button(dialog(page), 'Export', true))).name).toMatch(/^remote-administration-tools-\d{4}-\d\d-\d\d\.csv$/)
	await isShown(page.locator('[data-told^="Saving "][data-told$=".csv"]'))
	await dialogIsGone(page)
	// The instance that would publish it begins with this list.
	const guid = guidOfList(page)
	await push(page, 'Publish…')
	await hasValue(field(dialog(page), /^Name/), 'remote-administration-tools')
	await hasValue(field(dialog(page), /^File lists/), guid)
	await closeDialog(page)
	await page.goBack()
	await pressIn(hashes(page), 'j')
	const hash = await firstHash(page)
	await press(page, 'Shift+Y')
	await option(dialog(page), 'Command').click()
	await dialogIsGone(page)
	await press(page, 'y')
	await expect(page.getByText('Hash copied', {exact: true})).toBeAttached()
	await isShown(page.locator('[data-told="Hash copied"]'))
	await press(page, 'z')
	await isShown(page.locator('[data-told^="“z” does nothing here"]'))
	expect(await clipboard(page)).toBe(hash)
	await expect.poll(async () => rowsOf(page)).toBe(1)
})

test('a pasted hash leads to the lists that hold it, and to the dialog with the list to choose', async ({page}) => {
	await openList(page, 'Incident 2024-117')
	const hash = await firstHash(page)
	await paste(page, hash)
	await pick(page, /Which file lists hold this hash/)
	await addressIs(page, new RegExp(`file-lists/hash/${hash}`))
	const lists = region(page, 'Lists that contain it')
	await isShown(link(lists, 'Incident 2024-117'))
	await isShown(region(page, 'Events that name it'))
	await shows(page, /^Seen on .*, on Incident 2024-117.*; \d+ blocking lists? not fully loaded/)
	await push(page, 'Block…')
	await hasValue(hashField(page), hash)
	await closeDialog(page)
	await press(page, 'p', 'Space')
	await shows(page, /^The service says: /)

	await paste(page, hash)
	await pick(page, /Block this hash…/)
	await hasValue(hashField(page), hash)
	await isFocused(reasonField(page))
	await button(dialog(page), /List/).first().click()
	await thereAre(option(page, /allowed applications/), 0)
	await pick(page, /^Remote administration tools/)
	await expect(dialogTitle(page)).toHaveText(/^Block .* on Remote administration tools$/)
	await says(list(dialog(page), 'Checks'), 'It is also on Incident 2024-117, a list of simple custom detections.')
	await closeDialog(page)
})

test('a failed refresh keeps the rows; a partial list says how much is loaded', async ({page, service}) => {
	await openList(page, 'Known bad files')
	await service.weather('GET /v1/file_lists/*/files*=500')
	await press(page, 'r', 'Enter')
	const banner = page.getByText(/Not all hashes could be loaded: .*500.*You see/)
	await isShown(banner)
	expect(await rowsOf(page)).toBe(720)
	await service.weather()
	await push(status(page).filter({has: banner}), /^Refresh · 2 calls/)
	await isHidden(banner)

	await service.weather('GET /v1/file_lists/*/files?*offset=500*=status:500')
	await press(page, 'Escape')
	await tableRow(page, /^Ransomware indicators,/).dblclick()
	await shows(page, /You see 500 of 512/)
	await expect.poll(async () => rowsOf(page)).toBe(500)
	await press(page, 'e')
	await dialogSays(page, 'The list was not fully loaded: the file has 500 of 512 hashes.')
})

test('a list that was deleted elsewhere stays to be read, and nothing can be added', async ({page, service}) => {
	await openList(page, 'Unwanted applications')
	await service.weather(`GET /v1/file_lists/${guidOfList(page)}/files*=status:404`)
	await push(page, /^Refresh/)
	await shows(page, /This list was deleted elsewhere at or before/)
	expect(await rowsOf(page)).toBe(148)
	await isOff(button(page, /^Add a hash…/))
})

test('an empty list says what it does; an unknown one says that it does not exist', async ({page}) => {
	await openLists(page)
	await tableRow(page, /^Empty blocking list,/).dblclick()
	await shows(page, 'This list is empty')
	await press(page, 'Shift+V')
	await shows(page, /No computer enforces this list\. Its hashes have no effect\./)
	await page.goto(page.url().replace(/#.*/, '#/file-lists/00000000-0000-4000-8000-000000000000'))
	await shows(page, 'List not found')
	await page.goto(page.url().replace(/#.*/, '#/file-lists/hash/abc'))
	await shows(page, 'A SHA-256 has 64 digits, and these are 3: something is missing.')
})

test('nothing is lost at 200 % zoom', async ({page}) => {
	await page.setViewportSize({width: 640, height: 400})
	await openList(page, 'Known bad files')
	for (const name of ['Add a hash… a', 'Export… e']) await isShown(button(page, name))
	const beyond = await page.evaluate(() => {
		const {scrollWidth, clientWidth, scrollHeight, clientHeight} = document.documentElement
		return {wide: scrollWidth - clientWidth, high: scrollHeight - clientHeight}
	})
	expect(beyond).toEqual({wide: 0, high: 0})
	await press(page, 'Shift+V')
	await shows(page, /^Enforced on/)
})

test('has no violation: lists, hashes, dialogs, coverage, one hash', async ({page}) => {
	await openLists(page)
	await isAccessible(page)
	await tableRow(page, /^Linux miners,/).dblclick()
	await isNamed(firstRow(page), /^[0-9a-f]{64},/)
	await pressIn(hashes(page), 'j', 'Space')
	await says(aside(page, 'Hash at the cursor'), 'On this list')
	await isAccessible(page)
	await press(page, 'Delete')
	await isFocused(reasonField(page))
	await isAccessible(page)
	await closeDialog(page)
	await press(page, 'Shift+V')
	await shows(page, /^Enforced on/)
	await press(page, 'a')
	await hashField(page).fill('nothing of the kind')
	await isAccessible(page)
	await closeDialog(page)
	await isAccessible(page)
	await press(page, 'Shift+V')
	await pressIn(hashes(page), 'j', 'Enter')
	await isShown(region(page, 'Lists that contain it'))
	await isAccessible(page)
})
