import {hasNoViolations} from './axe.ts'
import {expect, test} from './house.ts'
import {goTo} from './jobs.ts'
import {dialog} from './screens.ts'

test.use({houseName: 'automation'})

test('a program gets in with a token that is shown once, until it is revoked', async ({page}) => {
	await goTo(page, '/automation')
	await hasNoViolations(page)
	await page.getByRole('textbox', {name: 'Port'}).fill('0')
	await page.getByRole('button', {name: 'Switch API on'}).click()
	const api = page.getByRole('region', {name: 'Local API', exact: true})
	await expect(api).toContainText('http://127.0.0.1:')
	await page.getByRole('button', {name: 'Test API'}).click()
	await expect(api).toContainText('It answered.')
	await page.getByRole('button', {name: 'Create token…'}).click()
	await hasNoViolations(page)
	await dialog(page).getByRole('textbox', {name: 'Name'}).fill('soar')
	await dialog(page).getByRole('button', {name: 'Create token'}).click()
	const tokens = page.getByRole('region', {name: 'Tokens'})
	const token = /cordon_[\w-]+/.exec(await tokens.innerText())?.[0] ?? ''
	const address = /http:\S+/.exec(await api.innerText())?.[0] ?? ''
	const ask = () => fetch(`${address}/api/v1/version`, {headers: {authorization: `Bearer ${token}`}})
	expect((await ask()).status).toBe(200)
	await hasNoViolations(page)
	await page.getByRole('button', {name: 'Revoke soar'}).click()
	await expect(page.getByRole('row').filter({hasText: 'soar'})).toContainText('revoked')
	expect((await ask()).status).toBe(401)
})

test('an assistant is enabled with its permissions, and disabled', async ({page}) => {
	await goTo(page, '/automation')
	const assistants = page.getByRole('region', {name: 'Assistants', exact: true})
	await assistants.getByRole('button', {name: 'Enable assistant…'}).click()
	await dialog(page).getByRole('textbox', {name: 'Name'}).fill('helper')
	await dialog(page).getByRole('button', {name: 'Scope'}).click()
	await page.getByRole('option', {name: 'Read and propose changes'}).click()
	await hasNoViolations(page)
	await dialog(page).getByRole('button', {name: 'Enable assistant'}).click()
	await expect(assistants).toContainText(/cordon mcp helper.*cordon_[\w-]{43}/s)
	const row = assistants.getByRole('row').filter({hasText: 'helper'})
	await expect(row).toContainText('read, propose')
	await expect(row).toContainText('never')
	await hasNoViolations(page)
	await assistants.getByRole('button', {name: 'Disable helper'}).click()
	await expect(row).toContainText('revoked')
})

test('a read is tried without a token', async ({page}) => {
	await goTo(page, '/automation')
	const reference = page.getByRole('region', {name: 'Reference of the local API'})
	await expect(reference).toContainText('/api/v1/computers/{connector_guid}/isolation')
	await reference.getByRole('textbox', {name: 'limit'}).fill('1')
	await reference.getByRole('button', {name: 'Try operation'}).click()
	await expect(reference.getByLabel('Answer', {exact: true})).toContainText('"command": "svc_get_computers"')
	await hasNoViolations(page)
})
