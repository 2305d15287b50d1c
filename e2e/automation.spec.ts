import {hasNoViolations} from './axe.ts'
import {expect, test} from './house.ts'
import {goTo} from './jobs.ts'
import {button, dialog, field, region} from './screens.ts'

test.use({houseName: 'automation'})

test('a program gets in with a token that is shown once, until it is revoked', async ({page}) => {
	await goTo(page, '/automation')
	await hasNoViolations(page)
	await field(page, 'Port').fill('0')
	await button(page, 'Switch API on').click()
	const api = region(page, 'Local API', true)
	await expect(api).toContainText('http://127.0.0.1:')
	await button(page, 'Test API').click()
	await expect(api).toContainText('It answered.')
	await button(page, 'Create token…').click()
	await hasNoViolations(page)
	await field(dialog(page), 'Name').fill('soar')
	await button(dialog(page), 'Create token').click()
	const tokens = region(page, 'Tokens')
	await expect(tokens).toContainText('cordon_')
	const token = /cordon_[\w-]+/.exec(await tokens.innerText())?.[0] ?? ''
	const address = /http:\S+/.exec(await api.innerText())?.[0] ?? ''
	const ask = () => fetch(`${address}/api/v1/version`, {headers: {authorization: `Bearer ${token}`}})
	expect((await ask()).status).toBe(200)
	await button(page, 'Test soar').click()
	await expect(tokens).toContainText(/soar is live.* It reaches Test tenant\./)
	await hasNoViolations(page)
	await button(page, 'Revoke soar').click()
	await expect(page.getByRole('row').filter({hasText: 'soar'})).toContainText('revoked')
	expect((await ask()).status).toBe(401)
	await button(page, 'Test soar').click()
	await expect(tokens).toContainText(/soar is revoked.* 401/)
})

test('an assistant is enabled with its permissions, and disabled', async ({page}) => {
	await goTo(page, '/automation')
	const assistants = region(page, 'Assistants', true)
	await button(assistants, 'Enable assistant…').click()
	await field(dialog(page), 'Name').fill('helper')
	await button(dialog(page), 'Scope').click()
	await page.getByRole('option', {name: 'Read and propose changes'}).click()
	await hasNoViolations(page)
	await button(dialog(page), 'Enable assistant').click()
	await expect(assistants).toContainText(/cordon mcp helper.*cordon_[\w-]{43}/s)
	const row = assistants.getByRole('row').filter({hasText: 'helper'})
	await expect(row).toContainText('read, propose')
	await button(assistants, 'Test helper').click()
	await expect(assistants).toContainText('helper is live')
	await expect(row).toContainText('never')
	await hasNoViolations(page)
	await button(assistants, 'Disable helper').click()
	await expect(row).toContainText('revoked')
})

test('a read is tried without a token', async ({page}) => {
	await goTo(page, '/automation')
	const reference = region(page, 'Reference of the local API')
	await expect(reference).toContainText('/api/v1/computers/{connector_guid}/isolation')
	await field(reference, 'limit').fill('1')
	await button(reference, 'Try operation').click()
	await expect(reference.getByLabel('Answer', {exact: true})).toContainText('"command": "svc_get_computers"')
	await hasNoViolations(page)
})
