import {expect, test, usualSetup} from './fixtures.ts'
import {computers, listIsRead} from './screens.ts'

test.describe('without a connection', () => {
	test.use({setup: {...usualSetup, connection: 'none', console: ['--sandbox-computers', '120']}})

	test('opens on the sandbox, says so, and offers to connect a real service', async ({page}) => {
		await listIsRead(page)
		await expect(page.getByText('Sandbox: simulated computers only.')).toBeVisible()
		await expect(page.getByRole('main').getByText('120 computers')).toBeVisible()
		await page.getByRole('button', {name: 'Connect your service'}).click()
		const form = page.getByRole('dialog', {name: 'Connect your service'})
		await expect(form.getByRole('textbox', {name: 'Name'})).toBeFocused()
		await page.keyboard.press('Escape')
		await expect(form).toBeHidden()
	})

	test('the frame names the tenant, the mode and the API limit', async ({page}) => {
		await expect(page.getByRole('button', {name: /^Connection: .*Sandbox/})).toBeVisible()
		await expect(page.getByRole('button', {name: 'Mode: read-write'})).toBeVisible()
		await expect(page.getByRole('banner')).toContainText(/[\d,]+ of [\d,]+ calls left · resets in [\d:]+/)
		await expect(page).toHaveTitle(/Sandbox · Cordon$/)
	})
})

test.describe('with --no-sandbox', () => {
	test.use({setup: {...usualSetup, connection: 'none', console: ['--no-sandbox']}})

	test('opens on the connect form, and the first connection leads to its computers', async ({page, service}) => {
		await expect(page.getByRole('heading', {name: 'Connect your service', level: 1})).toBeVisible()
		await expect(page.getByText('sandbox tenant')).toBeHidden()
		await page.getByRole('textbox', {name: 'Name'}).fill('Acme')
		await page.getByRole('combobox', {name: 'Server URL'}).fill(service.url)
		await page.keyboard.press('Tab')
		await page.getByRole('textbox', {name: 'Client ID'}).fill(service.clientId)
		await page.getByRole('button', {name: 'Connect', exact: true}).click()
		await expect(page.getByText('Type or paste the API key')).toBeVisible()
		await page.getByRole('textbox', {name: 'API key'}).fill(service.apiKey)
		await page.getByRole('button', {name: 'Connect', exact: true}).click()
		await listIsRead(page)
		await expect(computers(page).getByRole('row')).not.toHaveCount(0)
		await expect(page.getByRole('button', {name: 'Connection: Acme · Production'})).toBeVisible()
		await expect(page.getByRole('button', {name: 'Mode: read-only'})).toBeVisible()
	})
})
