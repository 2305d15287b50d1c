import type {Page} from '@playwright/test'

import {hasNoViolations} from './axe.ts'
import {expect, test} from './house.ts'
import {askToIsolate, dialog, expectIsolation, guidOf, openComputer, release, tenant, writesIn} from './screens.ts'

// The tests isolate computers.
test.use({houseName: 'jobs'})

const workstation = 'FIN-LT-0231'
const server = 'HR-SRV-001'

/** From another screen. */
async function openAgain(page: Page): Promise<void> {
	await page.getByRole('link', {name: /^Computers/}).click()
	await openComputer(page, workstation)
}

test('a server asks for its name, and says what it looks like', async ({page, service}) => {
	await openComputer(page, server)
	const confirm = await askToIsolate(page, server, 'Ransomware behaviour')
	await expect(dialog(page)).toContainText('looks like: Server')
	const before = writesIn(await service.requests())
	await confirm.click()
	await expect(dialog(page)).toContainText(`Type ${server}.`)
	const name = dialog(page).getByRole('textbox', {name: `Type the name: ${server}`})
	await name.fill('HR-SRV-002')
	await confirm.click()
	await expect(dialog(page)).toContainText(`This is not ${server}.`)
	expect(writesIn(await service.requests())).toEqual(before)
	await name.fill(server.toLowerCase())
	await name.press('Enter')
	await expect(dialog(page)).toBeVisible()
	await confirm.click()
	await expect(dialog(page)).toBeHidden()
	await expectIsolation(page, 'isolated')
	await release(page, server)
	await expectIsolation(page, 'not_isolated')
})

test('an isolation has a lease that counts down, can be changed and handed over, and a code in the vault', async ({
	page,
	app,
}) => {
	await openComputer(page, workstation)
	const confirm = await askToIsolate(page, workstation, 'Beaconing')
	await dialog(page).getByRole('textbox', {name: 'Ticket'}).fill('INC-42')
	await dialog(page).getByText('4 hours', {exact: true}).click()
	await expect(dialog(page)).toContainText(/Cost: 9 calls of [\d,]+; [\d,]+ left this hour, plus 150 kept for releases/)
	await confirm.click()
	await expect(dialog(page)).toBeHidden()
	await expectIsolation(page, 'isolated')
	const main = page.getByRole('main')
	await expect(main.getByText(/lease: expires in 3 h/)).toBeVisible()

	await main.getByRole('region', {name: 'Isolation'}).getByText('Change…').click()
	await expect(dialog(page)).toBeVisible()
	await hasNoViolations(page)
	await dialog(page).getByText('7 days', {exact: true}).click()
	await dialog(page).getByRole('textbox', {name: 'Hand over to'}).fill('Second shift')
	await dialog(page).getByRole('textbox', {name: 'Handover note'}).fill('wait for forensics')
	await dialog(page).getByRole('button', {name: 'Save lease'}).click()
	await expect(dialog(page)).toBeHidden()
	await expect(main.getByText(/lease: expires in 6 d/)).toBeVisible()
	await expect(main.getByText('Second shift: wait for forensics')).toBeVisible()

	const guid = guidOf(page)
	await main.getByRole('link', {name: 'vault'}).click()
	// The newest first: an earlier test may have isolated it too.
	const row = page.getByRole('row').filter({hasText: workstation}).first()
	await expect(row).toContainText('accepted')
	await hasNoViolations(page)
	await row.getByRole('button', {name: `Reveal the code of ${workstation}`}).click()
	await dialog(page).getByRole('textbox', {name: 'Reason'}).fill('Help desk on site')
	await dialog(page).getByRole('button', {name: 'Reveal and log'}).click()
	const code = await dialog(page)
		.getByRole('status')
		.filter({hasText: /^[A-Z0-9]{16}$/})
		.textContent()
	expect(code).toMatch(/^[A-Z0-9]{16}$/)
	await expect(dialog(page)).toContainText('From the vault of this computer')
	await dialog(page).getByRole('button', {name: 'Done'}).click()
	await expect(page.getByText(code ?? 'no code')).toHaveCount(0)

	const log = await app.cli('log', '--json', '--target', guid)
	for (const said of ['INC-42', 'Help desk on site', 'handed over from']) expect(log.stdout).toContain(said)
	expect(log.stdout).not.toContain(code)
	await openAgain(page)
	await release(page, workstation)
})

test('guard rules are explained by examples, changed with the name of the connection, and hold for the command line', async ({
	page,
	app,
	service,
}) => {
	await openComputer(page, workstation)
	const guid = guidOf(page)
	await page.getByRole('link', {name: /^Connections/}).click()
	await page.getByRole('button', {name: 'Guard rules of Test tenant'}).click()
	const table = dialog(page).getByRole('table')
	await expect(table.getByRole('row').filter({hasText: '100 workstations'})).toContainText('the number 100 is typed')
	await dialog(page)
		.getByRole('textbox', {name: 'Host names'})
		.fill(`${workstation.slice(0, 8)}*`)
	const save = dialog(page).getByRole('button', {name: /Change the rules of Test tenant/})
	await save.click()
	await expect(dialog(page)).toContainText('Type Test tenant.')
	await dialog(page)
		.getByRole('textbox', {name: /Type the connection/})
		.fill('Test tenant')
	await save.click()
	await expect(dialog(page)).toBeHidden()

	const before = writesIn(await service.requests())
	const refused = await app.cli('svc_put_computers_isolation', guid, '--comment', 'Beaconing', '--json')
	expect(refused.code).toBe(4)
	expect(JSON.parse(refused.stdout)).toMatchObject({error: {code: 'protected'}})
	await openAgain(page)
	await page.getByRole('button', {name: 'Isolate…'}).click()
	await expect(dialog(page)).toContainText('is protected: its name matches')
	await expect(dialog(page).getByRole('button', {name: `Isolate ${workstation} in ${tenant}`})).toHaveAttribute(
		'aria-disabled',
		'true',
	)
	await page.keyboard.press('Escape')
	expect(writesIn(await service.requests())).toEqual(before)

	await page.getByRole('link', {name: /^Connections/}).click()
	await page.getByRole('button', {name: 'Guard rules of Test tenant'}).click()
	await dialog(page).getByRole('textbox', {name: 'Host names'}).fill('')
	await dialog(page)
		.getByRole('textbox', {name: /Type the connection/})
		.fill('Test tenant')
	await save.click()
	await expect(dialog(page)).toBeHidden()
})

test('on production the button is held for a second, by mouse or by keyboard, and never for a release', async ({page}) => {
	await page.getByRole('link', {name: /^Connections/}).click()
	await page.getByRole('button', {name: 'Change Test tenant'}).click()
	await dialog(page).getByText('Production', {exact: true}).click()
	await dialog(page).getByRole('button', {name: 'Save'}).click()
	await expect(dialog(page)).toBeHidden()

	await openAgain(page)
	await page.getByRole('button', {name: 'Isolate…'}).click()
	await dialog(page).getByRole('textbox', {name: 'Reason'}).fill('Beaconing')
	const hold = dialog(page).getByRole('button', {name: /^Hold: Isolate/})
	await hold.click()
	await expect(dialog(page)).toBeVisible()
	await hold.focus()
	await page.keyboard.down('Space')
	await expect(dialog(page)).toBeHidden()
	await page.keyboard.up('Space')
	await expectIsolation(page, 'isolated')

	await page.getByRole('button', {name: 'Release…'}).click()
	await dialog(page).getByRole('textbox', {name: 'Reason'}).fill('Host is clean')
	await dialog(page)
		.getByRole('button', {name: /^Release/})
		.click()
	await expect(dialog(page)).toBeHidden()
	await expectIsolation(page, 'not_isolated')
	await page.getByRole('link', {name: /^Connections/}).click()
	await page.getByRole('button', {name: 'Change Test tenant'}).click()
	await dialog(page).getByText('Test', {exact: true}).first().click()
	await dialog(page).getByRole('button', {name: 'Save'}).click()
	await expect(dialog(page)).toBeHidden()
})
