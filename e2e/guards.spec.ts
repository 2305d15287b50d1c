import type {Page} from '@playwright/test'

import {hasNoViolations} from './axe.ts'
import {expect, test} from './house.ts'
import {
	askToIsolate,
	button,
	decide,
	dialog,
	dialogIsGone,
	dialogSays,
	expectIsolation,
	field,
	guidOf,
	isOff,
	link,
	openComputer,
	openGuardRules,
	press,
	reasonOf,
	region,
	release,
	status,
	tableRow,
	tenant,
	unfoldCodeAndLease,
	writesTo,
	shows,
	isShown,
	says,
	push,
	enter
} from './screens.ts'

// The tests isolate computers.
test.use({houseName: 'jobs'})

const workstation = 'FIN-LT-0231'
const server = 'HR-SRV-001'

/** From another screen. */
async function openAgain(page: Page) {
	await link(page, /^Computers/).click()
	await openComputer(page, workstation)
}

const noDialog = (page: Page) => dialogIsGone(page)

test('a server asks for its name, and says what it looks like', async ({page, service}) => {
	await openComputer(page, server)
	const confirm = await askToIsolate(page, server, 'Ransomware behaviour')
	await dialogSays(page, 'looks like: Server')
	const before = await writesTo(service)
	await confirm.click()
	await dialogSays(page, `Type ${server}.`)
	const name = field(dialog(page), `Type the name: ${server}`)
	await name.fill('HR-SRV-002')
	await confirm.click()
	await dialogSays(page, `This is not ${server}.`)
	expect(await writesTo(service)).toEqual(before)
	await name.fill(server.toLowerCase())
	await name.press('Enter')
	await isShown(dialog(page))
	await confirm.click()
	await noDialog(page)
	await expectIsolation(page, 'isolated')
	await release(page, server)
	await expectIsolation(page, 'not_isolated')
})

test('an isolation has a lease that counts down, changes and is handed over, and a code in the vault', async ({page, app}) => {
	await openComputer(page, workstation)
	const confirm = await askToIsolate(page, workstation, 'Beaconing')
	await enter(page, 'Ticket', 'INC-42')
	await unfoldCodeAndLease(page)
	await dialog(page).getByText('4 hours', {exact: true}).click()
	await dialogSays(page, /Cost: 9 calls of [\d,]+; [\d,]+ left this hour, plus 150 kept for releases/)
	await confirm.click()
	await noDialog(page)
	await expectIsolation(page, 'isolated')
	const main = page.getByRole('main')
	await shows(main, /lease: expires in 3 h/)

	await region(main, 'Isolation').getByText('Change…').click()
	await isShown(dialog(page))
	await hasNoViolations(page)
	await dialog(page).getByText('7 days', {exact: true}).click()
	await enter(page, 'Hand over to', 'Second shift')
	await enter(page, 'Handover note', 'wait for forensics')
	await decide(page, 'Save lease')
	await noDialog(page)
	await shows(main, /lease: expires in 6 d/)
	await shows(main, 'Second shift: wait for forensics')

	const guid = guidOf(page)
	await link(main, 'vault').click()
	// The newest first: an earlier test may have isolated it too.
	const row = tableRow(page).filter({hasText: workstation}).first()
	await says(row, 'accepted')
	await hasNoViolations(page)
	await push(row, `Reveal the code of ${workstation}`)
	await reasonOf(page).fill('Help desk on site')
	await decide(page, 'Reveal and log')
	const code = await status(dialog(page))
		.filter({hasText: /^[A-Z0-9]{16}$/})
		.textContent()
	expect(code).toMatch(/^[A-Z0-9]{16}$/)
	await dialogSays(page, 'From the vault of this computer')
	await decide(page, 'Done')
	await expect(page.getByText(code ?? 'no code')).toHaveCount(0)

	const log = await app.cli('log', '--json', '--target', guid)
	for (const said of ['INC-42', 'Help desk on site', 'handed over from']) expect(log.stdout).toContain(said)
	expect(log.stdout).not.toContain(code)
	await link(page, /^Connections/).click()
	await push(page, 'Remove Test tenant')
	await dialogSays(page, /Active isolations: \d+\..* neither releases nor follows/)
	await decide(page, 'Cancel')
	await openAgain(page)
	await release(page, workstation)
})

test("guard rules have examples, are changed with the connection's name, and hold for command lines", async ({page, app, service}) => {
	await openComputer(page, workstation)
	const guid = guidOf(page)
	await openGuardRules(page)
	const table = dialog(page).getByRole('table')
	await says(tableRow(table).filter({hasText: '100 workstations'}), 'the number 100 is typed')
	await enter(page, 'Host names', `${workstation.slice(0, 8)}*`)
	const save = button(dialog(page), /Change the rules of Test tenant/)
	await save.click()
	await dialogSays(page, 'Type Test tenant.')
	await enter(page, /Type the connection/, 'Test tenant')
	await save.click()
	await noDialog(page)

	const before = await writesTo(service)
	const refused = await app.cli('svc_put_computers_isolation', guid, '--comment', 'Beaconing', '--json')
	expect(refused.code).toBe(4)
	expect(JSON.parse(refused.stdout)).toMatchObject({error: {code: 'protected'}})
	await openAgain(page)
	await push(page, 'Isolate…')
	await dialogSays(page, 'is protected: its name matches')
	await isOff(button(dialog(page), `Isolate ${workstation} in ${tenant}`))
	await press(page, 'Escape')
	expect(await writesTo(service)).toEqual(before)

	await openGuardRules(page)
	await enter(page, 'Host names', '')
	await enter(page, /Type the connection/, 'Test tenant')
	await save.click()
	await noDialog(page)
})

test('on production the button is held for a second, by mouse or by keyboard, and never for a release', async ({page}) => {
	await link(page, /^Connections/).click()
	await push(page, 'Change Test tenant')
	await dialog(page).getByText('Production', {exact: true}).click()
	await decide(page, 'Save')
	await noDialog(page)

	await openAgain(page)
	await push(page, 'Isolate…')
	await reasonOf(page).fill('Beaconing')
	const hold = button(dialog(page), /^Hold: Isolate/)
	await hold.click()
	await isShown(page.locator('[data-told="Not sent: hold for a second."]'))
	await isShown(dialog(page))
	await hold.focus()
	await page.keyboard.down('Space')
	await noDialog(page)
	await page.keyboard.up('Space')
	await expectIsolation(page, 'isolated')

	await push(page, 'Release…')
	await reasonOf(page).fill('Host is clean')
	await decide(page, /^Release/)
	await noDialog(page)
	await expectIsolation(page, 'not_isolated')
	await link(page, /^Connections/).click()
	await push(page, 'Change Test tenant')
	await dialog(page).getByText('Test', {exact: true}).first().click()
	await decide(page, 'Save')
	await noDialog(page)
})
