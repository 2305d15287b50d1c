import type {Locator, Page} from '@playwright/test'

import {usualSetup} from './fixtures.ts'
import {expect, test} from './house.ts'
import type {SandboxProcess} from './processes.ts'
import {
	answerLine,
	aside,
	askToIsolate,
	button,
	closeDialog,
	dialog,
	dialogIsGone,
	dialogSays,
	drawer,
	grid,
	guidOf,
	isOff,
	openComputer,
	press,
	reasonOf,
	runLine,
	tableRow,
	treeGrid,
	unlock,
	writesTo,
	shows,
	pressIn,
	isShown,
	says,
	decide
} from './screens.ts'

const host = 'FIN-LT-0231'

test.use({houseName: 'locks'})

/** Tries each way to a change from the screen of one computer, and looks at what the service received. */
async function everyWayIsLocked(page: Page, service: SandboxProcess, reason: RegExp) {
	for (const name of ['Isolate…', 'Move…']) {
		const locked = button(page, name)
		await saysWhy(page, locked, reason)
		await locked.click({force: true})
		await dialogIsGone(page)
	}
	await runLine(page, `svc_put_computers_isolation connector_guid=${guidOf(page)}`)
	await says(drawer(page), /refused\./)
	await says(drawer(page), reason)
	await expect(page.getByRole('alertdialog')).toHaveCount(0)
	await runLine(page, `svc_get_computer_by_connector connector_guid=${guidOf(page)}`)
	await says(answerLine(page), host)
	expect(await writesTo(service)).toEqual([])
}

/** The reason of a locked button, as a pointer that rests on it shows it. */
async function saysWhy(page: Page, locked: Locator, reason: RegExp) {
	await isOff(locked)
	await expect(async () => {
		await page.mouse.move(0, 0)
		await locked.hover()
		await expect(page.getByRole('tooltip')).toHaveText(reason, {timeout: 5000})
	}).toPass()
}

test.describe('a connection that is set to read-only', () => {
	test.use({houseName: 'read-only', houseSetup: {...usualSetup, connection: 'locked'}})

	test('locks every button with the reason, and nothing reaches the service', async ({page, service, app}) => {
		await openComputer(page, host)
		await everyWayIsLocked(page, service, /This connection is read-only/)
		const cli = await app.cli('svc_put_computers_isolation', '--connector_guid', guidOf(page), '--json')
		expect(cli.code).toBe(4)
		expect(JSON.parse(cli.stdout)).toMatchObject({ok: false, error: {code: 'read_only'}})
		expect(await writesTo(service)).toEqual([])
	})

	test('locks groups and file lists, too, and says where that can be changed', async ({listed: page, service}) => {
		await press(page, 'g', 'g')
		await tableRow(treeGrid(page, 'Groups'), /^Marketing,/).click()
		await press(page, 'Enter')
		const panel = aside(page, 'Group at the cursor')
		await shows(panel, /Nothing can be moved: /)
		await isOff(button(panel, /Assign policies…/))
		await expect(tableRow(grid(panel)).nth(1)).not.toHaveAttribute('draggable', 'true')

		await press(page, 'g', 'f')
		await tableRow(page, /^Linux miners, hashes: 21,/).dblclick()
		const hashes = grid(page, 'Hashes')
		await expect(tableRow(hashes).nth(1)).toHaveAccessibleName(/^[0-9a-f]{64},/)
		await isOff(button(page, /^Add a hash…/))
		await pressIn(hashes, 'j', 'Delete')
		await reasonOf(page).fill('Try')
		const send = button(dialog(page), /^Remove /)
		await isOff(send)
		await send.click({force: true})
		await isShown(dialog(page))
		expect(await writesTo(service)).toEqual([])
		await closeDialog(page)

		await button(page, 'Mode: read-only').click()
		await dialogSays(page, 'Read-only is a setting of the connection')
		await decide(page, 'Edit the connection')
		await isShown(dialog(page, 'Change Test tenant'))
	})
})

test('Ctrl+Shift+L locks writing at once, for the command line too, until it is unlocked', async ({page, service, app}) => {
	await openComputer(page, host)
	await press(page, 'Control+Shift+L')
	await isShown(button(page, 'Mode: locked'))
	await everyWayIsLocked(page, service, /You switched writing off/)
	const refused = await app.cli('svc_put_computers_isolation', '--connector_guid', guidOf(page))
	expect(refused.code).toBe(4)
	expect(refused.stderr).toContain('Changes on Test tenant are locked: nothing was sent.')
	expect(await writesTo(service)).toEqual([])

	await unlock(page)
	await expect(button(page, 'Isolate…')).not.toHaveAttribute('aria-disabled', 'true')
})

test('the lock closes an open dialog to changes', async ({page, service}) => {
	await openComputer(page, host)
	const confirm = await askToIsolate(page, host, 'Beaconing')
	await press(page, 'Control+Shift+L')
	await isOff(confirm)
	await saysWhy(page, confirm, /You switched writing off/)
	await confirm.click({force: true})
	expect(await writesTo(service)).toEqual([])
	await closeDialog(page)
	await unlock(page)
})

test('the lock of one window is the lock of every window on the profile', async ({listed: page, app, context}) => {
	const second = await context.newPage()
	await second.goto(`http://127.0.0.1:${app.port()}/#/computers`)
	await isShown(button(second, 'Mode: read-write'))
	await press(page, 'Control+Shift+L')
	await isShown(button(second, 'Mode: locked'))
	await unlock(page)
})
