/** One computer is isolated and released: by mouse, on both command lines, by keyboard alone at 200 %, past a failure. */
import type {Page} from '@playwright/test'

import {openCable, type Cable} from '../cable.ts'
import type {Console} from '../fixtures.ts'
import {button, commandLine, dialog, expectIsolation, listIsRead, palette, reasonOf, tenant} from '../screens.ts'
import type {Hand} from './hand.ts'
import {computersOf, expectIsolations, timesIn} from './state.ts'
import {expect, task} from './task.ts'

const host = 'FIN-LT-0231'
const why = 'Beaconing to 203.0.113.66'
const after = 'Host is clean'

const confirm = (page: Page, verb: 'Isolate' | 'Release') => button(dialog(page), new RegExp(`^${verb} ${host} in ${tenant}`))

/** Both changes are in the log, once each. */
async function expectBothLogged(app: Console): Promise<void> {
	expect(await timesIn(app, 'svc_put_computers_isolation', 'command.succeeded')).toBe(1)
	expect(await timesIn(app, 'svc_delete_computers_isolation', 'command.succeeded')).toBe(1)
}

task.describe(() => {
	task.use({limits: {isolate: {clicks: 5, keys: 12}}})

	task('1 isolate a named computer and release it', async ({page, hand, service, app}) => {
		await listIsRead(page)
		await hand.click(button(page, /^Search computers, groups and commands/))
		await expect(palette(page)).toBeFocused()
		await hand.type('0231')
		await hand.click(page.getByRole('option', {name: new RegExp(`^${host}`)}))
		await hand.click(button(page, 'Isolate…'))
		await expect(reasonOf(page)).toBeFocused()
		await hand.say(why)
		await hand.click(confirm(page, 'Isolate'))
		await expectIsolation(page, 'isolated')
		hand.leg('isolate')
		await expectIsolations(service, [host], 'isolated')

		await hand.click(button(page, 'Release…'))
		await expect(reasonOf(page)).toBeFocused()
		await hand.say(after)
		await hand.click(confirm(page, 'Release'))
		await expectIsolation(page, 'not_isolated')
		hand.leg('release')
		await expectIsolations(service, [host], 'not_isolated')
		await expectBothLogged(app)
	})
})

task.describe(() => {
	task('10 the same on the command line of the window', async ({page, hand, service, app}) => {
		await listIsRead(page)
		const run = async (command: string, completed: string, verb: 'Isolate' | 'Release', said: string): Promise<void> => {
			await hand.press(':')
			await expect(commandLine(page)).toBeFocused()
			await hand.type(command)
			await expect(page.getByRole('option', {name: new RegExp(completed)}).first()).toBeVisible()
			await hand.press('Tab')
			await expect(commandLine(page)).toHaveValue(`${completed} `)
			await hand.type('FIN-LT-0231')
			await expect(page.getByRole('option', {name: new RegExp(host)}).first()).toBeVisible()
			await hand.press('Tab')
			await expect(commandLine(page)).toHaveValue(/[0-9a-f]{8}-[0-9a-f-]{27} $/)
			await hand.type('comment="')
			await hand.say(said)
			await hand.type('"')
			await hand.press('Enter')
			await hand.tabTo(confirm(page, verb))
			await hand.press('Enter')
			await expect(dialog(page)).toBeHidden()
		}
		await run('svc_put', 'svc_put_computers_isolation', 'Isolate', why)
		await expect.poll(async () => (await computersOf(service, [host]))[0]?.isolation.status).toBe('isolated')
		hand.leg('isolate')
		await hand.press('Escape')
		await run('svc_delete_c', 'svc_delete_computers_isolation', 'Release', after)
		await expect.poll(async () => (await computersOf(service, [host]))[0]?.isolation.status).toBe('not_isolated')
		hand.leg('release')
		await expectBothLogged(app)
	})

	task('10 the same in a terminal', async ({hand, service, app}) => {
		const read = await inTerminal(hand, app, `cordon svc_get_computers --hostname ${host}`)
		const guid = /[0-9a-f]{8}-[0-9a-f-]{27}/.exec(read)?.[0] ?? ''
		await inTerminal(hand, app, 'cordon svc_put_computers_isolation GUID --comment "REASON"', {guid, reason: why})
		await inTerminal(hand, app, 'cordon svc_get_computers_isolation GUID --status isolated --wait 60', {guid})
		hand.leg('isolate')
		await expectIsolations(service, [host], 'isolated')
		await inTerminal(hand, app, 'cordon svc_delete_computers_isolation GUID --comment "REASON"', {guid, reason: after})
		await inTerminal(hand, app, 'cordon svc_get_computers_isolation GUID --status not_isolated --wait 60', {guid})
		hand.leg('release')
		await expectIsolations(service, [host], 'not_isolated')
		await expectBothLogged(app)
	})
})

/**
 * A line as it is typed. A GUID is taken over with the mouse: a double click on it in the answer above, and the middle
 * button at the prompt.
 */
async function inTerminal(
	hand: Hand,
	app: Console,
	line: string,
	{guid = '', reason: said = ''}: {guid?: string; reason?: string} = {},
): Promise<string> {
	const typed = line.replace(/GUID|REASON/g, '')
	hand.outside({clicks: line.includes('GUID') ? 3 : 0, keys: typed.length + 1, reason: said.length})
	const words = line.match(/"[^"]*"|\S+/g) ?? []
	const given: Readonly<Record<string, string>> = {GUID: guid, '"REASON"': said}
	const {code, stdout, stderr} = await app.cli(...words.slice(1).map(word => given[word] ?? word))
	expect(code, stderr).toBe(0)
	return stdout
}

task.describe(() => {
	// 1280 x 800 at 200 %.
	task.use({viewport: {width: 640, height: 400}, deviceScaleFactor: 2})
	task.use({limits: {isolate: {clicks: 0, keys: 12}}})

	task('11 the same by keyboard alone at 200 %', async ({page, hand, service, app}) => {
		await expect(page.getByRole('grid', {name: 'Computers'}).getByRole('row').nth(1)).toHaveAccessibleName(/isolation:/)
		await hand.press('Control+k')
		await expect(palette(page)).toBeFocused()
		await hand.type('0231')
		const found = page.getByRole('option', {name: new RegExp(`^${host}`)})
		await expect(found).toBeVisible()
		while ((await found.getAttribute('aria-selected')) !== 'true') await hand.press('ArrowDown')
		await hand.press('Enter')
		await expectIsolation(page, 'not_isolated')
		await hand.press('i')
		await expect(reasonOf(page)).toBeFocused()
		await hand.say(why)
		await hand.tabTo(confirm(page, 'Isolate'))
		await hand.press('Enter')
		await expectIsolation(page, 'isolated')
		hand.leg('isolate')
		await expectIsolations(service, [host], 'isolated')

		await hand.press('u')
		await expect(reasonOf(page)).toBeFocused()
		await hand.say(after)
		await hand.tabTo(confirm(page, 'Release'))
		await hand.press('Enter')
		await expectIsolation(page, 'not_isolated')
		hand.leg('release')
		await expectIsolations(service, [host], 'not_isolated')
		await expectBothLogged(app)
	})
})

const overCable = task.extend<{cable: Cable}>({
	cable: async ({service}, use) => {
		const cable = await openCable(service.url)
		await use(cable)
		await cable.pull()
	},
	serviceUrl: async ({cable}, use) => await use(cable.url),
})

overCable.describe(() => {
	overCable('12 the same while the service goes away twice', async ({page, hand, cable, service, app}) => {
		await listIsRead(page)
		await hand.click(button(page, /^Search computers, groups and commands/))
		await expect(palette(page)).toBeFocused()
		await hand.type('0231')
		await hand.click(page.getByRole('option', {name: new RegExp(`^${host}`)}))
		await hand.click(button(page, 'Isolate…'))
		await expect(reasonOf(page)).toBeFocused()
		await expect(dialog(page)).toContainText('Now: not isolated')
		await hand.say(why)
		await cable.pull()
		await hand.click(confirm(page, 'Isolate'))
		await expect(dialog(page).getByRole('alert')).toContainText('no program answers at')
		await cable.plug()
		await hand.click(confirm(page, 'Isolate'))
		await expect(dialog(page)).toBeHidden()
		await expectIsolation(page, 'isolated')
		hand.leg('isolate')
		await expectIsolations(service, [host], 'isolated')

		await hand.click(button(page, 'Release…'))
		await expect(reasonOf(page)).toBeFocused()
		await hand.say(after)
		await cable.pull()
		await hand.click(confirm(page, 'Release'))
		await expect(dialog(page)).toContainText('no program answers at')
		await cable.plug()
		await hand.click(confirm(page, 'Release'))
		await expect(dialog(page)).toBeHidden()
		await expectIsolation(page, 'not_isolated')
		hand.leg('release')
		await expectIsolations(service, [host], 'not_isolated')
		await expectBothLogged(app)
	})
})
