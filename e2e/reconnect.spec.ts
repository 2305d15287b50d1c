import type {Page, Route} from '@playwright/test'

import {type Console, expect, hostAway, test, usualSetup} from './fixtures.ts'
import {addExternal, goToInstances, setExposed, setParameter} from './forwarding.ts'
import {containing, goTo} from './jobs.ts'
import {
	alert,
	areListed,
	askToIsolate,
	button,
	closeDialog,
	commandLine,
	computers,
	dialog,
	dialogIsGone,
	dialogSays,
	dialogTitle,
	expectIsolation,
	field,
	filterBox,
	group,
	guidOf,
	heading,
	incidentLog,
	isolate,
	link,
	listIsRead,
	openComputer,
	press,
	pressIn,
	reasonOf,
	rowOf,
	shows,
	tableRow,
	screenIs,
	writesTo,
	isShown,
	isHidden,
	isFocused,
	says,
	decide,
	reads,
	hasValue,
	thereAre,
	push
} from './screens.ts'

test.use({setup: hostAway})

test('while the host is away the last view stays readable, and the page reconnects', async ({listed: page, app}) => {
	await filterBox(page).fill('name:FIN-LT-0231')
	await isShown(rowOf(page, 'FIN-LT-0231'))

	await app.stop()
	await says(lost(page), 'You are viewing old data. Changes are disabled.')
	await isShown(rowOf(page, 'FIN-LT-0231'))

	await comesBack(page, app)
	await thereAre(page.getByText('has not entered'), 0)
	await filterBox(page).fill('name:FIN-SRV')
	await isShown(tableRow(computers(page), /^FIN-SRV/).first())
})

test('a running isolation is followed after the restart', async ({page, app, service}) => {
	await openComputer(page, 'FIN-LT-0231')
	const guid = guidOf(page)
	await service.change(guid, {online: false})
	await isolate(page, 'FIN-LT-0231')
	await expectIsolation(page, 'pending_start')
	await app.stop()
	await isShown(lost(page))
	await screenIs(page, 'FIN-LT-0231')
	await comesBack(page, app)
	await service.change(guid, {online: true})
	await isShown(page.getByRole('img', {name: 'Isolation: isolated'}))
})

test('a dialog keeps what was typed while the host is away, sends nothing and says so', async ({page, app}) => {
	await openComputer(page, 'FIN-LT-0231')
	await expect(await askToIsolate(page, 'FIN-LT-0231', 'Beaconing')).toBeEnabled()
	await page.setViewportSize({width: 1280, height: 480})
	await app.stop()
	await isShown(lost(page))
	// Nothing covers it, and it covers no button.
	await push(lost(page), 'Reconnect now')
	const [card, asked] = await Promise.all([lost(page).boundingBox(), dialog(page).boundingBox()])
	expect((asked?.y ?? 0) + (asked?.height ?? 0)).toBeLessThan(card?.y ?? 0)
	await reasonOf(page).focus()
	await press(page, 'Control+Enter')
	await reads(alert(dialog(page)), 'Cordon was not responding. This request was not sent.')
	await comesBack(page, app)
	await press(page, 'Control+Enter')
	await expectIsolation(page, 'isolated')
})

test('a change whose answer is lost says that it may have been applied', async ({page, app, service}) => {
	await openComputer(page, 'FIN-LT-0231')
	await expect(await askToIsolate(page, 'FIN-LT-0231', 'Beaconing')).toBeEnabled()
	await service.weather('PUT /v1/computers/*=latency:60000')
	await page.setViewportSize({width: 1280, height: 600})
	await press(page, 'Control+Enter')
	await expect.poll(() => writesTo(service)).toHaveLength(1)
	await dialogSays(page, 'Sending the change')
	await expect(button(dialog(page), 'Stop')).toBeInViewport({ratio: 1})
	await app.process().stop('SIGKILL')
	await dialogSays(page, 'Check whether a requested change was applied')
})

test('what was typed to confirm stays for another try', async ({listed: page, app}) => {
	await setParameter(app, 'forward.enabled', 'false')
	await addExternal(page, 'open', 9)
	await setExposed(page, true)
	await goToInstances(page)
	await link(page, 'Change who can reach it').click()
	await dialog(page).getByText('Every interface').click()
	const listen = button(dialog(page), 'Listen on the network')
	await listen.click()
	const word = field(dialog(page), 'Type LAN to confirm')
	await word.fill('LAN')
	await app.stop()
	await listen.click()
	await says(alert(dialog(page)), 'This request was not sent')
	await hasValue(word, 'LAN')
	await comesBack(page, app)
	await listen.click()
	await dialogIsGone(page)
})

test('what a playbook run was not told is over once the run went on', async ({page, app}) => {
	await containing(page, 'FIN-LT-0231')
	await decide(page, 'Start playbook')
	await isShown(button(page, 'Yes'))
	await isShown(group(page, 'Graph'))
	await app.stop()
	await isShown(lost(page))
	await push(page, 'Yes')
	const failed = alert(page).filter({hasText: 'This request was not sent'})
	await isShown(failed)
	await comesBack(page, app)
	await app.cli('playbook', 'answer', page.url().split('/').at(-1) ?? '', 'yes')
	await isHidden(button(page, 'Yes'))
	await isHidden(failed)
})

test.describe('a part of the page that could not be loaded', () => {
	test.use({setup: {...usualSetup, expected: [/net::ERR_FAILED/, /preload CSS|dynamically imported/]}})

	/** The part cannot be loaded when `show` asks for it, and is loaded by another try. */
	async function comesLater(page: Page, part: string, show: () => Promise<unknown>, told = 'Could not load this part of the window') {
		const files = new RegExp(`/assets/${part}-`)
		await page.route(files, route => route.abort())
		await show()
		const failed = alert(page).filter({hasText: told})
		await isShown(failed)
		await page.unroute(files)
		return async () => await push(failed, 'Try again')
	}

	test('hides no question of a run', async ({page}) => {
		await containing(page, 'FIN-LT-0231')
		const start = () => decide(page, 'Start playbook')
		const tryAgain = await comesLater(page, 'Graph', start, 'Could not load the graph')
		await isShown(button(page, 'Yes'))
		await tryAgain()
		await isShown(group(page, 'Graph'))
	})

	test('is told in place of a screen, and the page is not left', async ({listed: page}) => {
		await filterBox(page).fill('name:FIN-LT-0231')
		await thereAre(tableRow(computers(page)), 2)
		await pressIn(computers(page), 'Control+a')
		const tryAgain = await comesLater(page, 'IncidentLogScreen', () => press(page, 'g', 'l'))
		await tryAgain()
		await isShown(incidentLog(page))
		// Its stylesheet had failed as well.
		await isStyled(page, 'IncidentLogScreen')
		await press(page, 'g', 'c')
		await shows(page, '1 selected', true)
	})

	test('shares its stylesheet with another, which gets it later, too', async ({page}) => {
		const sheet = /\/assets\/DiffTable-.*css/
		await listIsRead(page)
		await page.route(sheet, route => route.abort())
		const failed = alert(page).filter({hasText: 'Could not load this part of the window'})
		await goTo(page, '/groups/compare')
		await isShown(failed)
		await goTo(page, '/policies/compare')
		await screenIs(page, 'Compare two policies')
		// Asked for again while that is under way, the first waits for it.
		const during = async (route: Route) => {
			await goTo(page, '/groups/compare')
			await route.abort()
		}
		await page.route(sheet, during, {times: 1})
		await isShown(failed)
		await page.unroute(sheet)
		await isStyled(page, 'DiffTable')
	})

	test('is told once the command line or a dialog is asked for', async ({page}) => {
		const tryAgain = await comesLater(page, 'Drawer', async () => {
			await page.reload()
			await listIsRead(page)
			await thereAre(dialog(page), 0)
			await press(page, ':')
		})
		await tryAgain()
		await isFocused(commandLine(page))
		await page.keyboard.type('version')
		await hasValue(commandLine(page), 'version')
		await push(page, 'Close the command line')

		await comesLater(page, 'UndoListDialog', () => press(page, 'Control+z'))
		await closeDialog(page)
		await press(page, 'Control+z')
		await reads(dialogTitle(page).first(), 'Undo history')
	})
})

test('a loaded page that is opened again after a restart needs no new entry link', async ({listed: page, app}) => {
	await app.restart()
	await page.reload()
	await listIsRead(page)
	await areListed(page)
})

async function isStyled(page: Page, part: string) {
	const sheet = page.locator(`link[rel="stylesheet"][href*="${part}"]`)
	// Of one that failed, nothing can be read.
	const rules = () => sheet.evaluate(one => one instanceof HTMLLinkElement && one.sheet?.cssRules.length).catch(() => 0)
	await expect.poll(rules).toBeGreaterThan(0)
}

async function comesBack(page: Page, app: Console) {
	await app.start()
	await isHidden(lost(page))
}

function lost(page: Page) {
	return alert(page).filter({has: heading(page, 'Cordon is not responding')})
}
