import type {Page} from '@playwright/test'

import {expect, test} from './house.ts'
import {
	alert,
	aside,
	button,
	closeDialog,
	columnHeader,
	comboBox,
	computers,
	decide,
	dialog,
	facets,
	dialogIsGone,
	dialogSays,
	filterBox,
	grid,
	group,
	list,
	listIsRead,
	listItem,
	main,
	menuItem,
	option,
	press,
	region,
	rowOf,
	savedBy,
	tableRow,
	shows,
	pressIn,
	isShown,
	isHidden,
	isFocused,
	says,
	reads,
	isNamed,
	thereAre,
	push,
	enter
} from './screens.ts'

const rows = (page: Page) => tableRow(computers(page), /isolation:/)
const facet = (page: Page, title: string, value: RegExp) => button(region(facets(page), title, true), value)
const ages = (page: Page) => page.getByRole('toolbar', {name: 'Last seen'})
const counted = (page: Page) => main(page).getByText(/^[\d,]+ of the 300 computers/)

/** The number behind the last word of a facet or a bar. */
async function numberOf(text: Promise<string | null>) {
	return Number(/([\d,]+)$/.exec((await text) ?? '')?.[1]?.replaceAll(',', ''))
}

const countIs = (page: Page, text: string | RegExp) => reads(counted(page), text)
const filterIs = (page: Page, text: string | RegExp) => expect(filterBox(page)).toHaveValue(text)

test('a wide window shows policy and connector', async ({listed: page}) => {
	const policy = columnHeader(page, 'Policy')
	await thereAre(policy, 0)
	await page.setViewportSize({width: 2560, height: 1440})
	await thereAre(policy.or(columnHeader(page, 'Connector')), 2)
})

test('paper has the drawn rows below their titles, and says which of how many', async ({listed: page}) => {
	await page.emulateMedia({media: 'print'})
	await isShown(button(columnHeader(page, 'Name')))
	await expect(async () => {
		const below = await page.getByText(`Rows 1 to ${await rows(page).count()} of 300`).boundingBox({timeout: 500})
		expect(below?.y).toBeGreaterThan((await rows(page).last().boundingBox())?.y ?? Infinity)
	}).toPass()
})

test('an unfinished field is no condition until Enter', async ({listed: page}) => {
	await filterBox(page).focus()
	await page.keyboard.type('las')
	const options = option(page.getByRole('listbox', {name: 'Completions'}))
	await reads(options, [/last_seen/, /“las”.*the word itself/])
	await isShown(main(page).getByText('300 computers', {exact: false}).first())
	await thereAre(list(page, 'Conditions'), 0)
	await press(page, 'Enter')
	await thereAre(listItem(list(page, 'Conditions')), 1)
	await isShown(page.getByText('No computer matches').or(counted(page)).first())
})

test('a facet filters by its value, the others are counted again, and f hides the facets', async ({listed: page}) => {
	const laptops = facet(page, 'Group', /^Finance Laptops/)
	const count = await numberOf(laptops.textContent())
	expect(count).toBeGreaterThan(0)
	await laptops.click()
	await filterIs(page, 'group="Finance Laptops"')
	await countIs(page, new RegExp(`^${count} of the 300`))
	await expect(laptops).toHaveAttribute('aria-pressed', 'true')
	// Other groups can still be added.
	const more = region(facets(page), 'Group', true).getByRole('button', {pressed: false})
	const other = more.first()
	const both = count + (await numberOf(other.textContent()))
	await other.click()
	await countIs(page, new RegExp(`^${both} of the 300`))
	await laptops.click()
	await countIs(page, new RegExp(`^${both - count} of the 300`))
	await pressIn(computers(page), 'f')
	await isHidden(facets(page))
	await press(page, 'f')
	await isShown(facets(page))
})

test('the ages above the rows filter them, alone and as a run, by pointer and by key', async ({listed: page}) => {
	const bar = button(ages(page), /^7–30 d/)
	await isNamed(bar, /^7–30 d [1-9]/)
	const one = await numberOf(bar.textContent())
	await bar.click()
	await filterIs(page, 'last_seen>7d last_seen<30d')
	await countIs(page, new RegExp(`^${one} of the 300`))
	await pressIn(bar, 'ArrowRight')
	const next = button(ages(page), /^30–90 d/)
	await isFocused(next)
	const two = await numberOf(next.textContent())
	await next.click({modifiers: ['Shift']})
	await filterIs(page, 'last_seen>7d last_seen<90d')
	await countIs(page, new RegExp(`^${one + two} of the 300`))
	await thereAre(ages(page).getByRole('button', {pressed: true}), 2)
})

test('a view keeps filter, order and columns; it is pinned, changed, put back, and opens the list', async ({listed: page}) => {
	await filterBox(page).fill('os:windows compromised:yes')
	await push(columnHeader(computers(page), 'Last seen'))
	await pressIn(computers(page), 'v')
	await menuItem(page, /^Save as a view/).click()
	await enter(page, 'Name', 'Compromised Windows')
	await dialog(page).getByText('Apply when the list opens').click()
	await decide(page, 'Save')
	const pinned = page.getByRole('toolbar', {name: 'Pinned views'})
	await expect(button(pinned, 'Compromised Windows', true)).toHaveAttribute('aria-pressed', 'true')
	await expect(page).toHaveURL(/view=/)

	// Columns belong to the view.
	await push(page, 'Columns')
	await dialog(page).getByText('External address', {exact: true}).click()
	await enter(page, 'Width of External address in pixels', '200')
	await decide(page, 'Done')
	const external = columnHeader(computers(page), 'External address')
	await isShown(external)
	await expect.poll(async () => Math.round((await external.boundingBox())?.width ?? 0)).toBe(200)
	await push(pinned, 'All computers')
	await filterIs(page, '')
	await isHidden(external)

	// A bare address opens it.
	const {origin} = new URL(page.url())
	await page.goto('about:blank')
	await page.goto(`${origin}/#/computers`)
	await filterIs(page, 'os:windows compromised:yes')
	await isShown(external)
	await filterBox(page).fill('os:windows')
	await shows(pinned, 'changed')
	await push(pinned, 'Show again')
	await filterIs(page, 'os:windows compromised:yes')

	// One that cannot be kept says why, and stays.
	await filterBox(page).fill(`name:${'x'.repeat(4000)}`)
	await push(page, 'Views')
	await menuItem(page, /^Save as a view/).click()
	await enter(page, 'Name', 'Too long')
	await decide(page, 'Save')
	await says(alert(dialog(page)), 'filter')
	await press(page, 'Escape')
	await push(pinned, 'Show again')

	await push(page, 'Views')
	await menuItem(page, /^Rename, pin or delete/).click()
	await decide(page, 'Delete the view')
	await isHidden(pinned)
	await filterIs(page, '')
})

test('tags and roles are given to a selection, show in rows and facets, and survive a refresh', async ({listed: page, service}) => {
	await filterBox(page).fill('name:FIN-LT-')
	await filterBox(page).press('Enter')
	await isNamed(rows(page).first(), /^FIN-LT-/)
	await press(page, 'j', 'x', 'j', 'x')
	await shows(page, '2 selected')
	await press(page, 'l')
	await isShown(dialog(page))
	const tag = comboBox(dialog(page), 'Tag')
	await tag.fill('Tier 0, main')
	await shows(dialog(page), 'A tag has no quotation mark, comma or asterisk.')
	await tag.fill('Tier 0')
	await dialog(page).getByText('Jump host').click()
	await decide(page, 'Add to all')
	await dialogIsGone(page)
	await filterBox(page).fill('tag:tier role:jump')
	await countIs(page, /^2 of the 300/)
	await push(page, 'Refresh', true)
	await countIs(page, /^2 of the 300/)
	await filterBox(page).fill('')
	await reads(facet(page, 'Tags', /^Tier 0/), /2$/)

	// One of them loses it again; the frozen list is given up first.
	await facet(page, 'Tags', /^Tier 0/).click()
	await push(page, 'Clear the selection')
	await rows(page).first().click()
	await press(page, 'l')
	await decide(page, 'Remove the tag Tier 0')
	await decide(page, 'Save')
	await countIs(page, /^1 of the 300/)
	// This dialog replaced the one that read the computer, yet the focus returns to the rows.
	await isFocused(grid(page, 'Computers'))
	await filterBox(page).fill('role:jump')
	await filterBox(page).press('Enter')
	await countIs(page, /^2 of the 300/)
	// All that match are known while the list is read again, too.
	await service.weather('GET /v1/computers?*=latency:60000')
	await push(page, 'Refresh', true)
	await shows(page, '· loading page 1')
	await pressIn(grid(page, 'Computers'), 'Control+a')
	await shows(page, '2 selected')
	await press(page, 'l')
	await dialog(page).getByText('Jump host').click()
	await tag.fill('tier 0')
	// While the suggestions are open, nothing else of the dialog is there for a screen reader.
	await option(page, 'Tier 0').click()
	await decide(page, 'Remove from all')
	await shows(page, 'No computer matches')
})

test('a guessed role is marked as a guess and never assigned', async ({listed: page}) => {
	await push(page, 'Asset hygiene')
	await menuItem(page, /^Probably important, no role given/).click()
	await isShown(rows(page).first())
	await rows(page).first().click()
	const panel = aside(page, 'Computer at the cursor')
	await shows(panel, /^probably .*\(a guess\)$/)
	await push(panel, /^Tags and roles/)
	await isShown(dialog(page).getByText('probably', {exact: true}).first())
	await thereAre(dialog(page).getByRole('checkbox', {checked: true}), 0)
})

test('hygiene views and others with the same name, by key', async ({listed: page}) => {
	await pressIn(computers(page), 'h')
	await isFocused(menuItem(page, /^Not seen for 30 days/))
	await menuItem(page, /^Same name as another computer/).click()
	await filterIs(page, 'duplicate:yes')
	await says(rows(page).first(), 'duplicate')
	await rows(page).first().click()
	await press(page, 'd')
	await filterIs(page, /^(name|mac)=/)
	await isShown(rows(page).nth(1))
})

test('the selection is refreshed after its cost is shown', async ({listed: page, service}) => {
	await rows(page).first().click()
	await press(page, 'x', 'Shift+ArrowDown')
	await shows(page, '2 selected')
	await press(page, '.')
	await isFocused(button(page, 'Clear the selection'))
	const before = await callsForOne(service.requests())
	await push(page, 'Refresh selected…')
	await dialogSays(page, /Each takes one API call, of which [\d,]+ are left/)
	await service.weather('GET /v1/computers/*=500,times:9')
	await decide(page, 'Load them: 2 calls')
	await dialogSays(page, /[01] of 2 loaded, [12] could not be loaded\..*status 500/)
	await service.weather('GET /v1/computers/*=status:401')
	await decide(page, /^Load the rest: [12] calls?$/)
	await dialogSays(page, /[01] of 2 loaded, 1 could not be loaded(?:, 1 not queried)?\. Client ID or API key rejected/)
	await service.weather('GET /v1/computers/*=429:9,times:1')
	await decide(page, /^Load the rest: [12] calls?$/)
	await dialogSays(page, /Waiting for the API limit: resumes at [\d:]+.*, in 00:0\d/)
	await dialogSays(page, '2 of 2 loaded.')
	expect(await callsForOne(service.requests())).toBeGreaterThan(before)
})

test('all matching rows and the selected ones are exported, with the filter in the first line', async ({listed: page}) => {
	await filterBox(page).fill('name:FIN-LT-')
	await filterBox(page).press('Enter')
	await isShown(counted(page))
	const count = Number(/^\d+/.exec(await counted(page).innerText())?.[0])
	await press(page, 'e')
	const csv = await fileOf(page, 'CSV')
	expect(csv.name).toMatch(/^computers-\d{4}-\d\d-\d\d\.csv$/)
	const lines = csv.text.trimEnd().split('\r\n')
	expect(lines[0]).toMatch(/^"Computers of Test tenant, .*filter name:FIN-LT-, \d+ rows, complete"$/)
	expect(lines[1]).toBe('Name,Group,Policy,Operating system,Connector,Address,Last seen,Isolation')
	expect(lines).toHaveLength(count + 2)
	await rows(page).first().click()
	await press(page, 'x')
	await push(group(page, 'Selection'), 'Export…')
	const json = await fileOf(page, 'JSON Lines')
	const [head = '', record = '', ...rest] = json.text.trimEnd().split('\n')
	expect(JSON.parse(head)).toMatchObject({export: {filter: null, rows: 1, partial: null}})
	expect(JSON.parse(record)).toHaveProperty('connector_guid')
	expect(rest).toEqual([])
})

test('an export that is cancelled leaves no file', async ({page}) => {
	const held: (() => void)[] = []
	let isHeld = false
	await page.routeWebSocket(/wire$/, near => {
		const far = near.connectToServer()
		far.onMessage(message => void (isHeld ? held.push(() => near.send(message)) : near.send(message)))
	})
	await page.reload()
	await listIsRead(page)
	const files: unknown[] = []
	page.on('download', file => files.push(file))
	await press(page, 'e')
	isHeld = true
	await decide(page, 'Export')
	await expect.poll(() => held.length).toBeGreaterThan(0)
	await decide(page, 'Cancel')
	isHeld = false
	for (const send of held) send()
	await press(page, 'e')
	await fileOf(page, 'CSV')
	expect(files).toHaveLength(1)
})

test('a computer is copied in the form that is chosen, by key and by pointer', async ({listed: page}) => {
	await filterBox(page).fill('name:FIN-LT-0231')
	await rowOf(page, 'FIN-LT-0231').click()
	await press(page, 'Shift+Y')
	const forms = option(dialog(page))
	await reads(forms, [/^GUID/, /^Name/, /^CSV/, /^Markdown/, /^JSON/, /^Defanged/, /^Command/])
	await says(forms.filter({hasText: 'Defanged'}), /FIN-LT-0231 .*\d\[\.\]\d/)
	await closeDialog(page, computers(page))
	await push(page, /^Copy as/)
	await forms.filter({hasText: 'Defanged'}).click()
	await dialogIsGone(page)
	await expect(page.getByText('Defanged, for a ticket copied')).toBeAttached()
})

async function fileOf(page: Page, format: string) {
	await dialog(page)
		.locator('label')
		.filter({hasText: new RegExp(`^${format}(?! Lines)`)})
		.click()
	const file = await savedBy(button(dialog(page), 'Export'))
	await dialogIsGone(page)
	return file
}

async function callsForOne(requests: Promise<Readonly<Record<string, number>>>) {
	const counts = Object.entries(await requests).filter(([name]) => /^GET \/v1\/computers\/./.test(name))
	return counts.reduce((sum, [, count]) => sum + count, 0)
}
