import {join} from 'node:path'

import {expect, test, usualSetup} from './fixtures.ts'
import {attention, goToOverview} from './overview.ts'
import {
	alert,
	areListed,
	askToIsolate,
	button,
	dialog,
	dialogSays,
	expectIsolation,
	field,
	filterBox,
	link,
	listIsRead,
	main,
	openComputer,
	option,
	press,
	receipt,
	tableRow,
	screenIs,
	shows,
	isShown,
	isHidden,
	isFocused,
	says,
	reads,
	push
} from './screens.ts'

test.describe('a wrong API key', () => {
	test.use({setup: {...usualSetup, connection: 'wrong-key'}})

	test('is told on every screen, and replacing the key loads the list', async ({page, app, service}) => {
		await shows(page, 'Could not load the computers')
		// An unknown value is no number: neither in the age bars nor in the facets.
		const ages = page.getByRole('toolbar', {name: 'Last seen'})
		await reads(button(ages).first(), /^< 1 h \?$/)
		await reads(button(ages).last(), /^never \?$/)
		await shows(page, 'Not known: the list has not been loaded yet.')
		const failure = (what: string) => alert(page).filter({hasText: `Could not load the ${what}`})
		await link(page, 'Groups', true).click()
		await says(failure('groups'), /client ID or API key/i)
		await link(page, 'Policies', true).click()
		await isShown(failure('policies'))
		await press(page, 'g', 'f')
		await isShown(failure('file lists'))
		const other = ['--client-id', service.readOnlyClientId, '--api-key-file', join(app.profile, '..', 'api-key')]
		expect((await app.cli('connections', 'add', 'Other', '--server', service.url, ...other)).code).toBe(0)
		await goToOverview(page)
		await says(tableRow(page, /^Test tenant/), 'The computers have not been loaded yet')
		await link(attention(page), /rejects the key/).click()
		await isShown(dialog(page).getByLabel(/API key/))
		await press(page, 'Escape')
		await link(page, /^Computers/).click()

		const banner = main(page).getByText(/Client ID or API key rejected/)
		await isShown(banner.first())
		await push(page, 'Replace key')
		const form = dialog(page, 'Change Test tenant')
		const key = field(form, 'API key')
		await isFocused(key)
		await expect(key).toHaveValue('')
		await expect(key).toHaveAttribute('type', 'password')
		await key.fill(service.apiKey)
		await push(form, 'Save')
		await isHidden(form)
		// Back on the screen that told it.
		await screenIs(page, 'Computers')
		await listIsRead(page)
		await expect(banner).toHaveCount(0)
	})
})

test('a key revoked later leaves the last list readable', async ({listed: page, service}) => {
	await service.weather('* /v1/*=status:401')
	await push(page, 'Refresh')
	await isShown(button(page, 'Replace key'))
	await areListed(page)
	await filterBox(page).fill('name:FIN-')
	await isShown(tableRow(page, /^FIN-/).first())
	await press(page, 'Escape', 'Control+k')
	await says(option(page).first(), 'Replace the API key…')
	await says(option(page).first(), 'Client ID or API key rejected')
	await press(page, 'Enter')
	await isFocused(dialog(page, 'Change Test tenant').getByLabel('API key'))
})

test.describe('a read-only API key', () => {
	test.use({setup: {...usualSetup, connection: 'read-only-key'}})

	test('is refused by the service, with the reason, and the state does not change', async ({page}) => {
		await openComputer(page, 'FIN-LT-0231')
		const confirm = await askToIsolate(page, 'FIN-LT-0231', 'Beaconing')
		await confirm.click()
		await dialogSays(page, /This API key lacks permission/)
		await press(page, 'Escape')
		await expectIsolation(page, 'not_isolated')
		await says(receipt(page, 'refused'), /This API key lacks permission/)
	})
})
