/** Two tenants in one profile: the log, the handover and the bottom line are of the one that is shown. */
import {writeFile} from 'node:fs/promises'

import type {Page} from '@playwright/test'

import {expect, test, usualSetup, type Console} from './fixtures.ts'
import {goTo} from './jobs.ts'
import {
	button,
	commandLine,
	computers,
	dialog,
	dialogIsGone,
	dialogTitle,
	field,
	group,
	incidentLog,
	listIsRead,
	listItem,
	main,
	press,
	pressIn,
	runLine,
	tableRow,
	title,
	shows,
	isShown,
	isHidden,
	says,
	decide,
	reads,
	push
} from './screens.ts'
import type {SandboxProcess} from './processes.ts'

async function addBeta(app: Console, service: SandboxProcess) {
	const key = `${app.profile}-beta-key`
	await writeFile(key, service.apiKey, {mode: 0o600})
	const where = ['--server', service.url, '--client-id', service.clientId, '--api-key-file', key]
	const {code} = await app.cli('connections', 'add', 'Beta', ...where, '--read-only', '--environment', 'lab')
	expect(code).toBe(0)
}

async function switchTo(page: Page, name: string) {
	await push(page, /^Connection: /)
	await dialog(page).getByText(name, {exact: false}).first().click()
	await isShown(button(page, new RegExp(`^Connection: ${name}`)))
}

async function idOf(app: Console, name: string) {
	const {stdout} = await app.cli('connections', 'list', '--json')
	const {data} = JSON.parse(stdout) as {data: {id: string; name: string}[]} // its documented form
	return data.find(each => each.name === name)?.id ?? ''
}

test('what was done in one tenant is not in the log, the handover and the bottom line of another', async ({listed: page, app, service}) => {
	await addBeta(app, service)
	await goTo(page, '/command-line')
	await isShown(commandLine(page))
	await runLine(page, 'svc_get_version')
	const line = button(page.getByRole('contentinfo'), /svc_get_version/)
	await isShown(line)
	await goTo(page, '/log')
	const log = incidentLog(page)
	await button(page, 'Add note').first().click()
	await field(dialog(page)).first().fill('Only of the first tenant')
	await decide(page, /Add|Save/)
	const noted = tableRow(log, /Only of the first tenant/)
	await isShown(noted)

	await switchTo(page, 'Beta')
	await isHidden(line)
	await isHidden(noted)
	await goTo(page, '/log/handover')
	await says(main(page), 'No notes.')
	await goTo(page, '/log?connection=all')
	await isShown(noted)
	await page.setViewportSize({width: 1920, height: 1080})
	await isShown(noted.getByRole('gridcell', {name: 'Test tenant'}))
})

test('a window keeps its tenant, and acts on no job of another one', async ({listed: page, app, service}) => {
	const targets = `${app.profile}-targets`
	await writeFile(targets, 'FIN-LT-0231')
	const {stdout} = await app.cli('job', 'isolate', '--targets', targets, '--reason', 'Beaconing', '--json')
	const {data} = JSON.parse(stdout) as {data: {job: {id: string}}} // its documented form
	await addBeta(app, service)
	const other = await page.context().newPage()
	await other.goto(`http://127.0.0.1:${app.port()}/#/overview`)
	await isShown(button(other, /^Connection: Test tenant/))

	await goTo(page, `/jobs/${data.job.id}`)
	await reads(title(page), /^Isolate/)
	await switchTo(page, 'Beta')
	await shows(page, 'This job is of Test tenant')
	await isShown(button(other, /^Connection: Test tenant/))
	// A dialog with targets of one tenant does not stay over another one.
	await press(page, 'Control+k')
	await page.keyboard.type('bulk: isolate')
	await press(page, 'Enter')
	await reads(dialogTitle(page), 'Isolate computers')
	await goTo(page, `/jobs/${data.job.id}?tenant=${await idOf(app, 'Test tenant')}`)
	await isShown(button(page, /^Connection: Test tenant/))
	await expect(page).not.toHaveURL(/tenant=/)
	await dialogIsGone(page)

	// What is picked belongs to the tenant that is shown.
	await goTo(page, '/computers')
	await listIsRead(page)
	await switchTo(page, 'Beta')
	await listIsRead(page)
	await pressIn(computers(page), 'j', 'x')
	await shows(group(page, 'Selection'), '1 selected')
	await switchTo(page, 'Test tenant')
	await listIsRead(page)
	await isHidden(group(page, 'Selection'))
})

test.describe('the sandbox beside a connection of your own', () => {
	const expected = [/WebSocket|ERR_CONNECTION_REFUSED/]
	test.use({setup: {...usualSetup, connection: 'none', console: ['--sandbox-computers', '120'], expected}})

	test('stays after a restart, stopped, and starts again', async ({listed: page, app, service}) => {
		await addBeta(app, service)
		await app.restart()
		// A window that is open stays with its tenant.
		await page.goto('about:blank')
		await page.goto(`http://127.0.0.1:${app.port()}/#/connections`)
		const card = listItem(page, 'Sandbox')
		await shows(card, 'stopped', true)
		await push(card, 'Use Sandbox')
		await shows(page, 'Sandbox stopped.')
		await push(card, 'Start sandbox')
		await shows(page, 'Sandbox: simulated computers only.')
		await goTo(page, '/computers')
		await shows(main(page), '120 computers')
	})
})
