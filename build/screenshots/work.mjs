import {article, aside, button, comboBox, dialog, field, grid, option, region, tableRow, title} from './roles.mjs'
import {isSettled} from './stage.mjs'

export async function showLog({page, go, picture, look, wide}) {
	await go('/log')
	const list = grid(page, 'Incident log')
	await tableRow(list).nth(1).click()
	await page.keyboard.press('Shift+V')
	await page.getByRole('status').filter({hasText: 'Hash chain intact'}).waitFor()
	const change = tableRow(list)
		.filter({hasText: /isolation/i})
		.first()
	// Beside the links to its objects.
	const row = (await change.count()) > 0 ? change : tableRow(list).nth(1)
	await row.click({position: {x: 8, y: 8}})
	await page.keyboard.press('Enter')
	await aside(page, 'Entry at the cursor').waitFor()
	await picture('incident-log')
	await wide('incident-log-wide')
	await go('/log?surface=cli')
	await page.getByText('No entry matches').waitFor()
	await look('incident-log-none', ['light'])
}

export async function showCommandLine({page, go, picture, look, wide}) {
	await go('/command-line')
	const line = comboBox(page, 'Command line')
	await page.getByText('Nothing has been run yet').waitFor()
	await look('command-line-before')
	await line.fill('svc_get_version')
	await line.press('Enter')
	await article(page).nth(0).getByText('✓ done').waitFor()
	await line.fill('svc_get_computers limit=6 hostname=FIN-')
	await line.press('Enter')
	await tableRow(article(page).nth(1)).nth(1).waitFor()
	await picture('command-line-screen')
	await wide('command-line-wide')
	await line.fill('svc_put_comp')
	await option(page).first().waitFor()
	await look('command-line-completion', ['light'])
	await go('/computers')
	await button(page, 'Command line', true).click()
	await line.fill('!svc_get_groups limit=4')
	await line.press('Enter')
	await tableRow(region(page, 'Command line')).nth(1).waitFor()
	await picture('command-line')
}

export async function showConnections({page, go, picture, look, wide}) {
	await go('/connections')
	await title(page, 'Connections').waitFor()
	await button(page, /^Test/).first().click()
	await page.waitForTimeout(3000)
	await picture('connections')
	await wide('connections-wide')
	await button(page, /guard rules/i)
		.first()
		.click()
	await dialog(page).waitFor()
	await look('guard-rules')
	await page.keyboard.press('Escape')
	await dialog(page).waitFor({state: 'hidden'})
}

export async function showSettings({page, go, picture, look, wide}) {
	await go('/settings')
	await title(page, 'Settings').waitFor()
	await page.waitForTimeout(1000)
	await picture('settings')
	await wide('settings-wide')
	await go('/unlock-codes')
	await title(page).waitFor()
	await look('unlock-codes')
}

export async function showPalette({page, go, picture, look}) {
	await go('/computers')
	await tableRow(grid(page, 'Computers')).nth(3).waitFor()
	await page.keyboard.press('?')
	await dialog(page).waitFor()
	await picture('keys')
	await page.keyboard.press('Escape')
	await dialog(page).waitFor({state: 'hidden'})
	await page.keyboard.press('Control+k')
	const box = comboBox(page, 'Search computers, groups and commands')
	await box.waitFor()
	await look('palette-empty', ['light'])
	await box.fill('fin')
	await option(page).first().waitFor()
	await picture('palette')
	await page.keyboard.press('Escape')
	await box.waitFor({state: 'hidden'})
}

export async function showPlaybooks({page, go, picture, look, wide}) {
	await go('/playbooks')
	await button(page, 'Start Contain an endpoint').waitFor()
	await picture('playbooks')
	await wide('playbooks-wide')
	await button(page, 'Start Contain an endpoint').click()
	await look('playbook-start')
	await field(page, 'Computer: host name or GUID').fill('FIN-LT-0231')
	await field(page, 'Reason for the incident log').fill('Beaconing')
	await button(page, 'Start playbook').click()
	await region(page, 'Question: Ask for approval').waitFor()
	await picture('playbook-run')
	await wide('playbook-run-wide')
	await button(page, 'List', true).click()
	await look('playbook-run-list')
	for (const screen of ['approvals', 'automation']) {
		await go(`/${screen}`)
		await title(page).waitFor()
		await isSettled(page)
		await picture(screen)
		await wide(`${screen}-wide`)
	}
}
