import {userInfo} from 'node:os'

import type {Locator, Page} from '@playwright/test'

import {receiptLabel, requestedText} from '#text/changes.ts'

import {hasNoViolations} from './axe.ts'
import {expect, test} from './house.ts'
import {apply} from './jobs.ts'
import {askService, type SandboxProcess} from './processes.ts'
import {
	alert,
	aside,
	button,
	closeDialog,
	columnHeader,
	comboBox,
	decide,
	dialog,
	dialogIsGone,
	dialogSays,
	field,
	finish,
	grid,
	group,
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
	tableRow,
	tenant,
	screenIs,
	treeGrid,
	writesTo,
	shows,
	pressIn,
	isShown,
	isHidden,
	isFocused,
	says,
	palette,
	reads,
	isNamed,
	thereAre,
	addressIs,
	push,
	pick
} from './screens.ts'

// The tests assign policies and move computers.
test.use({houseName: 'groups'})
const tree = (page: Page) => treeGrid(page, 'Groups')
const line = (page: Page, name: string) => tableRow(tree(page), new RegExp(`^${name},`))
const panel = (page: Page) => aside(page, 'Group at the cursor')
const members = (page: Page) => grid(panel(page), /^Computers of /)
const firstMember = (page: Page) => tableRow(members(page)).nth(1)

async function openGroups(page: Page) {
	await listIsRead(page)
	await press(page, 'g', 'g')
	await screenIs(page, 'Groups')
	await shows(main(page), 'all details loaded')
	await isShown(line(page, 'Corporate'))
}

/** Moves the cursor by the beginning of the group's name. */
async function jump(page: Page, name: string) {
	await pressIn(tree(page), 'f')
	await shows(page, 'Jump to:')
	await page.keyboard.type(name)
	await press(page, 'Enter')
	await isHidden(page.getByText('Jump to:'))
}

async function openMembers(page: Page, name: string) {
	await jump(page, name)
	await press(page, 'Enter')
	await isFocused(members(page))
	await isNamed(firstMember(page), /isolation:/)
	return /^[^,]+/.exec((await firstMember(page).getAttribute('aria-label')) ?? '')?.[0] ?? ''
}

async function askToMove(page: Page, hostname: string, to: string) {
	await press(page, 'm')
	await dialogSays(page, `Move ${hostname}`)
	await comboBox(dialog(page), /To the group/).fill(to)
	await pick(page, RegExp(to))
}

test.beforeEach(({page}) => openGroups(page))

test('the arrows open and close, a search shows matches with their ancestors, and the address keeps both', async ({page}) => {
	await jump(page, 'corporate')
	await expect(line(page, 'Corporate')).toHaveAttribute('aria-expanded', 'true')
	await press(page, 'ArrowLeft')
	await expect(line(page, 'Corporate')).toHaveAttribute('aria-expanded', 'false')
	await isHidden(line(page, 'Finance'))
	await press(page, 'Shift+ArrowRight')
	await expect(line(page, 'Finance Laptops')).toHaveAttribute('aria-level', '3')
	await press(page, 'ArrowDown', 'Space')
	await reads(panel(page).getByRole('heading', {level: 2}).first(), 'Corporate Servers')
	await addressIs(page, /group=[0-9a-f-]{36}/)

	await press(page, '/')
	await page.keyboard.type('laptop')
	await thereAre(tableRow(tree(page)), 4)
	await addressIs(page, /search=laptop/)
	await page.reload()
	await isShown(line(page, 'Finance Laptops'))
	await isShown(panel(page))
	const box = searchBox(page, 'Search the groups')
	await box.fill('nobody has this')
	await shows(page, 'No group matches')
	await push(page, /^Show all \d+$/)
	await isShown(line(page, 'Hospital'))
})

test('paper has the drawn lines one below the other, says which of how many, and then has the panel', async ({page}) => {
	await jump(page, 'audit')
	await press(page, 'Space')
	await isShown(panel(page))
	await page.emulateMedia({media: 'print'})
	const y = async (one: Locator) => (await one.boundingBox())?.y ?? NaN
	const last = await y(tree(page).getByRole('row').last())
	expect(await y(tree(page).getByText(/^Rows 1 to \d+ of 44$/))).toBeGreaterThan(last)
	expect(last).toBeGreaterThan(800)
	expect(await y(panel(page))).toBeGreaterThan(last)
})

test('the panel shows own and inherited policies, the lists that apply, and what has no command', async ({page}) => {
	await jump(page, 'finance servers')
	await press(page, 'Space')
	const policies = region(panel(page), 'Policies')
	await says(policies, /WindowsServer ● own/)
	await says(policies, /macOSProtect ◌ inherited from Corporate/)
	await says(region(panel(page), 'File lists that apply here'), /Server exceptions.*through Server \(Windows\)/)
	await shows(panel(page), /Moving a group under another.*not among the commands/)
	await hasNoViolations(page)
	await press(page, 'Shift+Enter')
	await screenIs(page, 'Finance Servers')
	await isShown(grid(page, 'Computers of Finance Servers'))
	await press(page, 'Escape')
	await isShown(panel(page))
	// The same groups as a chart, by keyboard, with a table.
	await press(page, '2')
	await pressIn(button(page, /^Hospital: [\d,]+ computers/), 'Enter')
	await isShown(heading(panel(page), 'Hospital'))
	await push(page, 'Only Hospital and below')
	await thereAre(button(page, /^Corporate: /), 0)
	await press(page, '3')
	await push(page, /Mark the policies that use the list/)
	await pick(page, /Remote administration tools/)
	await shows(page, /of [\d,]+ computers have a policy that uses it\./)
	await thereAre(button(page, /^Server \(Windows\) · uses it: /), 1)
	await hasNoViolations(page)
	await press(page, '1')
	await pressIn(tree(page), 'c')
	await addressIs(page, /computers\?filter=group/)
})

test('several groups are selected and get a policy by one job, planned with before and after for each', async ({page, service}) => {
	const before = await writesTo(service)
	await jump(page, 'developers')
	await press(page, 'x', 'Shift+ArrowDown')
	const selection = group(page, 'Selection')
	await says(selection, '2 selected')
	await expect(line(page, 'Developers')).toHaveAttribute('aria-selected', 'true')
	await press(page, 'o')
	await dialogSays(page, 'The selection: 2 groups, frozen')
	await decide(page, 'Create plan')
	await dialogSays(page, 'Choose a policy of one product at least.')
	await decide(page, /Windows/)
	await pick(page, 'Triage')
	await decide(page, /Stop after failures of/)
	await pick(page, 'the first one')
	await reasonOf(page).fill('Under observation')
	await decide(page, 'Create plan')
	const row = tableRow(dialog(page), /^Developers, Protect · inherited, then Triage · own, Cannot be undone/)
	await isShown(row)
	await dialogSays(page, 'stops after the first failure')
	await hasNoViolations(page)
	expect(await writesTo(service)).toEqual(before)
	await apply(page)
	await reads(list(dialog(page), 'Counts by outcome'), '●2 done')
	await finish(page)
	await shows(line(page, 'Developers'), 'Triage')
	await isHidden(selection)
	await expect(line(page, 'Developers')).toHaveAttribute('aria-selected', 'false')
})

test('policies are assigned after a comparison, with a reason, and shown as requested, accepted and confirmed', async ({page, service}) => {
	const before = await writesTo(service)
	const preview = region(dialog(page), 'Before and after')
	const choose = async () => {
		await jump(page, 'legal')
		await press(page, 'o')
		await dialogSays(page, 'Assign policies to Legal')
		await decide(page, /Windows/)
		await pick(page, 'Triage')
		await says(preview, /\d+ computers? of Legal would change/)
	}
	await choose()
	await says(tableRow(preview, /Windows/), /Protect · inherited.*Triage/)
	await isShown(preview.getByLabel('gained').first())
	const send = button(dialog(page), new RegExp(`^Set the Windows policy of Legal, \\d+ computers?, in ${tenant}$`))
	await send.click()
	await shows(dialog(page), /^Say why: /)
	expect(await writesTo(service)).toEqual(before)
	// Cancelled while the group is read again, it is not sent later.
	await reasonOf(page).fill('Under attack')
	await service.weather('GET /v1/groups/*=latency:1500')
	await send.click()
	await isOff(send)
	await decide(page, 'Cancel')
	await dialogIsGone(page)
	await choose()
	await reasonOf(page).fill('Under attack')
	await send.click()
	const steps = list(dialog(page), receiptLabel)
	await says(steps, /Requested.*Under attack/)
	await says(steps, /Accepted.*HTTP 202/)
	expect(await writesTo(service)).toEqual([...before, expect.stringMatching(/^PATCH .* 1$/)])
	await says(steps, 'the group has these policies')
	// As the dialog had said before.
	await isOff(button(dialog(page), 'Undo…'))
	// What grows above the outcome pushes it out of nobody's sight.
	await preview.evaluate(part => part.style.setProperty('min-height', '900px'))
	await expect(button(dialog(page), /^Check again/)).toBeInViewport({ratio: 1})
	await finish(page)
	await shows(line(page, 'Legal'), /Windows: Triage/)
	await link(page, 'Incident log', true).click()
	await tableRow(page, /^succeeded: Set a group's policies: Legal/)
		.first()
		.click()
	await press(page, 'Enter')
	await says(aside(page, 'Entry at the cursor'), 'Under attack')
	const undo = button(aside(page, 'Entry at the cursor'), 'Undo…')
	await isOff(undo)
	await aside(page, 'Entry at the cursor').evaluate(one => one.scrollTo(0, one.scrollHeight))
	await expect(undo).toBeInViewport({ratio: 1})
})

test('two selected groups are compared: own and inherited policies, lists, place and computers', async ({page}) => {
	await jump(page, 'finance servers')
	await press(page, 'x')
	await expect(line(page, 'Finance Servers')).toHaveAttribute('aria-selected', 'true')
	await jump(page, 'finance laptops')
	await press(page, 'x')
	await isShown(button(page, /^Compare the two selected/))
	await press(page, 'Shift+D')
	await isShown(heading(page, 'Compare two groups'))
	const differs = region(page, 'What differs')
	await says(tableRow(differs, /^Policy for Windows/), /Server · own.*Protect · inherited from Corporate/)
	await says(tableRow(differs, /^File list/).filter({hasText: 'Server exceptions'}), 'not there')
	await thereAre(tableRow(differs, /^Under/), 0)
	await hasNoViolations(page)
	await page.getByRole('checkbox', {name: 'Show identical lines too'}).click({force: true})
	await says(tableRow(differs, /^Under/), 'Corporate ▸ Finance')

	await comboBox(page, 'Second').fill('radiology servers')
	await pick(page, /Radiology Servers/)
	await says(tableRow(differs, /^Under/), 'Hospital ▸ Radiology')
	await push(page, 'Swap')
	await reads(columnHeader(differs).nth(1), 'Radiology Servers')
	await link(tableRow(differs, /^Computers/).first())
		.first()
		.click()
	await addressIs(page, /computers\?filter=group/)
})

test('a comparison is opened from the palette, and its groups are chosen by a part of their name', async ({page}) => {
	await press(page, 'Control+k')
	const box = palette(page)
	await box.fill('compare two groups')
	await says(option(page).first(), 'Compare two groups')
	await box.press('Enter')
	await shows(page, 'Choose two groups')
	for (const [side, name] of [
		['First', 'Legal'],
		['Second', 'Marketing']
	] as const) {
		await comboBox(page, side).fill(name)
		await pick(page, new RegExp(name))
	}
	await isShown(status(page).filter({hasText: /differ/}))
	await comboBox(page, 'Second').fill('Legal')
	await pick(page, /Legal/)
	await shows(page, 'This is the same group twice')
})

test('a group with groups below wants its name typed', async ({page, service}) => {
	await jump(page, 'wards')
	await press(page, 'o')
	await decide(page, /Windows/)
	await pick(page, 'Audit')
	await reasonOf(page).fill('Trial')
	const typed = field(dialog(page), /^Type the name: Wards/)
	await isShown(typed)
	await hasNoViolations(page)
	const before = await writesTo(service)
	await decide(page, /^Set the Windows policy of Wards/)
	await shows(dialog(page), 'Type Wards.')
	expect(await writesTo(service)).toEqual(before)
	await closeDialog(page)
})

test('a computer is moved by keyboard, and moved back only while it is still there', async ({page, service}) => {
	const hostname = await openMembers(page, 'finance workstations')
	await askToMove(page, hostname, 'Radiology Servers')
	await says(dialog(page).getByLabel('Before and after'), /Finance Workstations → .*Radiology Servers/)
	await says(dialog(page).getByLabel('Before and after'), /Protect → Server/)
	await decide(page, `Move ${hostname} to Radiology Servers in ${tenant}`)
	const steps = list(dialog(page), receiptLabel)
	// By name, like other receipts: several people may share an account.
	await says(steps, `Requested${requestedText(userInfo().username, '')}`)
	await says(steps, /Confirmed.*in Radiology Servers/)
	await finish(page)
	const bar = page.getByText(`${hostname} was moved from Finance Workstations to Radiology Servers`)
	await isShown(bar)

	const writes = await writesTo(service)
	await push(page, 'Undo…')
	const back = button(dialog(page), `Undo change in ${tenant}`)
	await dialogSays(page, `Moves ${hostname} back to the group Finance Workstations.`)
	const guid = await guidOf(service, hostname)
	const elsewhere = await groupGuid(service, 'PACS')
	await service.change(guid, {group_guid: elsewhere})
	await back.click()
	await says(alert(dialog(page)), /Someone has changed this since.*Nothing was sent/)
	await says(dialog(page).getByRole('table'), hostname)
	await isFocused(back)
	expect(await writesTo(service)).toEqual(writes)
	await service.change(guid, {group_guid: await groupGuid(service, 'Radiology Servers')})
	await back.click()
	await isShown(heading(dialog(page), 'Change undone'))
	await dialogSays(page, `${hostname} is in the group Finance Workstations now`)
	await finish(page)
	await isHidden(bar)
	await isFocused(treeGrid(page, 'Groups'))
})

test('a move and an assignment that are undone from their outcome close it, and nothing says any more that they were made', async ({page}) => {
	const undo = async () => {
		await decide(page, 'Undo…')
		await decide(page, `Undo change in ${tenant}`)
		await isShown(heading(dialog(page), 'Change undone'))
		await finish(page)
		await dialogIsGone(page)
	}
	const hostname = await openMembers(page, 'human resources')
	await askToMove(page, hostname, 'Marketing')
	await decide(page, `Move ${hostname} to Marketing in ${tenant}`)
	await undo()
	await isHidden(page.getByText(`${hostname} was moved`))
	await jump(page, 'finance servers')
	await press(page, 'o')
	await decide(page, /Windows/)
	await pick(page, 'Triage')
	await reasonOf(page).fill('By mistake')
	await decide(page, /^Set the Windows policy of Finance Servers/)
	await undo()
})

test('dropping a computer on a group only opens the dialog', async ({page, service}) => {
	const hostname = await openMembers(page, 'human resources')
	const writes = await writesTo(service)
	await firstMember(page).dragTo(line(page, 'Marketing'))
	await dialogSays(page, `Move ${hostname} to Marketing`)
	await hasNoViolations(page)
	expect(await writesTo(service)).toEqual(writes)
	await closeDialog(page)
})

test('a failed refresh keeps the tree, and refused details say so in their place', async ({page, service}) => {
	await service.weather('GET /v1/groups?*=500', 'GET /v1/policies?*=500')
	await press(page, 'r', 'Enter')
	const banner = page.getByText(/Some data could not be loaded: .*You see local data/)
	await isShown(banner)
	await isShown(line(page, 'Corporate'))
	await service.weather()
	await push(status(page).filter({has: banner}), 'Try again · about 4 calls')
	await isHidden(banner)

	await jump(page, 'legal')
	await press(page, 'Space')
	await service.weather('GET /v1/groups/*=status:403')
	const policies = region(panel(page), 'Policies')
	await push(policies, /Refresh · 1 call/)
	await shows(policies, 'not readable')
	await shows(line(page, 'Legal'), '! not readable')
	await service.weather()
	await push(policies, /Refresh · 1 call/)
	await isHidden(policies.getByText('not readable'))
})

test('the palette finds a group with its actions and their shortcuts', async ({page}) => {
	await press(page, '?')
	await shows(dialog(page), 'Jump to a group by name')
	await shows(dialog(page), 'Assign policies…')
	await closeDialog(page)
	await press(page, 'Control+k')
	await palette(page).fill('Pharmacy')
	await isShown(option(page, /Assign policies to Pharmacy…/))
	await pick(page, /^Pharmacy/)
	await reads(panel(page).getByRole('heading', {level: 2}).first(), 'Pharmacy')
	await press(page, 'Escape')
	await isHidden(panel(page))
	await pressIn(tree(page), 'e')
	expect((await savedBy(button(dialog(page), 'Export', true))).name).toMatch(/^groups-.*\.csv$/)
})

test.describe('dark', () => {
	test.use({colorScheme: 'dark'})

	test('has no violation on the page of a group, and enough contrast', async ({page}) => {
		await openMembers(page, 'finance laptops')
		await hasNoViolations(page, ['color-contrast'])
		await pressIn(tree(page), 'Shift+Enter')
		await screenIs(page, 'Finance Laptops')
		await isNamed(tableRow(grid(page)).nth(1), /isolation:/)
		await hasNoViolations(page)
	})
})

/** The GUID of a listing's first record. */
async function guidIn(service: SandboxProcess, path: string, key: string) {
	const [first] = await askService<Readonly<Record<string, string>>[]>(service, path)
	return first?.[key] ?? ''
}

const guidOf = async (service: SandboxProcess, hostname: string) => await guidIn(service, `computers?hostname[]=${hostname}`, 'connector_guid')
const groupGuid = async (service: SandboxProcess, name: string) => await guidIn(service, `groups?name=${encodeURIComponent(name)}`, 'guid')
