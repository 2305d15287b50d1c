/** Bulk work in the words of an operator, so that the specs read like sentences. */
import {join} from 'node:path'
// oxlint-disable-next-line cordon/imports -- the clock of a stored job is turned back, which no program does
import {DatabaseSync} from 'node:sqlite'

import type {Locator, Page} from '@playwright/test'

import {expect} from './expect.ts'
import {askService, type SandboxProcess} from './processes.ts'
import {
	button,
	comboBox,
	computers,
	dialog,
	dialogIsGone,
	field,
	filterBox,
	grid,
	link,
	listIsRead,
	option,
	press,
	reasonOf,
	tableRow,
	tenant,
	shows,
	pressIn,
	isShown,
	palette,
	decide,
	enter
} from './screens.ts'

/** Goes to another screen as the address bar would. */
export async function goTo(page: Page, path: string) {
	await page.evaluate(hash => {
		location.hash = hash
	}, path)
}

export async function openPalette(page: Page, words: string) {
	await press(page, 'Control+k')
	const box = palette(page)
	await box.fill(words)
	await isShown(option(page).first())
	await box.press('Enter')
}

/** Opens the form of the playbook that isolates, filled in. */
export async function containing(page: Page, host: string) {
	await goTo(page, '/playbooks')
	await button(page, 'Start Contain an endpoint').click()
	await enter(page, 'Computer: host name or GUID', host)
	await enter(page, 'Reason for the incident log', 'Beaconing')
}

/** Opens the dialog of a change of many from the palette, with a list of names. */
export async function bulk(page: Page, kind: 'isolate' | 'release' | 'move', names: readonly string[]) {
	await openPalette(page, `bulk: ${kind}`)
	const list = field(dialog(page), 'Host names or GUIDs')
	// With a selection, that is proposed.
	const other = dialog(page).getByText('A list of names or GUIDs')
	await isShown(list.or(other).first())
	if (await other.isVisible()) await other.click()
	await list.fill(names.join('\n'))
}

/** Chooses the group of a move. */
export async function toAudit(page: Page) {
	await comboBox(dialog(page), 'To the group').fill('Audit')
	await option(page).filter({hasText: /Audit/}).first().click()
}

/** Writes the reason and makes the plan. */
export async function plan(page: Page, reason: string) {
	await reasonOf(page).fill(reason)
	await decide(page, 'Create plan')
	await isShown(button(dialog(page), 'Save plan'))
}

/** Selects all computers that answer to each filter, one after the other. */
export async function select(page: Page, ...filters: string[]) {
	await listIsRead(page)
	for (const filter of filters) {
		await filterBox(page).fill(filter)
		await filterBox(page).press('Enter')
		await shows(page, /of the 300/)
		const name = RegExp(`^${/name:(\S+)/.exec(filter)?.[1] ?? ''}`)
		await isShown(tableRow(computers(page), name).last())
		await expect(computers(page)).toHaveAttribute('aria-busy', 'false')
		await pressIn(computers(page), 'Control+a')
	}
}

/** Types what the guard rules ask for, if anything, and presses the button that names the effect. */
export async function apply(page: Page) {
	const typed = field(dialog(page), /^Type /)
	if (await typed.isVisible()) {
		const label = await dialog(page)
			.locator('label')
			.filter({hasText: /^Type /})
			.textContent()
		await typed.fill(/: (\S+)/.exec(label ?? '')?.[1] ?? '')
	}
	await confirmButton(page).click()
	await isShown(dialog(page).getByRole('progressbar'))
}

export function confirmButton(page: Page): Locator {
	return button(dialog(page), new RegExp(` in (?:${tenant}|SANDBOX)$`))
}

/** The line of counts by outcome, in the dialog or on the screen of the job. */
export function counts(page: Page): Locator {
	return page.getByRole('list', {name: 'Counts by outcome'})
}

export function receipts(page: Page): Locator {
	return grid(page, 'Results')
}

/** From the dialog to the screen of the job. */
export async function openJob(page: Page) {
	await link(dialog(page), 'Open the job').click()
	await dialogIsGone(page)
	await isShown(receipts(page))
}

/** GUID of the first computer of that name, as the service tells it. */
export async function guidOfName(service: SandboxProcess, hostname: string) {
	const path = `computers?hostname=${encodeURIComponent(hostname)}`
	const [found] = await askService<{connector_guid: string}[]>(service, path)
	if (found === undefined) throw new Error(`The service has no ${hostname}.`)
	return found.connector_guid
}

/** A job of computers that are offline: they get their requests and do not answer. Returns what brings them online. */
export async function isolateOffline(page: Page, service: SandboxProcess, names: readonly string[]) {
	const guids = await Promise.all(names.map(name => guidOfName(service, name)))
	const change = async (online: boolean) => {
		for (const guid of guids) await service.change(guid, {online})
	}
	await change(false)
	await bulk(page, 'isolate', names)
	await plan(page, 'Beaconing')
	await apply(page)
	return () => change(true)
}

/** Requests to isolate so far. */
export async function isolationsSent(service: SandboxProcess) {
	const sent = Object.entries(await service.requests()).filter(([name]) => name.startsWith('PUT '))
	return sent.reduce((sum, [, count]) => sum + count, 0)
}

/** Jobs that were alive a moment ago go on by themselves. */
export function longAgo(profile: string) {
	const database = new DatabaseSync(join(profile, 'runs.db'))
	database.exec(`UPDATE run SET alive_at = alive_at - 3600000`)
	database.close()
}
