/** The screens in the words of an operator, so that the specs read like sentences. */
import {readFile} from 'node:fs/promises'

import type {Locator, Page} from '@playwright/test'

import type {IsolationGlance} from '#model/isolation.ts'
import {stepTitles} from '#text/changes.ts'
import {pendingChange} from '#text/isolation.ts'
import {isolationStates} from '#text/states.ts'

import {expect} from './expect.ts'

export const tenant = 'Test tenant TEST'

type Root = Page | Locator
type Name = string | RegExp

/** What has a role in a part of the page: all of it, or that of a name. */
function ofRole(role: Parameters<Page['getByRole']>[0]) {
	return (root: Root, name?: Name, exact = false) => root.getByRole(role, name === undefined ? {} : {name, exact})
}

export const alert = ofRole('alert')
/** A panel beside the list. */
export const aside = ofRole('complementary')
export const button = ofRole('button')
export const columnHeader = ofRole('columnheader')
export const comboBox = ofRole('combobox')
/** A text field. */
export const field = ofRole('textbox')
export const grid = ofRole('grid')
export const group = ofRole('group')
export const heading = ofRole('heading')
export const link = ofRole('link')
export const list = ofRole('list')
export const listItem = ofRole('listitem')
export const main = ofRole('main')
export const menuItem = ofRole('menuitem')
export const option = ofRole('option')
export const region = ofRole('region')
export const searchBox = ofRole('searchbox')
export const status = ofRole('status')
export const tab = ofRole('tab')
export const tableRow = ofRole('row')
export const treeGrid = ofRole('treegrid')

/** Presses the button of that name. */
export const push = (root: Root, name?: Name, exact?: boolean) => button(root, name, exact).click()
export const pick = (root: Root, name: Name, exact?: boolean) => option(root, name, exact).click()

export const facets = (page: Page) => aside(page, 'Facets')

export async function chartAction(page: Page, chart: string, action: string) {
	await push(page, `Chart actions: ${chart}`, true)
	await menuItem(page, action).click()
}

export const isShown = (part: Locator) => expect(part).toBeVisible()
export const isHidden = (part: Locator) => expect(part).toBeHidden()
export const isFocused = (part: Locator) => expect(part).toBeFocused()

/** The text is a part of what it says. */
export const says = (part: Locator, text: Name) => expect(part).toContainText(text)

/** The text is all that it says. */
export const reads = (part: Locator, text: Name | readonly Name[]) => expect(part).toHaveText(text)
export const hasValue = (box: Locator, value: Name) => expect(box).toHaveValue(value)
/** For who does not see it. */
export const isNamed = (part: Locator, name: Name) => expect(part).toHaveAccessibleName(name)
export const thereAre = (parts: Locator, count: number) => expect(parts).toHaveCount(count)
export const addressIs = (page: Page, address: Name) => expect(page).toHaveURL(address)

/** It can have the focus, says why, and does nothing. */
export const isOff = (control: Locator) => expect(control).toHaveAttribute('aria-disabled', 'true')

/** Allows changes again after a lock. */
export async function unlock(page: Page) {
	await push(page, 'Mode: locked')
	await isFocused(button(dialog(page), 'Cancel'))
	await button(dialog(page), /^Allow changes in Test tenant/).click()
	await isShown(button(page, 'Mode: read-write'))
}

/** The file that a press of the button saves. */
export async function savedBy(pressed: Locator): Promise<{name: string; path: string; text: string}> {
	const [file] = await Promise.all([pressed.page().waitForEvent('download'), pressed.click()])
	const path = await file.path()
	return {name: file.suggestedFilename(), path, text: await readFile(path, 'utf8')}
}

/** The first heading of a screen. */
export function title(root: Root, name: Name = /./): Locator {
	return root.getByRole('heading', {name, level: 1})
}

export const screenIs = (root: Root, name: Name) => isShown(title(root, name))

export async function press(page: Page, ...keys: string[]) {
	for (const key of keys) await page.keyboard.press(key)
}

/** Presses them where the focus then is. */
export async function pressIn(element: Locator, ...keys: string[]) {
	await element.focus()
	await press(element.page(), ...keys)
}

/** The text can be seen there. */
export const shows = (root: Root, text: Name, exact = false) => isShown(root.getByText(text, {exact}))

export function computers(page: Page): Locator {
	return grid(page, 'Computers')
}

/** The row of a computer in the list, by host name. */
export function rowOf(page: Page, hostname: string): Locator {
	return tableRow(computers(page), new RegExp(`^${hostname},`))
}

export function filterBox(page: Page): Locator {
	return searchBox(page, 'Filter the computers')
}

/** The list has come in whole: its age is shown instead of its progress. */
export async function listIsRead(page: Page) {
	await says(page.getByRole('contentinfo'), /Updated .* ago/)
	// A window opens on the Overview.
	if (page.url().endsWith('/overview')) await link(page.getByRole('navigation', {name: 'Screens'}), /^Computers/).click()
	await expect(tableRow(computers(page)).nth(1)).toHaveAttribute('aria-label', /isolation:/)
}

/** The usual service has 300 computers. */
export async function areListed(page: Page) {
	await shows(main(page), '300 computers')
}

/** Finds a computer in the list and opens its screen. */
export async function openComputer(page: Page, hostname: string) {
	await listIsRead(page)
	await filterBox(page).fill(`name:${hostname}`)
	await rowOf(page, hostname).dblclick()
	await screenIs(page, hostname)
}

export async function openGuardRules(page: Page) {
	await link(page, /^Connections/).click()
	await push(page, 'Guard rules of Test tenant')
}

/** The GUID of the computer whose screen is open. */
export function guidOf(page: Page) {
	return /computers\/([0-9a-f-]{36})/.exec(page.url())?.[1] ?? ''
}

export function isolation(page: Page): Locator {
	return main(page).getByRole('img', {name: /^Isolation: /})
}

/** The frame's count of isolations and releases that wait for their agents. */
export const pendingLink = new RegExp(pendingChange.join('|'))

export async function expectIsolation(page: Page, state: IsolationGlance) {
	await isNamed(isolation(page), `Isolation: ${isolationStates[state].word}`)
}

/** The receipt's line of that step. */
export function receipt(page: Page, step: keyof typeof stepTitles): Locator {
	return listItem(main(page)).filter({has: page.locator('b', {hasText: new RegExp(`^${stepTitles[step]}$`)})})
}

/** From now on no chosen file can be read. */
export const lockFiles = (page: Page) => page.evaluate(() => void (File.prototype.text = () => Promise.reject(new Error('It is locked'))))

/** Escape, and the dialog is gone and has given the focus back, where it matters: the next key is heard. */
export async function closeDialog(page: Page, backTo?: Locator) {
	await press(page, 'Escape')
	await dialogIsGone(page)
	if (backTo !== undefined) await isFocused(backTo)
}

export function dialog(page: Page, name?: Name): Locator {
	return ofRole('dialog')(page, name).or(ofRole('alertdialog')(page, name))
}

/** Presses a button of the dialog. */
export const decide = (page: Page, name: Name, exact?: boolean) => push(dialog(page), name, exact)

/** Fills a field of the dialog. */
export const enter = (page: Page, name: Name, text: string) => field(dialog(page), name).fill(text)

/** Closes a dialog that has said its result. */
export const finish = (page: Page) => button(dialog(page), 'Close', true).last().click()

export const dialogIsGone = (page: Page) => isHidden(dialog(page))

export const dialogSays = (page: Page, text: string | RegExp) => says(dialog(page), text)

export function dialogTitle(page: Page): Locator {
	return dialog(page).getByRole('heading', {level: 2})
}

/** The field of the palette. */
export function palette(page: Page): Locator {
	return comboBox(page, 'Search computers, groups and commands')
}

/** The field of a dialog that asks why. */
export function reasonOf(page: Page): Locator {
	return field(dialog(page), 'Reason')
}

/** Opens the isolate dialog of the computer on the screen and writes the reason. */
export async function askToIsolate(page: Page, hostname: string, reason: string): Promise<Locator> {
	await push(page, 'Isolate…')
	await reasonOf(page).fill(reason)
	const confirm = button(dialog(page), `Isolate ${hostname} in ${tenant}`)
	await shows(dialog(page), 'Now: not isolated')
	return confirm
}

/** The folded part of the isolation dialog. */
export async function unfoldCodeAndLease(page: Page) {
	await button(dialog(page), /^Unlock code and lease/).click()
}

export async function isolate(page: Page, hostname: string, reason = 'Beaconing') {
	const confirm = await askToIsolate(page, hostname, reason)
	await confirm.click()
	await dialogIsGone(page)
}

export async function askToRelease(page: Page, hostname: string, reason: string): Promise<Locator> {
	await push(page, 'Release…')
	await reasonOf(page).fill(reason)
	await shows(dialog(page), /^Now: /)
	return button(dialog(page), `Release ${hostname} in ${tenant}`)
}

export async function release(page: Page, hostname: string, reason = 'Host is clean') {
	const confirm = await askToRelease(page, hostname, reason)
	await confirm.click()
	await dialogIsGone(page)
}

/** Opens the command line, types a line and runs it. */
export async function runLine(page: Page, line: string) {
	const input = commandLine(page)
	if (!(await input.isVisible())) await push(page, 'Command line', true)
	await input.fill(line)
	await input.press('Enter')
}

export function commandLine(page: Page): Locator {
	return comboBox(page, 'Command line')
}

export function drawer(page: Page): Locator {
	return region(page, 'Command line')
}

/** What a command in the drawer came to. */
export function answerLine(page: Page): Locator {
	return status(drawer(page)).first()
}

export function incidentLog(page: Page): Locator {
	return grid(page, 'Incident log')
}

/** Presses Tab until it has the focus, as somebody without a mouse does. */
export async function tabTo(page: Page, element: Locator) {
	await expect(async () => {
		const hasFocus = await element.evaluate(one => one === document.activeElement, undefined, {timeout: 1_000})
		if (!hasFocus) await press(page, 'Tab')
		await expect(element).toBeFocused({timeout: 50})
	}).toPass({intervals: [0]})
}

/** From the list to isolated, released, and seen in the log, without a mouse. */
export async function isolateByKeyboard(page: Page, hostname: string) {
	const change = async (key: string, verb: 'Isolate' | 'Release', reason: string, confirm: string) => {
		await press(page, key)
		await isFocused(reasonOf(page))
		await page.keyboard.type(reason)
		await dialogSays(page, /Now: (?:not )?isolated/)
		await tabTo(page, button(page, new RegExp(`^${verb} ${hostname} in `)))
		await press(page, confirm)
		await dialogIsGone(page)
	}
	await listIsRead(page)
	await press(page, '/')
	await isFocused(filterBox(page))
	await page.keyboard.type(`name:${hostname}`)
	// Completions may be there or about to be: Escape closes them, and the filter stays.
	await press(page, 'Escape')
	await hasValue(filterBox(page), `name:${hostname}`)
	await isShown(rowOf(page, hostname))
	await expect(computers(page)).toHaveAttribute('aria-rowcount', '2')
	await press(page, 'Enter')
	await isFocused(computers(page))
	await press(page, 'j', 'Enter')
	await screenIs(page, hostname)

	await change('i', 'Isolate', 'Beaconing', 'Enter')
	await expectIsolation(page, 'isolated')
	await change('u', 'Release', 'Host is clean', 'Space')
	await expectIsolation(page, 'not_isolated')

	await press(page, 'g', 'l')
	const log = incidentLog(page)
	await isShown(tableRow(log).filter({hasText: 'svc_delete_computers_isolation'}).first())
}

/** Requests that reached the service and were no reading, each with its number. */
export async function writesTo(service: {requests(): Promise<Readonly<Record<string, number>>>}): Promise<string[]> {
	const writes = Object.entries(await service.requests()).filter(([name]) => !/^(GET|OPTIONS|HEAD) /.test(name))
	return writes.map(([name, count]) => `${name} ${count}`)
}

/** Cordon follows pending isolations and counts stored events all the while; those readings belong to no act of a test. */
export function withoutWatch<T>(requests: Readonly<Record<string, T>>): Readonly<Record<string, T>> {
	const own = /^GET .*(?:\/isolation|\/events|\/event_types)$/
	return Object.fromEntries(Object.entries(requests).filter(([request]) => !own.test(request)))
}
