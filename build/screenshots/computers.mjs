import {listIsRead, openComputer, rowOf, small} from './stage.mjs'

/** An online workstation of the default seed's tenant, the README's first isolation too. */
const hostname = 'FIN-LT-0231'
const second = 'FIN-SRV-014'

export async function showComputers(stage) {
	const {page, picture, look, wide, go} = stage
	const list = page.getByRole('grid', {name: 'Computers'})
	await go('/computers')
	await listIsRead(page)
	await list
		.getByRole('row', {name: /isolation:/})
		.nth(3)
		.waitFor()
	await look('computers-all')
	await filter(page, 'compromised:yes')
	await rowOf(page, hostname).click()
	await peek(page).waitFor()
	await picture('computers')
	await wide('computers-wide')
	await page.keyboard.press('Escape')
	await filter(page, 'group:Finance last_seen<1h')
	await list.focus()
	for (const key of ['j', 'x', 'j', 'x', 'j', 'x']) await page.keyboard.press(key)
	await look('computers-selection')
	for (const [key, name] of [
		['c', 'columns'],
		['l', 'labels'],
		['e', 'export']
	]) {
		await list.focus()
		await page.keyboard.press(key)
		await page.getByRole('dialog').first().waitFor()
		await look(`computers-${name}`, ['light'])
		await page.keyboard.press('Escape')
		await page.getByRole('dialog').first().waitFor({state: 'hidden'})
	}
	await go('/computers?filter=name%3Anobody-has-this')
	await page
		.getByRole('button', {name: /^Show all/})
		.first()
		.waitFor()
	await picture('computers-none', ['light'])
}

export async function showComputer(stage) {
	const {page, picture, look, wide} = stage
	await openComputer(stage, hostname)
	await page.getByRole('grid', {name: 'Events of this computer'}).getByRole('row').nth(1).waitFor()
	await picture('computer')
	await wide('computer-wide')
	await page.keyboard.press('4')
	await page.getByRole('button', {name: 'Query again · 1 call'}).waitFor()
	await look('computer-vulnerabilities')
	await page.keyboard.press('5')
	await look('computer-record', ['light'])
	await page.keyboard.press('3')
	await look('computer-log', ['light'])
}

export async function showTrajectory(stage) {
	const {page, picture, look, wide} = stage
	await openComputer(stage, hostname)
	await page.keyboard.press('2')
	await look('trajectory-before', ['light'])
	await page.getByRole('button', {name: /^Load .*1 call$/}).click()
	await page.getByRole('button', {name: 'Refresh · 1 call'}).waitFor()
	const lanes = page.getByRole('application', {name: 'Trajectory of'})
	await lanes.focus()
	for (const key of ['h', ']', ']', 'Enter']) await page.keyboard.press(key)
	await page.getByRole('complementary', {name: 'Event at the cursor'}).getByText('All fields').waitFor()
	await picture('trajectory')
	await wide('trajectory-wide')
	await page.keyboard.press('Escape')
	await page.getByRole('button', {name: 'Compare with…'}).click()
	await page.getByRole('combobox', {name: 'Add a computer to the timeline'}).fill(second)
	await page.getByRole('option', {name: new RegExp(`^${second}`)}).click()
	await page.getByRole('button', {name: `Load · 1 call for the trajectory of ${second}`}).click()
	await page.getByText(/files? ⇄ on more than one/).waitFor()
	await picture('trajectory-compare')
	await lanes.focus()
	await page.keyboard.press('t')
	await look('trajectory-table')
}

export async function showIsolation(stage) {
	const {page, go, picture, look} = stage
	await openComputer(stage, hostname)
	await page.getByRole('button', {name: 'Isolate…'}).click()
	const dialog = page.getByRole('dialog')
	await dialog.getByRole('textbox', {name: 'Reason'}).fill('Beaconing to 203.0.113.66')
	await dialog.getByText('Now: not isolated').waitFor()
	await picture('isolate-dialog')
	await dialog.getByRole('button', {name: new RegExp(`^Isolate ${hostname} in`)}).click()
	await dialog.waitFor({state: 'hidden'})
	await page.getByText('waiting for the agent').waitFor()
	await picture('computer-pending', ['light'])
	await page.getByRole('main').getByRole('img', {name: 'Isolation: isolated'}).first().waitFor()
	await picture('computer-isolated')
	await go('/computers?filter=group%3AFinance+last_seen%3C7d&sort=isolation')
	await rowOf(page, hostname).click()
	await peek(page)
		.getByText(/^confirmed/i)
		.first()
		.waitFor()
	await page.setViewportSize({width: 1440, height: 900})
	await picture('computers-large')
	await page.setViewportSize(small)
	await openComputer(stage, hostname)
	await page.getByRole('button', {name: 'Release…'}).click()
	await dialog.getByRole('textbox', {name: 'Reason'}).fill('Host is clean')
	await dialog.getByText(/^Now: /).waitFor()
	await look('release-dialog')
	await dialog.getByRole('button', {name: new RegExp(`^Release ${hostname} in`)}).click()
	await dialog.waitFor({state: 'hidden'})
	await page.getByRole('main').getByRole('img', {name: 'Isolation: not isolated'}).first().waitFor()
	await look('computer-released', ['light'])
}

async function filter(page, text) {
	await page.getByRole('searchbox', {name: 'Filter the computers'}).fill(text)
	await page
		.getByRole('row', {name: /^FIN-LT-/})
		.first()
		.waitFor()
}

function peek(page) {
	return page
		.getByRole('complementary')
		.filter({has: page.getByRole('heading', {level: 2})})
		.last()
}
