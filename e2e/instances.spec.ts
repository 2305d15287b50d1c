import {once} from 'node:events'
import {type AddressInfo, createServer} from 'node:net'

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
	startUpstream
} from './forwarding.ts'
import {
	aside,
	button,
	closeDialog,
	comboBox,
	decide,
	dialog,
	dialogIsGone,
	dialogSays,
	field,
	heading,
	incidentLog,
	isOff,
	link,
	list,
	listItem,
	main,
	press,
	region,
	searchBox,
	status,
	tab,
	tableRow,
	tabTo,
	screenIs,
	shows,
	pressIn,
	isShown,
	isHidden,
	isFocused,
	says,
	push,
	hasValue,
	isNamed,
	thereAre
} from './screens.ts'

test.use({setup: forwardingSetup})

test.beforeEach(async ({app}) => await onAnyPort(app))

test('a service is added, exposed, reached by a client that trusts the exported authority, seen in the log, and hidden', async ({
	page,
	browser
}) => {
	await using upstream = await startUpstream()
	await goToInstances(page)
	await isShown(heading(page, 'No instance yet'))
	const grounds = (all: Element[]) => new Set(all.map(one => getComputedStyle(one).backgroundColor)).size
	expect(await button(page, 'Add instance…').evaluateAll(grounds), 'one of both leads').toBe(2)
	const dialogOfNew = await beginInstance(page, 'files', upstream.port)
	await push(dialogOfNew, 'Check port')
	await says(status(dialogOfNew), /^Held by/)
	await says(dialogOfNew, '/instance/execute/files')
	await save(page)
	await screenIs(page, 'files')
	await shows(page, 'not exposed: it is answered with 404')
	const ca = await exportAuthority(page)
	expect(ca).toContain('BEGIN CERTIFICATE')
	await says(band(page), 'running')
	await says(instanceRow(page, 'files'), 'healthy')
	await openInstance(page, 'files')
	const url = await routeOf(page)
	expect(await ask(url, ca)).toMatchObject({status: 404})

	await setExposed(page, true)
	await shows(page, 'exposed: override')
	expect(await ask(`${url}/list.html`, ca)).toMatchObject({status: 200, body: expect.stringContaining('Served /list.html')})
	const row = tableRow(requests(page), /^GET \/instance\/execute\/files\/list\.html, 200/)
	await row.click()
	await says(region(page, 'Request at the cursor'), 'Answered by the instance.')

	const context = await browser.newContext({ignoreHTTPSErrors: true, storageState: {cookies: [], origins: []}})
	const visitor = await context.newPage()
	await visitor.goto(`${url}/`)
	await isShown(heading(visitor, 'Served /'))
	await context.close()
	await isShown(tableRow(requests(page), /^GET \/instance\/execute\/files\/, 200/))
	// The mark stayed on the chosen request: one up is the newer one.
	const picked = region(page, 'Request at the cursor')
	await says(picked, '/files/list.html')
	await pressIn(requests(page), 'k')
	await expect(picked).not.toContainText('list.html')
	await press(page, 'p')
	await ask(`${url}/while-paused`, ca)
	await shows(page, '1 held back')
	await isHidden(tableRow(requests(page), /while-paused/))
	await press(page, 'p')
	await isShown(tableRow(requests(page), /while-paused/))
	await searchBox(page, 'Filter the requests').fill('nobody asked for this')
	await isShown(heading(page, 'No matching requests'))

	await push(page, 'Stop exposing…')
	await decide(page, 'Stop exposing files')
	await dialogIsGone(page)
	expect(await ask(`${url}/list.html`, ca)).toMatchObject({status: 404})
})

test('the editor of server parameters and the switch write the same keys', async ({page}) => {
	await addExternal(page, 'edl', 9)
	await expect(exposedSwitch(page)).not.toBeChecked()
	await shows(page, /^Not exposed: neither/)

	await goToInstances(page)
	await push(page, 'Server parameters')
	await addParameter(page, 'instance.execute.external', 'yes')
	await shows(page, 'instance.execute.external must be exactly true or false.')
	await addParameter(page, 'instance.execute.externl', 'true')
	await shows(page, /There is no server parameter .* Did you mean instance\.execute\.external\?/)
	await addParameter(page, 'instance.execute.external', 'true')
	await says(parameter(page, 'instance.execute.external'), 'true')

	await openInstance(page, 'edl')
	await shows(page, 'exposed: default')
	await setExposed(page, false)
	await shows(page, 'not exposed: override')

	await goToInstances(page)
	await push(page, 'Server parameters')
	const own = 'instance.execute.external.edl'
	await says(parameter(page, own), 'false')
	await push(page, `Change ${own}`)
	await field(page, `Value of ${own}`).fill('true')
	await press(page, 'Enter')
	await says(parameter(page, own), 'true')
	await openInstance(page, 'edl')
	await shows(page, 'exposed: override')

	await link(page, 'Remove the override and use the default').click()
	await shows(page, 'exposed: default')
	await goToInstances(page)
	await push(page, 'Server parameters')
	await push(page, 'Remove instance.execute.external', true)
	await decide(page, 'Remove the parameter')
	await dialogIsGone(page)
	await isHidden(parameter(page, own))
	await goToInstances(page)
	await isNamed(instanceRow(page, 'edl'), /not exposed, nothing set/)
})

test('an instance without access control goes to the network only by a typed confirmation, which is logged', async ({page, app}) => {
	// The rule concerns settings: the network hears nothing of this test.
	await setParameter(app, 'forward.enabled', 'false')
	await addExternal(page, 'open', 9)
	await setExposed(page, true)
	await goToInstances(page)
	await link(page, 'Change who can reach it').click()
	await dialog(page).getByText('Every interface').click()
	await dialogSays(page, 'Exposed without access control: open.')
	const listen = button(dialog(page), 'Listen on the network')
	await listen.click()
	const word = field(dialog(page), 'Type LAN to confirm')
	await isFocused(word)
	await word.fill('lan')
	await isOff(listen)
	await says(band(page), 'this computer')
	await word.fill('LAN')
	await listen.click()
	await dialogIsGone(page)
	await says(band(page), 'the network')
	await isNamed(instanceRow(page, 'open'), /no access control/)

	await link(page, 'Incident log', true).click()
	const entry = tableRow(incidentLog(page), /forward\.lan/)
	await isShown(entry.first())
})

test('a duplicate port, a certificate on the route, a wrong field: refused with the reason, and nothing typed is lost', async ({page}) => {
	await addExternal(page, 'first', 9011)
	await goToInstances(page)
	const second = await beginInstance(page, 'a/b', 9011)
	await save(page)
	await expect(field(second, 'Name')).toHaveAttribute('aria-invalid', 'true')
	await field(second, 'Name').fill('second one')
	await says(second, '/instance/execute/second%20one')
	await says(second, 'The name must be encoded')
	await save(page)
	await says(second, 'Port 9011 is the listen port of the instance first.')
	await isFocused(field(second, 'Port', true))
	await field(second, 'Port', true).fill('9012')

	await push(second, /^Limits/)
	await field(second, 'Burst').fill('many')
	await push(second, /^Limits/)
	await save(page)
	await isFocused(field(second, 'Burst'))
	await field(second, 'Burst').fill('5')

	await second.getByText('Expose it at the route at once').click()
	await push(second, /^Options/)
	const certificate = field(second, 'Certificate for direct access')
	await certificate.fill('-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----')
	await save(page)
	await says(second, 'cannot be exposed')
	await isFocused(certificate)
	await certificate.fill('')
	await save(page)
	await isHidden(second)
	await screenIs(page, 'second one')
	await shows(page, 'exposed: override')
})

test('access is set, its secrets are never shown again, and a probe shows what a client gets', async ({page}) => {
	await using upstream = await startUpstream()
	await goToInstances(page)
	const added = await beginInstance(page, 'guarded', upstream.port)
	await choose(page, 'Access control', /^User and password/)
	await save(page)
	await says(added, 'Give at least one user.')
	await field(added, 'User', true).fill('firewall')
	await field(added, 'Password', true).fill('s3cret:with:colons')
	await save(page)
	await isHidden(added)
	await setExposed(page, true)
	await push(page, 'Probe…')
	const stages = list(dialog(page), 'Result of the probe')
	await expect(stages).toHaveAttribute('aria-busy', 'false')
	await thereAre(listItem(stages), 7)
	await thereAre(stages.getByRole('img', {name: 'failed'}), 0)
	await says(listItem(stages).filter({hasText: 'Access'}), '401')
	await button(dialog(page), 'Close').last().click()
	await isShown(tableRow(requests(page), /, 401/))

	await push(page, 'Change…')
	await says(form(page), '1 user stored (firewall); leave empty to keep.')
	await hasValue(field(form(page), 'Password', true), '')
	await choose(page, 'Access control', /^Bearer token/)
	await push(form(page), 'Generate token')
	const token = field(form(page), 'Token', true)
	await hasValue(token, /^[0-9a-f]{64}$/)
	await save(page)
	await isHidden(form(page))
	await push(page, 'Change…')
	await says(form(page), '1 token stored; leave empty to keep.')
	await hasValue(field(form(page), 'Token', true), '')
	await push(form(page), 'Cancel')
	await isHidden(form(page))

	await setExposed(page, false)
	await push(page, 'Probe…')
	await says(listItem(stages).filter({hasText: 'Exposed'}), '404')
	await thereAre(stages.getByRole('img', {name: 'skipped'}), 5)
})

test('by keyboard alone: add, open, probe, expose, parameters and back', async ({page}) => {
	let held = Promise.resolve()
	await using upstream = await startUpstream((_request, answer) => void held.then(() => answer.end('ok')))
	await isShown(page.getByRole('contentinfo'))
	await press(page, 'g', 'i')
	await isShown(heading(page, 'No instance yet'))
	await press(page, 'a')
	await isFocused(field(form(page), 'Name'))
	await page.keyboard.type('keys')
	for (const _ of ['kind', 'port kind', 'port']) await press(page, 'Tab')
	await page.keyboard.type(String(upstream.port))
	await press(page, 'Enter')
	await screenIs(page, 'keys')

	await press(page, 'o')
	await isFocused(button(dialog(page), 'Cancel'))
	await press(page, 'Tab')
	await isFocused(button(dialog(page), 'Expose keys'))
	await press(page, 'Enter')
	await dialogIsGone(page)
	await expect(exposedSwitch(page)).toBeChecked()
	await press(page, 't')
	await expect(list(dialog(page), 'Result of the probe')).toHaveAttribute('aria-busy', 'false')
	const again = button(dialog(page), 'Probe again')
	await tabTo(page, again)
	// A reason comes and goes with the probe; the button stays.
	const {promise, resolve} = Promise.withResolvers<void>()
	held = promise
	await press(page, 'Enter')
	await isOff(again)
	await isFocused(again)
	resolve()
	await expect(again).not.toHaveAttribute('aria-disabled')
	await closeDialog(page)
	await press(page, '2')
	await expect(tab(page, 'Addresses')).toHaveAttribute('aria-selected', 'true')
	await press(page, '?')
	await dialogSays(page, 'Start or stop exposing…')
	await closeDialog(page)
	await press(page, 'Escape')

	await pressIn(instances(page), 'j', 'Space')
	const panel = aside(page, 'Instance at the cursor')
	await says(panel, '/instance/execute/keys')
	await press(page, 'Escape')
	await isHidden(panel)
	await press(page, 'Enter')
	await screenIs(page, 'keys')
	await press(page, 'Escape')
	await screenIs(page, 'Instances')
	await press(page, 'Shift+P')
	await isShown(page.getByRole('rowheader', {name: 'instance.execute.external.keys'}))
	await press(page, 'a')
	await isFocused(comboBox(page, 'Key'))
})

test('the screen says why an instance is unreachable: unhealthy, disabled, off, below 5.5, port taken', async ({page, app}) => {
	const upstream = await startUpstream()
	await addExternal(page, 'nobody', upstream.port)
	await isShown(page.getByText('healthy').first())
	await upstream.stop()
	await push(page, 'Check now')
	await isShown(page.getByText('unhealthy').first())
	await page.setViewportSize({width: 1280, height: 800})
	await goToInstances(page)
	const reason = instanceRow(page, 'nobody').getByText(/^Nothing/)
	expect(await reason.evaluate(one => one.scrollWidth - one.clientWidth)).toBe(0)
	await openInstance(page, 'nobody')
	await isShown(heading(page, 'No request yet'))
	await page.getByText('Enabled', {exact: true}).click()
	await isShown(page.getByText('disabled').first())
	await goToInstances(page)
	await says(instanceRow(page, 'nobody'), 'disabled')

	await setParameter(app, 'forward.platformVersion', '5.0')
	await shows(page, /Every route is answered with 404: platform version 5\.0/)
	await setParameter(app, 'forward.platformVersion', '6.12')
	await isHidden(page.getByText(/Every route is answered with 404/))

	await link(page, 'Stop…').click()
	await decide(page, 'Stop the server')
	await dialogIsGone(page)
	await says(band(page), 'off')

	const holder = createServer().listen(0, '127.0.0.1')
	await once(holder, 'listening')
	const {port} = holder.address() as AddressInfo // of a server that listens on TCP
	await setParameter(app, 'forward.listen', `127.0.0.1:${port}`)
	await says(band(page), `127.0.0.1:${port}`)
	await push(band(page), 'Start')
	await isShown(button(page, 'Listen elsewhere'))
	await says(main(page), String(port))
	holder.close()
})

test('Cordon runs a command: its output is there, and opening its port asks for its name', async ({page}) => {
	await goToInstances(page)
	const added = await beginInstance(page, 'bot', null)
	await added.getByText('starts a command, keeps it running').click()
	const script = "console.log('bot is up'); require('http').createServer((q, a) => a.end('bot')).listen(process.env.PORT, process.env.HOST)"
	await field(added, 'Command').fill(`"${process.execPath}" -e "${script}"`)
	await save(page)
	await screenIs(page, 'bot')
	await isShown(page.getByText('healthy').first())
	await tab(page, 'Output').click()
	await says(page.getByRole('log', {name: 'Output'}), 'bot is up')

	await page.getByText('Open the port…').click()
	await decide(page, /^Open port/)
	await isFocused(field(dialog(page), 'Type bot to confirm'))
	await decide(page, 'Cancel')
	await dialogIsGone(page)
	await expect(page.getByRole('switch', {name: 'Open the port…'})).not.toBeChecked()

	await push(page, 'Remove…')
	await isFocused(button(dialog(page), 'Cancel'))
	const other = await page.context().newPage()
	await other.goto(page.url())
	await screenIs(other, 'bot')
	await decide(page, 'Remove bot')
	await isShown(heading(page, 'No instance yet'))
	await isShown(heading(other, 'Instance not found'))
})

test('a list is published, and a rebuild that loses most of it waits for Publish', async ({page}) => {
	await goToInstances(page)
	const added = await beginInstance(page, 'blocked', null)
	await added.getByText('publishes a list for firewalls').click()
	const values = field(added, 'Pasted values')
	await save(page)
	await isFocused(values)
	await values.fill('192.0.2.1\n192.0.2.2\n192.0.2.3\n192.0.2.4')
	await save(page)
	await screenIs(page, 'blocked')
	await setExposed(page, true)
	const url = await routeOf(page)
	const ca = await exportAuthority(page)
	await openInstance(page, 'blocked')
	await tab(page, 'Published').click()
	await says(page.getByRole('tabpanel'), 'Values4')
	expect((await ask(url, ca)).body).toContain('192.0.2.3')

	await push(page, 'Change…')
	await field(form(page), 'Pasted values').fill('192.0.2.9')
	await save(page)
	await shows(page, /The shrink guard holds back a rebuild with 1 value: 4 would vanish/)
	expect((await ask(url, ca)).body).toContain('192.0.2.3')
	await push(page, 'Publish…')
	await decide(page, 'Publish 1 value')
	await dialogIsGone(page)
	await says(page.getByRole('tabpanel'), 'Values1')
	expect((await ask(url, ca)).body).toContain('192.0.2.9')
})

test('file lists of the service are chosen by name, and their hashes are published', async ({page}) => {
	await goToInstances(page)
	const added = await beginInstance(page, 'hashes', null)
	await added.getByText('publishes a list for firewalls').click()
	await choose(page, 'Values', /^SHA-256/)
	await choose(page, 'File lists of', /^Test tenant/)
	await push(added, 'Choose by name')
	const lists = added.getByRole('checkbox', {name: /(simple custom detections|application blocking)$/})
	await isShown(lists.nth(1))
	for (const name of await lists.evaluateAll(all => all.map(each => each.closest('label')?.innerText ?? '')))
		await added
			.getByText(name.split('\n')[0] ?? '', {exact: false})
			.first()
			.click()
	await hasValue(field(added, 'File lists'), /^[0-9a-f-]{36}\n[0-9a-f-]{36}/)
	await save(page)
	await screenIs(page, 'hashes')
	await tab(page, 'Published').click()
	await says(page.getByRole('tabpanel'), /Values[1-9]/)
})

async function addParameter(page: Page, key: string, value: string) {
	await comboBox(page, 'Key').fill(key)
	// Leaves the field, so that its suggestions close.
	await press(page, 'Tab')
	await field(page, 'Value', true).fill(value)
	await push(page, /^(Add|Set)$/)
}

function parameter(page: Page, key: string) {
	const header = page.getByRole('rowheader', {name: key, exact: true})
	return tableRow(page).filter({has: header})
}

async function choose(page: Page, label: string, option: RegExp) {
	await push(form(page), new RegExp(label))
	await page.getByRole('option', {name: option}).click()
}
