import {createServer} from 'node:net'
import {once} from 'node:events'
import type {AddressInfo} from 'node:net'

import type {Page} from '@playwright/test'

import {expect, test} from './fixtures.ts'
import {
	addExternal,
	ask,
	band,
	beginInstance,
	exportAuthority,
	exposedSwitch,
	form,
	forwardingSetup,
	goToInstances,
	instanceRow,
	instances,
	onAnyPort,
	openInstance,
	requests,
	routeOf,
	save,
	setExposed,
	setParameter,
	startUpstream,
} from './forwarding.ts'
import {closeDialog, dialog, tabTo} from './screens.ts'

test.use({setup: forwardingSetup})

test.beforeEach(async ({app}) => await onAnyPort(app))

test('a service is added, exposed, reached by a client that trusts the exported authority, seen in the log, and hidden', async ({
	page,
	browser,
}) => {
	const upstream = await startUpstream()
	try {
		await goToInstances(page)
		await expect(page.getByRole('heading', {name: 'No instance yet'})).toBeVisible()
		const dialogOfNew = await beginInstance(page, 'files', upstream.port)
		await dialogOfNew.getByRole('button', {name: 'Check port'}).click()
		await expect(dialogOfNew.getByRole('status')).toContainText(/^Held by/)
		await expect(dialogOfNew).toContainText('/instance/execute/files')
		await save(page)
		await expect(page.getByRole('heading', {name: 'files', level: 1})).toBeVisible()
		await expect(page.getByText('not exposed: it is answered with 404')).toBeVisible()
		const ca = await exportAuthority(page)
		expect(ca).toContain('BEGIN CERTIFICATE')
		await expect(band(page)).toContainText('running')
		await expect(instanceRow(page, 'files')).toContainText('healthy')
		await openInstance(page, 'files')
		const url = await routeOf(page)
		expect(await ask(url, ca)).toMatchObject({status: 404})

		await setExposed(page, true)
		await expect(page.getByText('exposed: override')).toBeVisible()
		expect(await ask(`${url}/list.html`, ca)).toMatchObject({status: 200, body: expect.stringContaining('Served /list.html')})
		const row = requests(page).getByRole('row', {name: /^GET \/instance\/execute\/files\/list\.html, 200/})
		await row.click()
		await expect(page.getByRole('region', {name: 'Request at the cursor'})).toContainText('Answered by the instance.')

		const context = await browser.newContext({ignoreHTTPSErrors: true, storageState: {cookies: [], origins: []}})
		const visitor = await context.newPage()
		await visitor.goto(`${url}/`)
		await expect(visitor.getByRole('heading', {name: 'Served /'})).toBeVisible()
		await context.close()
		await expect(requests(page).getByRole('row', {name: /^GET \/instance\/execute\/files\/, 200/})).toBeVisible()
		// The mark stayed on the chosen request: one up is the newer one.
		const picked = page.getByRole('region', {name: 'Request at the cursor'})
		await expect(picked).toContainText('/files/list.html')
		await requests(page).focus()
		await page.keyboard.press('k')
		await expect(picked).not.toContainText('list.html')
		await page.keyboard.press('p')
		await ask(`${url}/while-paused`, ca)
		await expect(page.getByText('1 held back')).toBeVisible()
		await expect(requests(page).getByRole('row', {name: /while-paused/})).toBeHidden()
		await page.keyboard.press('p')
		await expect(requests(page).getByRole('row', {name: /while-paused/})).toBeVisible()
		await page.getByRole('searchbox', {name: 'Filter the requests'}).fill('nobody asked for this')
		await expect(page.getByRole('heading', {name: 'No matching requests'})).toBeVisible()

		await page.getByRole('button', {name: 'Stop exposing…'}).click()
		await dialog(page).getByRole('button', {name: 'Stop exposing files'}).click()
		await expect(dialog(page)).toBeHidden()
		expect(await ask(`${url}/list.html`, ca)).toMatchObject({status: 404})
	} finally {
		await upstream.stop()
	}
})

test('the editor of server parameters and the switch write the same keys', async ({page}) => {
	await addExternal(page, 'edl', 9)
	await expect(exposedSwitch(page)).not.toBeChecked()
	await expect(page.getByText(/^Not exposed: neither/)).toBeVisible()

	await goToInstances(page)
	await page.getByRole('button', {name: 'Server parameters'}).click()
	await addParameter(page, 'instance.execute.external', 'yes')
	await expect(page.getByText('instance.execute.external must be exactly true or false.')).toBeVisible()
	await addParameter(page, 'instance.execute.externl', 'true')
	await expect(page.getByText(/There is no server parameter .* Did you mean instance\.execute\.external\?/)).toBeVisible()
	await addParameter(page, 'instance.execute.external', 'true')
	await expect(parameter(page, 'instance.execute.external')).toContainText('true')

	await openInstance(page, 'edl')
	await expect(page.getByText('exposed: default')).toBeVisible()
	await setExposed(page, false)
	await expect(page.getByText('not exposed: override')).toBeVisible()

	await goToInstances(page)
	await page.getByRole('button', {name: 'Server parameters'}).click()
	const own = 'instance.execute.external.edl'
	await expect(parameter(page, own)).toContainText('false')
	await page.getByRole('button', {name: `Change ${own}`}).click()
	await page.getByRole('textbox', {name: `Value of ${own}`}).fill('true')
	await page.keyboard.press('Enter')
	await expect(parameter(page, own)).toContainText('true')
	await openInstance(page, 'edl')
	await expect(page.getByText('exposed: override')).toBeVisible()

	await page.getByRole('link', {name: 'Remove the override and use the default'}).click()
	await expect(page.getByText('exposed: default')).toBeVisible()
	await goToInstances(page)
	await page.getByRole('button', {name: 'Server parameters'}).click()
	await page.getByRole('button', {name: 'Remove instance.execute.external', exact: true}).click()
	await dialog(page).getByRole('button', {name: 'Remove the parameter'}).click()
	await expect(dialog(page)).toBeHidden()
	await expect(parameter(page, own)).toBeHidden()
	await goToInstances(page)
	await expect(instanceRow(page, 'edl')).toHaveAccessibleName(/not exposed, nothing set/)
})

test('an instance without access control goes to the network only after a typed confirmation, which the log keeps', async ({
	page,
	app,
}) => {
	// The rule concerns settings: the network hears nothing of this test.
	await setParameter(app, 'forward.enabled', 'false')
	await addExternal(page, 'open', 9)
	await setExposed(page, true)
	await goToInstances(page)
	await page.getByRole('link', {name: 'Change who can reach it'}).click()
	await dialog(page).getByText('Every interface').click()
	await expect(dialog(page)).toContainText('Exposed without access control: open.')
	const button = dialog(page).getByRole('button', {name: 'Listen on the network'})
	await button.click()
	const field = dialog(page).getByRole('textbox', {name: 'Type LAN to confirm'})
	await expect(field).toBeFocused()
	await field.fill('lan')
	await expect(button).toHaveAttribute('aria-disabled', 'true')
	await expect(band(page)).toContainText('this computer')
	await field.fill('LAN')
	await button.click()
	await expect(dialog(page)).toBeHidden()
	await expect(band(page)).toContainText('the network')
	await expect(instanceRow(page, 'open')).toHaveAccessibleName(/no access control/)

	await page.getByRole('link', {name: 'Incident log', exact: true}).click()
	const entry = page.getByRole('grid', {name: 'Incident log'}).getByRole('row', {name: /forward\.lan/})
	await expect(entry.first()).toBeVisible()
})

test('a duplicate port, a certificate on the route, a wrong field: refused with the reason, and nothing typed is lost', async ({
	page,
}) => {
	await addExternal(page, 'first', 9011)
	await goToInstances(page)
	const second = await beginInstance(page, 'a/b', 9011)
	await save(page)
	await expect(second.getByRole('textbox', {name: 'Name'})).toHaveAttribute('aria-invalid', 'true')
	await second.getByRole('textbox', {name: 'Name'}).fill('second one')
	await expect(second).toContainText('/instance/execute/second%20one')
	await expect(second).toContainText('It must be encoded')
	await save(page)
	await expect(second).toContainText('Port 9011 is the listen port of the instance first.')
	await expect(second.getByRole('textbox', {name: 'Port', exact: true})).toBeFocused()
	await second.getByRole('textbox', {name: 'Port', exact: true}).fill('9012')

	await second.getByRole('button', {name: /^Limits/}).click()
	await second.getByRole('textbox', {name: 'Burst'}).fill('many')
	await second.getByRole('button', {name: /^Limits/}).click()
	await save(page)
	await expect(second.getByRole('textbox', {name: 'Burst'})).toBeFocused()
	await second.getByRole('textbox', {name: 'Burst'}).fill('5')

	await second.getByText('Expose it at the route at once').click()
	await second.getByRole('button', {name: /^Options/}).click()
	const certificate = second.getByRole('textbox', {name: 'Certificate for direct access'})
	await certificate.fill('-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----')
	await save(page)
	await expect(second).toContainText('cannot be exposed')
	await expect(certificate).toBeFocused()
	await certificate.fill('')
	await save(page)
	await expect(second).toBeHidden()
	await expect(page.getByRole('heading', {name: 'second one', level: 1})).toBeVisible()
	await expect(page.getByText('exposed: override')).toBeVisible()
})

test('access is set, its secrets are never shown again, and a probe shows what a client gets', async ({page}) => {
	const upstream = await startUpstream()
	try {
		await goToInstances(page)
		const added = await beginInstance(page, 'guarded', upstream.port)
		await choose(page, 'Access control', /^User and password/)
		await save(page)
		await expect(added).toContainText('Give at least one user.')
		await added.getByRole('textbox', {name: 'User', exact: true}).fill('firewall')
		await added.getByRole('textbox', {name: 'Password', exact: true}).fill('s3cret:with:colons')
		await save(page)
		await expect(added).toBeHidden()
		await setExposed(page, true)
		await page.getByRole('button', {name: 'Probe…'}).click()
		const stages = dialog(page).getByRole('list', {name: 'Result of the probe'})
		await expect(stages).toHaveAttribute('aria-busy', 'false')
		await expect(stages.getByRole('listitem')).toHaveCount(7)
		await expect(stages.getByRole('img', {name: 'failed'})).toHaveCount(0)
		await expect(stages.getByRole('listitem').filter({hasText: 'Access'})).toContainText('401')
		await dialog(page).getByRole('button', {name: 'Close'}).last().click()
		await expect(requests(page).getByRole('row', {name: /, 401/})).toBeVisible()

		await page.getByRole('button', {name: 'Change…'}).click()
		await expect(form(page)).toContainText('1 user stored (firewall); leave empty to keep.')
		await expect(form(page).getByRole('textbox', {name: 'Password', exact: true})).toHaveValue('')
		await choose(page, 'Access control', /^Bearer token/)
		await form(page).getByRole('button', {name: 'Generate token'}).click()
		const token = form(page).getByRole('textbox', {name: 'Token', exact: true})
		await expect(token).toHaveValue(/^[0-9a-f]{64}$/)
		await save(page)
		await expect(form(page)).toBeHidden()
		await page.getByRole('button', {name: 'Change…'}).click()
		await expect(form(page)).toContainText('1 token stored; leave empty to keep.')
		await expect(form(page).getByRole('textbox', {name: 'Token', exact: true})).toHaveValue('')
		await form(page).getByRole('button', {name: 'Cancel'}).click()
		await expect(form(page)).toBeHidden()

		await setExposed(page, false)
		await page.getByRole('button', {name: 'Probe…'}).click()
		await expect(stages.getByRole('listitem').filter({hasText: 'Exposed'})).toContainText('404')
		await expect(stages.getByRole('img', {name: 'skipped'})).toHaveCount(5)
	} finally {
		await upstream.stop()
	}
})

test('by keyboard alone: add, open, probe, expose, parameters and back', async ({page}) => {
	const upstream = await startUpstream()
	try {
		await expect(page.getByRole('contentinfo')).toBeVisible()
		await page.keyboard.press('g')
		await page.keyboard.press('i')
		await expect(page.getByRole('heading', {name: 'No instance yet'})).toBeVisible()
		await page.keyboard.press('a')
		await expect(form(page).getByRole('textbox', {name: 'Name'})).toBeFocused()
		await page.keyboard.type('keys')
		for (const _ of ['kind', 'port kind', 'port']) await page.keyboard.press('Tab')
		await page.keyboard.type(String(upstream.port))
		await page.keyboard.press('Enter')
		await expect(page.getByRole('heading', {name: 'keys', level: 1})).toBeVisible()

		await page.keyboard.press('o')
		await expect(dialog(page).getByRole('button', {name: 'Cancel'})).toBeFocused()
		await page.keyboard.press('Tab')
		await expect(dialog(page).getByRole('button', {name: 'Expose keys'})).toBeFocused()
		await page.keyboard.press('Enter')
		await expect(dialog(page)).toBeHidden()
		await expect(exposedSwitch(page)).toBeChecked()
		await page.keyboard.press('t')
		await expect(dialog(page).getByRole('list', {name: 'Result of the probe'})).toHaveAttribute('aria-busy', 'false')
		const again = dialog(page).getByRole('button', {name: 'Probe again'})
		await tabTo(page, again)
		// A reason comes and goes with the probe; the button stays.
		await page.keyboard.press('Enter')
		await expect(again).toHaveAttribute('aria-disabled', 'true')
		await expect(again).toBeFocused()
		await expect(again).not.toHaveAttribute('aria-disabled')
		await closeDialog(page)
		await page.keyboard.press('2')
		await expect(page.getByRole('tab', {name: 'Addresses'})).toHaveAttribute('aria-selected', 'true')
		await page.keyboard.press('?')
		await expect(dialog(page)).toContainText('Start or stop exposing…')
		await closeDialog(page)
		await page.keyboard.press('Escape')

		await instances(page).focus()
		await page.keyboard.press('j')
		await page.keyboard.press('Space')
		const panel = page.getByRole('complementary', {name: 'Instance at the cursor'})
		await expect(panel).toContainText('/instance/execute/keys')
		await page.keyboard.press('Escape')
		await expect(panel).toBeHidden()
		await page.keyboard.press('Enter')
		await expect(page.getByRole('heading', {name: 'keys', level: 1})).toBeVisible()
		await page.keyboard.press('Escape')
		await expect(page.getByRole('heading', {name: 'Instances', level: 1})).toBeVisible()
		await page.keyboard.press('Shift+P')
		await expect(page.getByRole('rowheader', {name: 'instance.execute.external.keys'})).toBeVisible()
		await page.keyboard.press('a')
		await expect(page.getByRole('combobox', {name: 'Key'})).toBeFocused()
	} finally {
		await upstream.stop()
	}
})

test('the screen says why an instance is unreachable: unhealthy, disabled, off, below 5.5, port taken', async ({page, app}) => {
	const upstream = await startUpstream()
	await addExternal(page, 'nobody', upstream.port)
	await expect(page.getByText('healthy').first()).toBeVisible()
	await upstream.stop()
	await page.getByRole('button', {name: 'Check now'}).click()
	await expect(page.getByText('unhealthy').first()).toBeVisible()
	await expect(page.getByRole('heading', {name: 'No request yet'})).toBeVisible()
	await page.getByText('Enabled', {exact: true}).click()
	await expect(page.getByText('disabled').first()).toBeVisible()
	await goToInstances(page)
	await expect(instanceRow(page, 'nobody')).toContainText('disabled')

	await setParameter(app, 'forward.platformVersion', '5.0')
	await expect(page.getByText(/Every route is answered with 404: platform version 5\.0/)).toBeVisible()
	await setParameter(app, 'forward.platformVersion', '6.12')
	await expect(page.getByText(/Every route is answered with 404/)).toBeHidden()

	await page.getByRole('link', {name: 'Stop…'}).click()
	await dialog(page).getByRole('button', {name: 'Stop the server'}).click()
	await expect(dialog(page)).toBeHidden()
	await expect(band(page)).toContainText('off')

	const holder = createServer().listen(0, '127.0.0.1')
	await once(holder, 'listening')
	const {port} = holder.address() as AddressInfo // of a server that listens on TCP
	await setParameter(app, 'forward.listen', `127.0.0.1:${port}`)
	await expect(band(page)).toContainText(`127.0.0.1:${port}`)
	await band(page).getByRole('button', {name: 'Start'}).click()
	await expect(page.getByRole('button', {name: 'Listen elsewhere'})).toBeVisible()
	await expect(page.getByRole('main')).toContainText(String(port))
	holder.close()
})

test('Cordon runs a command: its output is there, and opening its port asks for its name', async ({page}) => {
	await goToInstances(page)
	const added = await beginInstance(page, 'bot', null)
	await added.getByText('starts a command, keeps it running').click()
	const script =
		"console.log('bot is up'); require('http').createServer((q, a) => a.end('bot')).listen(process.env.PORT, process.env.HOST)"
	await added.getByRole('textbox', {name: 'Command'}).fill(`"${process.execPath}" -e "${script}"`)
	await save(page)
	await expect(page.getByRole('heading', {name: 'bot', level: 1})).toBeVisible()
	await expect(page.getByText('healthy').first()).toBeVisible()
	await page.getByRole('tab', {name: 'Output'}).click()
	await expect(page.getByRole('log', {name: 'Output'})).toContainText('bot is up')

	await page.getByText('Open the port…').click()
	await dialog(page)
		.getByRole('button', {name: /^Open port/})
		.click()
	await expect(dialog(page).getByRole('textbox', {name: 'Type bot to confirm'})).toBeFocused()
	await dialog(page).getByRole('button', {name: 'Cancel'}).click()
	await expect(dialog(page)).toBeHidden()
	await expect(page.getByRole('switch', {name: 'Open the port…'})).not.toBeChecked()

	await page.getByRole('button', {name: 'Remove…'}).click()
	await expect(dialog(page).getByRole('button', {name: 'Cancel'})).toBeFocused()
	await dialog(page).getByRole('button', {name: 'Remove bot'}).click()
	await expect(page.getByRole('heading', {name: 'No instance yet'})).toBeVisible()
})

test('a list is published, and a rebuild that loses most of it waits for Publish', async ({page}) => {
	await goToInstances(page)
	const added = await beginInstance(page, 'blocked', null)
	await added.getByText('publishes a list for firewalls').click()
	const values = added.getByRole('textbox', {name: 'Pasted values'})
	await save(page)
	await expect(values).toBeFocused()
	await values.fill('192.0.2.1\n192.0.2.2\n192.0.2.3\n192.0.2.4')
	await save(page)
	await expect(page.getByRole('heading', {name: 'blocked', level: 1})).toBeVisible()
	await setExposed(page, true)
	const url = await routeOf(page)
	const ca = await exportAuthority(page)
	await openInstance(page, 'blocked')
	await page.getByRole('tab', {name: 'Published'}).click()
	await expect(page.getByRole('tabpanel')).toContainText('Values4')
	expect((await ask(url, ca)).body).toContain('192.0.2.3')

	await page.getByRole('button', {name: 'Change…'}).click()
	await form(page).getByRole('textbox', {name: 'Pasted values'}).fill('192.0.2.9')
	await save(page)
	await expect(page.getByText(/The shrink guard holds back a rebuild with 1 value: 4 would vanish/)).toBeVisible()
	expect((await ask(url, ca)).body).toContain('192.0.2.3')
	await page.getByRole('button', {name: 'Publish…'}).click()
	await dialog(page).getByRole('button', {name: 'Publish 1 value'}).click()
	await expect(dialog(page)).toBeHidden()
	await expect(page.getByRole('tabpanel')).toContainText('Values1')
	expect((await ask(url, ca)).body).toContain('192.0.2.9')
})

test('file lists of the service are chosen by name, and their hashes are published', async ({page}) => {
	await goToInstances(page)
	const added = await beginInstance(page, 'hashes', null)
	await added.getByText('publishes a list for firewalls').click()
	await choose(page, 'Values', /^SHA-256/)
	await choose(page, 'File lists of', /^Test tenant/)
	await added.getByRole('button', {name: 'Choose by name'}).click()
	const lists = added.getByRole('checkbox', {name: /(simple custom detections|application blocking)$/})
	await expect(lists.nth(1)).toBeVisible()
	for (const name of await lists.evaluateAll(all => all.map(each => each.closest('label')?.innerText ?? '')))
		await added
			.getByText(name.split('\n')[0] ?? '', {exact: false})
			.first()
			.click()
	await expect(added.getByRole('textbox', {name: 'File lists'})).toHaveValue(/^[0-9a-f-]{36}\n[0-9a-f-]{36}/)
	await save(page)
	await expect(page.getByRole('heading', {name: 'hashes', level: 1})).toBeVisible()
	await page.getByRole('tab', {name: 'Published'}).click()
	await expect(page.getByRole('tabpanel')).toContainText(/Values[1-9]/)
})

async function addParameter(page: Page, key: string, value: string): Promise<void> {
	await page.getByRole('combobox', {name: 'Key'}).fill(key)
	// Leaves the field, so that its suggestions close.
	await page.keyboard.press('Tab')
	await page.getByRole('textbox', {name: 'Value', exact: true}).fill(value)
	await page.getByRole('button', {name: /^(Add|Set)$/}).click()
}

function parameter(page: Page, key: string) {
	const header = page.getByRole('rowheader', {name: key, exact: true})
	return page.getByRole('row').filter({has: header})
}

async function choose(page: Page, label: string, option: RegExp): Promise<void> {
	await form(page)
		.getByRole('button', {name: new RegExp(label)})
		.click()
	await page.getByRole('option', {name: option}).click()
}
