import {isSettled} from './stage.mjs'

export async function showLog({page, go, picture, look, wide}) {
	await go('/log')
	const list = page.getByRole('grid', {name: 'Incident log'})
	await list.getByRole('row').nth(1).click()
	await page.keyboard.press('Shift+V')
	await page.getByRole('status').filter({hasText: 'Hash chain intact'}).waitFor()
	const change = list
		.getByRole('row')
		.filter({hasText: /isolation/i})
		.first()
	// Beside the links to its objects.
	const row = (await change.count()) > 0 ? change : list.getByRole('row').nth(1)
	await row.click({position: {x: 8, y: 8}})
	await page.keyboard.press('Enter')
	await page.getByRole('complementary', {name: 'Entry at the cursor'}).waitFor()
	await picture('incident-log')
	await wide('incident-log-wide')
	await go('/log?surface=cli')
	await page.getByText('No entry matches').waitFor()
	await look('incident-log-none', ['light'])
}

export async function showCommandLine({page, go, picture, look, wide}) {
	await go('/command-line')
	const line = page.getByRole('combobox', {name: 'Command line'})
	await page.getByText('Nothing has been run yet').waitFor()
	await look('command-line-before')
	await line.fill('svc_get_version')
	await line.press('Enter')
	await page.getByRole('article').nth(0).getByText('✓ done').waitFor()
	await line.fill('svc_get_computers limit=6 hostname=FIN-')
	await line.press('Enter')
	await page.getByRole('article').nth(1).getByRole('row').nth(1).waitFor()
	await picture('command-line-screen')
	await wide('command-line-wide')
	await line.fill('svc_put_comp')
	await page.getByRole('option').first().waitFor()
	await look('command-line-completion', ['light'])
	await go('/computers')
	await page.getByRole('button', {name: 'Command line', exact: true}).click()
	await line.fill('!svc_get_groups limit=4')
	await line.press('Enter')
	await page.getByRole('region', {name: 'Command line'}).getByRole('row').nth(1).waitFor()
	await picture('command-line')
}

export async function showConnections({page, go, picture, look, wide}) {
	await go('/connections')
	await page.getByRole('heading', {name: 'Connections', level: 1}).waitFor()
	await page.getByRole('button', {name: /^Test/}).first().click()
	await page.waitForTimeout(3000)
	await picture('connections')
	await wide('connections-wide')
	await page
		.getByRole('button', {name: /guard rules/i})
		.first()
		.click()
	await page.getByRole('dialog').waitFor()
	await look('guard-rules')
	await page.keyboard.press('Escape')
	await page.getByRole('dialog').waitFor({state: 'hidden'})
}

export async function showSettings({page, go, picture, look, wide}) {
	await go('/settings')
	await page.getByRole('heading', {name: 'Settings', level: 1}).waitFor()
	await page.waitForTimeout(1000)
	await picture('settings')
	await wide('settings-wide')
	await go('/unlock-codes')
	await page.getByRole('heading', {level: 1}).waitFor()
	await look('unlock-codes')
}

export async function showPalette({page, go, picture, look}) {
	await go('/computers')
	await page.getByRole('grid', {name: 'Computers'}).getByRole('row').nth(3).waitFor()
	await page.keyboard.press('?')
	await page.getByRole('dialog').waitFor()
	await picture('keys')
	await page.keyboard.press('Escape')
	await page.getByRole('dialog').waitFor({state: 'hidden'})
	await page.keyboard.press('Control+k')
	const box = page.getByRole('combobox', {name: 'Search computers, groups and commands'})
	await box.waitFor()
	await look('palette-empty', ['light'])
	await box.fill('fin')
	await page.getByRole('option').first().waitFor()
	await picture('palette')
	await page.keyboard.press('Escape')
	await box.waitFor({state: 'hidden'})
}

export async function showPlaybooks({page, go, picture, look, wide}) {
	await go('/playbooks')
	await page.getByRole('button', {name: 'Start Contain an endpoint'}).waitFor()
	await picture('playbooks')
	await wide('playbooks-wide')
	await page.getByRole('button', {name: 'Start Contain an endpoint'}).click()
	await look('playbook-start')
	await page.getByRole('textbox', {name: 'Computer: host name or GUID'}).fill('FIN-LT-0231')
	await page.getByRole('textbox', {name: 'Reason for the incident log'}).fill('Beaconing')
	await page.getByRole('button', {name: 'Start playbook'}).click()
	await page.getByRole('region', {name: 'Question: Ask for approval'}).waitFor()
	await picture('playbook-run')
	await wide('playbook-run-wide')
	await page.getByRole('button', {name: 'List', exact: true}).click()
	await look('playbook-run-list')
	for (const screen of ['approvals', 'automation']) {
		await go(`/${screen}`)
		await page.getByRole('heading', {level: 1}).waitFor()
		await isSettled(page)
		await picture(screen)
		await wide(`${screen}-wide`)
	}
}
