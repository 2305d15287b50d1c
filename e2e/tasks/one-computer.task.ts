/** One computer is isolated and released: by mouse, on both command lines, by keyboard alone at 200 %, past a failure. */
import type {Page} from '@playwright/test'

import {cableTo, type Cable} from '../cable.ts'
import type {Console} from '../fixtures.ts'
import {
	alert,
	button,
	commandLine,
	dialog,
	dialogIsGone,
	dialogSays,
	expectIsolation,
	grid,
	listIsRead,
	option,
	palette,
	reasonOf,
	tableRow,
	tenant,
	isShown,
	isFocused,
	says
} from '../screens.ts'
import type {SandboxProcess} from '../processes.ts'
import type {Hand} from './hand.ts'
import {host, openByName} from './one-computer.ts'
import {computersOf, expectIsolations, timesIn} from './state.ts'
import {expect, task} from './task.ts'

const why = 'Beaconing to 203.0.113.66'
const after = 'Host is clean'

const confirm = (page: Page, verb: 'Isolate' | 'Release') => button(dialog(page), new RegExp(`^${verb} ${host} in ${tenant}`))

async function askToIsolate(page: Page, hand: Hand) {
	await listIsRead(page)
	await openByName(page, hand)
	await hand.click(button(page, 'Isolate…'))
	await isFocused(reasonOf(page))
}

async function isIsolated(hand: Hand, service: SandboxProcess) {
	hand.leg('isolate')
	await expectIsolations(service, [host], 'isolated')
}

async function isReleased(hand: Hand, service: SandboxProcess, app: Console) {
	hand.leg('release')
	await expectIsolations(service, [host], 'not_isolated')
	await expectBothLogged(app)
}

/** Both changes are in the log, once each. */
async function expectBothLogged(app: Console) {
	expect(await timesIn(app, 'svc_put_computers_isolation')).toBe(1)
	expect(await timesIn(app, 'svc_delete_computers_isolation')).toBe(1)
}

task.describe(() => {
	task.use({limits: {isolate: {clicks: 5, keys: 12}}})

	task('1 isolate a named computer and release it', async ({page, hand, service, app}) => {
		await askToIsolate(page, hand)
		await hand.say(why)
		await hand.click(confirm(page, 'Isolate'))
		await expectIsolation(page, 'isolated')
		await isIsolated(hand, service)

		await hand.click(button(page, 'Release…'))
		await isFocused(reasonOf(page))
		await hand.say(after)
		await hand.click(confirm(page, 'Release'))
		await expectIsolation(page, 'not_isolated')
		await isReleased(hand, service, app)
	})
})

task.describe(() => {
	task('10 the same on the command line of the window', async ({page, hand, service, app}) => {
		await listIsRead(page)
		const run = async (verb: 'Isolate' | 'Release', said: string) => {
			await hand.type(`${verb.toLowerCase()} fin-lt-0231 comment="`)
			await hand.say(said)
			await hand.type('"')
			await hand.press('Enter')
			await hand.tabTo(confirm(page, verb))
			await hand.press('Enter')
			await dialogIsGone(page)
			await isFocused(commandLine(page))
		}
		await hand.press(':')
		await isFocused(commandLine(page))
		await run('Isolate', why)
		await expect.poll(async () => (await computersOf(service, [host]))[0]?.isolation.status).toBe('isolated')
		hand.leg('isolate')
		await run('Release', after)
		await expect.poll(async () => (await computersOf(service, [host]))[0]?.isolation.status).toBe('not_isolated')
		hand.leg('release')
		await expectBothLogged(app)
	})

	task('10 the same in a terminal', async ({hand, service, app}) => {
		await inTerminal(hand, app, `cordon isolate ${host} --comment "REASON"`, why)
		await inTerminal(hand, app, `cordon isolation ${host} --status isolated --wait 60`)
		await isIsolated(hand, service)
		await inTerminal(hand, app, `cordon release ${host} --comment "REASON"`, after)
		await inTerminal(hand, app, `cordon isolation ${host} --status not_isolated --wait 60`)
		await isReleased(hand, service, app)
	})
})

/** A line as it is typed; what is said stands for REASON. */
async function inTerminal(hand: Hand, app: Console, line: string, said = '') {
	hand.outside({keys: line.replace('REASON', '').length + 1, reason: said.length})
	const words = line.match(/"[^"]*"|\S+/g) ?? []
	const {code, stderr} = await app.cli(...words.slice(1).map(word => (word === '"REASON"' ? said : word)))
	expect(code, stderr).toBe(0)
}

task.describe(() => {
	// 1280 x 800 at 200 %.
	task.use({viewport: {width: 640, height: 400}, deviceScaleFactor: 2})
	task.use({limits: {isolate: {clicks: 0, keys: 12}}})

	task('11 the same by keyboard alone at 200 %', async ({page, hand, service, app}) => {
		await expect(tableRow(grid(page, 'Computers')).nth(1)).toHaveAccessibleName(/isolation:/)
		await hand.press('Control+k')
		await isFocused(palette(page))
		await hand.type('0231')
		const found = option(page, new RegExp(`^${host}`))
		await isShown(found)
		while ((await found.getAttribute('aria-selected')) !== 'true') await hand.press('ArrowDown')
		await hand.press('Enter')
		await expectIsolation(page, 'not_isolated')
		await hand.press('i')
		await isFocused(reasonOf(page))
		await hand.say(why)
		await hand.press('Control+Enter')
		await expectIsolation(page, 'isolated')
		await isIsolated(hand, service)

		await hand.press('u')
		await isFocused(reasonOf(page))
		await hand.say(after)
		await hand.press('Control+Enter')
		await expectIsolation(page, 'not_isolated')
		await isReleased(hand, service, app)
	})
})

const overCable = task.extend<{cable: Cable}>({cable: cableTo, serviceUrl: async ({cable}, use) => await use(cable.url)})

overCable.describe(() => {
	overCable('12 the same while the service goes away twice', async ({page, hand, cable, service, app}) => {
		await askToIsolate(page, hand)
		await dialogSays(page, 'Now: not isolated')
		await hand.say(why)
		await cable.pull()
		await hand.click(confirm(page, 'Isolate'))
		await says(alert(dialog(page)), 'no program answers at')
		await cable.plug()
		await hand.click(confirm(page, 'Isolate'))
		await dialogIsGone(page)
		await expectIsolation(page, 'isolated')
		await isIsolated(hand, service)

		await hand.click(button(page, 'Release…'))
		await isFocused(reasonOf(page))
		await hand.say(after)
		await cable.pull()
		await hand.click(confirm(page, 'Release'))
		await dialogSays(page, 'no program answers at')
		await cable.plug()
		await hand.click(confirm(page, 'Release'))
		await dialogIsGone(page)
		await expectIsolation(page, 'not_isolated')
		await isReleased(hand, service, app)
	})
})
