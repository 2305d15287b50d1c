/** The policies: a list and two matrices, one policy with its record and XML, two compared. */
import type {Page} from '@playwright/test'

import {hasNoViolations, isAccessible} from './axe.ts'
import {expect, test} from './house.ts'
import {
	alert,
	aside,
	button,
	columnHeader,
	dialog,
	grid,
	group,
	heading,
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
	isShown,
	isHidden,
	says,
	push
} from './screens.ts'

test.use({houseName: 'local copies'})
const list = (page: Page) => grid(page, 'Policies', true)
const row = (page: Page, name: string, product: string) => tableRow(list(page), new RegExp(`^${name}, for ${product}`))

async function openPolicies(page: Page) {
	await listIsRead(page)
	await press(page, 'g', 'p')
	await screenIs(page, 'Policies')
	await shows(main(page), 'all details loaded')
	await isShown(row(page, 'Server', 'Windows'))
}

test.beforeEach(({page}) => openPolicies(page))

test('search and product narrow the list, and the address keeps them', async ({page}) => {
	const marked = row(page, 'Server', 'Windows')
	await marked.click()
	await press(page, 'Escape', '/')
	await page.keyboard.type('server')
	await expect(list(page)).toHaveAttribute('aria-rowcount', '3')
	await expect(list(page)).toHaveAttribute('aria-activedescendant', (await marked.getAttribute('id')) ?? '')
	await push(page, /Product/)
	await option(page, 'Linux').click()
	await expect(list(page)).toHaveAttribute('aria-rowcount', '2')
	await expect(list(page)).not.toHaveAttribute('aria-activedescendant', /.+/)
	await page.reload()
	await isShown(row(page, 'Server', 'Linux'))
	const box = searchBox(page, 'Search the policies')
	await expect(box).toHaveValue('server')
	await row(page, 'Server', 'Linux').click()
	await press(page, 'Escape')
	await box.fill('nobody')
	await shows(page, 'No policy matches')
	await box.blur()
	await press(page, 'y')
	await expect(page.getByText('Go to a policy first')).toBeAttached()
	await push(page, /^Show all \d+$/)
	await expect(list(page)).toHaveAttribute('aria-rowcount', '18')
})

test('the policy panel shows its groups and lists, and that it is edited in the web console', async ({page}) => {
	await row(page, 'Server', 'Windows').click()
	const panel = aside(page, 'Policy at the cursor')
	await shows(panel, 'The API cannot change policies.')
	await says(region(panel, 'Used by groups'), /Finance Servers ● own/)
	await says(region(panel, 'File lists'), 'Server exceptions')
	await isAccessible(page)
	await press(page, 'Escape')
	await isHidden(panel)
	await press(page, 'Enter')
	await screenIs(page, 'Server')
	await isShown(tableRow(grid(page, 'Groups that use it'), /own$/).first())
	await press(page, '2')
	await says(region(page, 'Exclusion sets'), 'Databases and backups')
	await press(page, '3')
	await says(page.getByRole('list', {name: 'Serial numbers, newest first'}), 'first seen')
	await press(page, '4')
	await says(page.getByLabel('policy as JSON', {exact: true}), '"product": "windows"')
})

test('the XML is loaded, searched and folded; a key without permission is reported', async ({page, service}) => {
	await row(page, 'Clinical Workstations', 'Windows').click()
	await service.weather('GET /v1/policies/*.xml=status:403')
	await press(page, 'Shift+X')
	const refused = alert(page).filter({hasText: 'This API key may not read the XML of policies'})
	await isShown(refused)
	await service.weather()
	await push(refused, 'Try again')
	const xml = group(page, 'Policy as XML')
	await says(xml, '<name>Clinical Workstations</name>')
	await searchBox(page, 'Search in the XML').fill('file_list')
	await isShown(status(page).filter({hasText: /^\d+ lines$/}))
	await push(xml, /^<policy/)
	await expect(xml).not.toContainText('<name>')
	await push(page, 'Next', true)
	await says(xml, '<file_list')
	await hasNoViolations(page)
})

test('two selected policies are compared, and equal fields are shown on request', async ({page}) => {
	await row(page, 'Protect', 'Windows').click()
	await press(page, 'x')
	await row(page, 'Server', 'Windows').click()
	await press(page, 'x', 'Shift+D')
	await isShown(heading(page, 'Compare two policies'))
	await isShown(tableRow(page, /File list.*Server exceptions/))
	await expect(tableRow(page, /Known bad files/)).toHaveCount(0)
	await expect(page.locator('thead th').last()).toHaveCSS('white-space', 'normal')
	// The XML for agents, setting by setting: what differs stands open, the groups are folded.
	const settings = region(page, 'Settings')
	await isShown(tableRow(settings, /^name Protect Server$/))
	await expect(button(settings, /^file_list .*differ/)).toHaveAttribute('aria-expanded', 'true')
	await expect(button(page, /^Used in groups/)).toHaveAttribute('aria-expanded', 'false')
	await page.getByRole('checkbox', {name: 'Show identical lines too'}).click({force: true})
	await isShown(tableRow(page, /File list.*Known bad files/))
	await hasNoViolations(page)
})

test('the matrices show own and inherited policies and the lists in use; each can be exported', async ({page}) => {
	await press(page, '2')
	const groups = grid(page, 'Groups and their policies')
	await isShown(tableRow(groups, /^Finance Servers, .*Windows: Server own.*macOS: Protect inherited/))
	await isAccessible(page)
	await press(page, 'e')
	expect((await savedBy(button(dialog(page), 'Export', true))).name).toMatch(/^policies-of-groups-.*\.csv$/)
	await press(page, '3')
	const lists = grid(page, 'Policies and file lists')
	await isShown(tableRow(lists, /^Server, for Windows, uses .*Server exceptions/))
	await hasNoViolations(page)
	// What has no room scrolls sideways inside the table, by keyboard too, and the names of the policies stay.
	const last = columnHeader(lists, 'Server exceptions')
	await expect(last).not.toBeInViewport({ratio: 0.9})
	await lists.focus()
	for (let presses = 0; presses < 12; presses += 1) await press(page, 'ArrowRight')
	await expect(last).toBeInViewport({ratio: 0.9})
	await expect(columnHeader(lists, 'Policy')).toBeInViewport({ratio: 1})
	expect(await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth)).toBe(true)
})

test('a failed refresh keeps the list, and a refused policy says so in its place', async ({page, service}) => {
	await row(page, 'Audit', 'macOS').click()
	await service.weather('GET /v1/policies/*=status:403')
	await press(page, 'd')
	const banner = page.getByText(/Some data could not be loaded: .*You see local data/)
	await isShown(banner)
	await shows(page, /Could not load its details: /)
	await service.weather()
	await press(page, 'd')
	await isHidden(banner)
})
