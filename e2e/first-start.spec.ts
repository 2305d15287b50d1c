import {screens} from '#model/screens.ts'

import {expect, test, usualSetup} from './fixtures.ts'
import {goTo} from './jobs.ts'
import {
	button,
	comboBox,
	computers,
	dialog,
	field,
	grid,
	listIsRead,
	main,
	press,
	tableRow,
	screenIs,
	title,
	shows,
	isShown,
	isHidden,
	isFocused,
	says,
	push
} from './screens.ts'

test.describe('without a connection', () => {
	test.use({setup: {...usualSetup, connection: 'none', console: ['--sandbox-computers', '120']}})

	test('opens on the sandbox, says so, and offers to connect a real service', async ({page, app}) => {
		// The fixture has been on another screen.
		await listIsRead(page)
		await page.evaluate(() => localStorage.clear())
		await page.goto(`http://127.0.0.1:${app.port()}/`)
		await screenIs(page, 'Overview')
		await listIsRead(page)
		// The next start is where the last one ended.
		await page.goto(`http://127.0.0.1:${app.port()}/`)
		await screenIs(page, 'Computers')
		await shows(page, 'Sandbox: simulated computers only.')
		await shows(main(page), '120 computers')
		await push(page, 'Connect your service')
		const form = dialog(page, 'Connect your service')
		await isFocused(field(form, 'Name'))
		await press(page, 'Escape')
		await isHidden(form)
	})

	test('an address that comes during the start is followed', async ({page, app}) => {
		for (const after of [0, 20, 40, 60, 80, 100, 130, 160, 200, 300]) {
			await page.evaluate(() => localStorage.clear())
			await page.goto('about:blank')
			await page.goto(`http://127.0.0.1:${app.port()}/`, {waitUntil: 'commit'})
			await page.evaluate(ms => setTimeout(() => (location.hash = '/file-lists'), ms), after)
			await expect(title(page, 'File lists'), `${after} ms after the page`).toBeVisible()
			await expect(page).toHaveURL(/\/file-lists$/)
		}
	})

	test('the frame names the tenant, the mode and the API limit', async ({page}) => {
		await isShown(button(page, /^Connection: .*Sandbox/))
		await isShown(button(page, 'Mode: read-write'))
		await says(page.getByRole('banner'), /[\d,]+ of [\d,]+ calls left · resets in [\d:]+/)
		await expect(page).toHaveTitle(/Sandbox · Cordon$/)
	})
})

test.describe('with --no-sandbox', () => {
	test.use({setup: {...usualSetup, connection: 'none', console: ['--no-sandbox']}})

	test('opens on the connect form, and the first connection leads to its computers', async ({page, service}) => {
		await screenIs(page, 'Connect your service')
		await isHidden(page.getByText('sandbox tenant'))
		await field(page, 'Name').fill('Acme')
		await comboBox(page, 'Server URL').fill(service.url)
		await press(page, 'Tab')
		await field(page, 'Client ID').fill(service.clientId)
		await push(page, 'Connect', true)
		await shows(page, 'Type or paste the API key')
		await field(page, 'API key').fill(service.apiKey)
		await push(page, 'Connect', true)
		await listIsRead(page)
		await expect(tableRow(computers(page))).not.toHaveCount(0)
		await isShown(button(page, 'Connection: Acme · Production'))
		await isShown(button(page, 'Mode: read-only'))
	})

	test('every screen shows itself or the connect form, and none fails', async ({page}) => {
		await screenIs(page, 'Connect your service')
		for (const {path, title: own, needsConnection} of screens) {
			await goTo(page, path)
			const shown = needsConnection === true ? 'Connect your service' : own
			await expect(title(page, new RegExp(shown)), path).toBeVisible()
		}
		// What was done here is told without any connection, too.
		await goTo(page, '/log')
		await expect(tableRow(grid(page, 'Incident log'))).not.toHaveCount(0)
	})
})
