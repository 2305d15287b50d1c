import {readdir, readFile} from 'node:fs/promises'
import {join} from 'node:path'

import type {Locator, Page} from '@playwright/test'

import {expect, test, usualSetup} from './fixtures.ts'
import {test as shared} from './house.ts'
import {
	alert,
	areListed,
	button,
	comboBox,
	decide,
	dialog,
	dialogIsGone,
	field,
	link,
	list,
	listIsRead,
	listItem,
	lockFiles,
	press,
	region,
	runLine,
	pressIn,
	isShown,
	isHidden,
	isFocused,
	says,
	reads,
	thereAre,
	push
} from './screens.ts'

const stages = (page: Page) => list(page, 'Result of the test')

async function fillIn(form: Locator, {url, clientId, apiKey}: {url: string; clientId: string; apiKey: string}) {
	await field(form, 'Name').fill('Acme')
	await comboBox(form, 'Server URL').fill(url)
	await press(form.page(), 'Tab')
	await field(form, 'Client ID').fill(clientId)
	await field(form, 'API key').fill(apiKey)
}

test.describe('without a connection of my own', () => {
	test.use({setup: {...usualSetup, connection: 'none', console: ['--sandbox-computers', '60']}})

	test('a connection is added, tested in stages, used, changed and removed', async ({listed: page, service}) => {
		await push(page, 'Connect your service')
		const form = dialog(page, 'Connect your service')
		for (const name of ['Test', 'Connect']) {
			await push(form, name, true)
			await says(form, 'The name is empty.')
			await expect(field(form, 'Name')).toHaveAttribute('aria-invalid', 'true')
		}
		await fillIn(form, {...service, url: 'http://service.example'})
		await push(form, 'Connect', true)
		await says(form, /http/i)
		await isShown(form)

		await comboBox(form, 'Server URL').fill(service.url)
		await press(page, 'Tab')
		await push(form, 'Test', true)
		await expect(stages(page)).toHaveAttribute('aria-busy', 'false')
		await thereAre(listItem(stages(page)), 9)
		await thereAre(stages(page).getByRole('img', {name: 'failed'}), 0)
		await says(stages(page), /v1/)
		await push(form, 'Connect', true)
		await isHidden(form)
		await isShown(button(page, 'Connection: Acme · Production'))
		await areListed(page)

		await link(page, /^Connections/).click()
		await push(page, 'Change Acme')
		const change = dialog(page, 'Change Acme')
		await expect(field(change, 'API key')).toHaveValue('')
		const elsewhere = change.getByText('Another address or client ID')
		await field(change, 'Client ID').fill('another')
		await isShown(elsewhere)
		await field(change, 'Client ID').fill(service.clientId)
		await isHidden(elsewhere)
		// The network of its own: a proxy is for https, and an authority is a certificate.
		await push(change, /^Network/)
		await change.getByText('This one', {exact: true}).click()
		await field(change, 'Address of the proxy').fill('http://proxy.example:3128')
		await push(change, 'Save')
		await says(change, 'is for https: servers')
		await change.getByText('Follow the system', {exact: true}).click()
		await field(change, 'Certificate authorities (PEM)').fill('not a certificate')
		await push(change, 'Save')
		await says(change, 'hold no certificate')
		await field(change, 'Certificate authorities (PEM)').fill('')
		await change.getByText('Test', {exact: true}).first().click()
		await change.getByText('Read-only: nothing can be changed').click()
		await push(change, 'Save')
		// One tick does not open production.
		await isFocused(field(change, 'Why it becomes read-write'))
		await field(change, 'Why it becomes read-write').fill('CHG-7: patch night')
		await push(change, 'Save')
		await isFocused(field(change, 'Type Acme to confirm'))
		await field(change, 'Type Acme to confirm').fill('Acme')
		await push(change, 'Save')
		await isHidden(change)
		await isShown(button(page, 'Connection: Acme · Test'))
		await isShown(button(page, 'Mode: read-write'))

		await pressIn(button(page, 'Guard rules of Acme'), 't')
		const card = listItem(page, 'Acme')
		await thereAre(listItem(card), 9)
		const starts = card.locator('b + span').evaluateAll(all => new Set(all.map(one => one.getBoundingClientRect().x)).size)
		expect(await starts, 'below one another').toBe(1)
		await push(page, 'Remove Acme')
		await isFocused(button(dialog(page), 'Cancel'))
		await decide(page, 'Remove Acme')
		await dialogIsGone(page)
		await isHidden(listItem(page, 'Acme'))
		await isShown(button(page, /^Connection: .*Sandbox/))
	})

	test('a form that is closed while it is saved leads nowhere', async ({listed: page, app, service}) => {
		await push(page, 'Connect your service')
		await fillIn(dialog(page), service)
		const {pid} = app.process()
		process.kill(pid, 'SIGSTOP')
		try {
			await decide(page, 'Connect', true)
			await press(page, 'Escape')
			await dialogIsGone(page)
		} finally {
			process.kill(pid, 'SIGCONT')
		}
		await isShown(listItem(page, 'Acme'))
		await isShown(button(page, /^Connection: .*Sandbox/))
	})

	test('an API key appears in no frame but the ones that bring it, in no log, file or document', async ({page, service, app}) => {
		const frames: {from: 'page' | 'host'; text: string}[] = []
		page.on('websocket', socket => {
			socket.on('framesent', ({payload}) => frames.push({from: 'page', text: String(payload)}))
			socket.on('framereceived', ({payload}) => frames.push({from: 'host', text: String(payload)}))
		})
		await page.reload()
		await listIsRead(page)
		await push(page, 'Connect your service')
		const form = dialog(page, 'Connect your service')
		await fillIn(form, service)
		await form.getByText('Read-only: nothing can be changed').click()
		await push(form, 'Connect', true)
		await isHidden(form)
		await areListed(page)

		await runLine(page, 'svc_get_version')
		await service.weather('GET /v1/version=status:401')
		await runLine(page, 'svc_get_version')
		await says(alert(region(page, 'Command line')), 'client ID')
		await service.weather()
		await link(page, /^Connections/).click()
		await push(page, 'Test Acme')
		await expect(stages(page)).toHaveAttribute('aria-busy', 'false')
		await push(page, 'Change Acme')
		await isShown(dialog(page, 'Change Acme'))

		const forms = formsOf(service.apiKey, service.clientId)
		const holds = (text: string) => forms.some(each => text.includes(each))
		expect(frames.length).toBeGreaterThan(10)
		expect(frames.filter(({from, text}) => from === 'page' && holds(text))).toHaveLength(1)
		expect(frames.filter(({from, text}) => from === 'host' && holds(text))).toEqual([])
		expect(holds(await page.content())).toBe(false)
		const log = await app.cli('log', '--json', '--limit', '1000')
		expect(holds(log.stdout)).toBe(false)
		await page.goto('about:blank')
		await app.stop()
		expect(holds(app.process().said())).toBe(false)
		const files = await filesUnder(app.profile)
		expect(files.length).toBeGreaterThan(1)
		for (const file of files) expect(holds(await readFile(file, 'latin1')), file).toBe(false)
	})
})

test('Test names the failed stage and skips the ones after it', async ({listed: page, service}) => {
	await link(page, /^Connections/).click()
	await service.stop()
	await push(page, 'Test Test tenant')
	await expect(stages(page)).toHaveAttribute('aria-busy', 'false')
	await isShown(listItem(stages(page)).filter({hasText: 'refused'}).getByRole('img', {name: 'failed'}))
	await isShown(stages(page).getByRole('img', {name: 'skipped'}).first())
})

shared('a file that cannot be opened is named, and no earlier one is shown for it', async ({page}) => {
	await link(page, /^Connections/).click()
	await push(page, 'Import…')
	const choose = (name: string) => dialog(page).locator('input[type=file]').setInputFiles({name, mimeType: '', buffer: Buffer.of()})
	await choose('none.json')
	await isShown(alert(dialog(page)))
	await lockFiles(page)
	await choose('locked.json')
	await reads(alert(dialog(page)), 'locked.json could not be opened.')
	await press(page, 'Escape')
	await push(page, 'Connect your service…')
	await decide(page, /^Network/)
	const name = `${'locked'.repeat(40)}.pem`
	await choose(name)
	await reads(alert(dialog(page)), `${name} could not be opened.`)
	const [told, around] = [await alert(dialog(page)).boundingBox(), await dialog(page).boundingBox()]
	expect(told?.width).toBeLessThan(around?.width ?? 0)
	await field(dialog(page), /^Certificate authorities/).fill('pasted')
	await isHidden(alert(dialog(page)))
})

/** A key's forms: in a header, in a URL, in hexadecimal and in the clear. */
function formsOf(key: string, clientId: string) {
	const basic = Buffer.from(`${clientId}:${key}`).toString('base64')
	return [key, basic, Buffer.from(key).toString('base64').slice(0, 40), Buffer.from(key).toString('hex')]
}

async function filesUnder(folder: string) {
	const entries = await readdir(folder, {recursive: true, withFileTypes: true})
	return entries.filter(entry => entry.isFile()).map(entry => join(entry.parentPath, entry.name))
}
