import {aside, button, comboBox, field, grid, image, main, option, searchBox, tableRow} from './roles.mjs'
import {listIsRead, openComputer, rowOf, small} from './stage.mjs'

/** An online workstation of the default seed's tenant, the README's first isolation too. */
const hostname = 'FIN-LT-0231'
const second = 'FIN-SRV-014'

export async function showComputers(stage) {
	const {page, picture, look, wide, go} = stage
	const list = grid(page, 'Computers')
	await go('/computers')
	await listIsRead(page)
	await tableRow(list, /isolation:/)
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
	await button(page, /^Show all/)
		.first()
		.waitFor()
	await picture('computers-none', ['light'])
}

export async function showComputer(stage) {
	const {page, picture, look, wide} = stage
	await openComputer(stage, hostname)
	await tableRow(grid(page, 'Events of this computer')).nth(1).waitFor()
	await picture('computer')
	await wide('computer-wide')
	await page.keyboard.press('4')
	await button(page, 'Query again · 1 call').waitFor()
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
	await button(page, /^Load .*1 call$/).click()
	await button(page, 'Refresh · 1 call').waitFor()
	const lanes = page.getByRole('application', {name: 'Trajectory of'})
	await lanes.focus()
	for (const key of ['h', ']', ']', 'Enter']) await page.keyboard.press(key)
	await aside(page, 'Event at the cursor').getByText('All fields').waitFor()
	await picture('trajectory')
	await wide('trajectory-wide')
	await page.keyboard.press('Escape')
	await button(page, 'Compare with…').click()
	await comboBox(page, 'Add a computer to the timeline').fill(second)
	await option(page, new RegExp(`^${second}`)).click()
	await button(page, `Load · 1 call for the trajectory of ${second}`).click()
	await page.getByText(/files? ⇄ on more than one/).waitFor()
	await picture('trajectory-compare')
	await lanes.focus()
	await page.keyboard.press('t')
	await look('trajectory-table')
}

export async function showIsolation(stage) {
	const {page, go, picture, look} = stage
	await openComputer(stage, hostname)
	await button(page, 'Isolate…').click()
	const dialog = page.getByRole('dialog')
	await field(dialog, 'Reason').fill('Beaconing to 203.0.113.66')
	await dialog.getByText('Now: not isolated').waitFor()
	await picture('isolate-dialog')
	await button(dialog, new RegExp(`^Isolate ${hostname} in`)).click()
	await dialog.waitFor({state: 'hidden'})
	await page.getByText('waiting for the agent').waitFor()
	await picture('computer-pending', ['light'])
	await image(main(page), 'Isolation: isolated').first().waitFor()
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
	await button(page, 'Release…').click()
	await field(dialog, 'Reason').fill('Host is clean')
	await dialog.getByText(/^Now: /).waitFor()
	await look('release-dialog')
	await button(dialog, new RegExp(`^Release ${hostname} in`)).click()
	await dialog.waitFor({state: 'hidden'})
	await image(main(page), 'Isolation: not isolated').first().waitFor()
	await look('computer-released', ['light'])
}

async function filter(page, text) {
	await searchBox(page, 'Filter the computers').fill(text)
	await tableRow(page, /^FIN-LT-/)
		.first()
		.waitFor()
}

function peek(page) {
	return aside(page)
		.filter({has: page.getByRole('heading', {level: 2})})
		.last()
}
