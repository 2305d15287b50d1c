import type {Page} from '@playwright/test'

import {hasNoViolations, isAccessible} from './axe.ts'
import {expect, test} from './house.ts'
import {goTo} from './jobs.ts'
import {
	alert,
	askToIsolate,
	button,
	decide,
	dialog,
	dialogIsGone,
	dialogSays,
	expectIsolation,
	incidentLog,
	link,
	main,
	openComputer,
	press,
	region,
	status,
	tableRow,
	writesTo,
	shows,
	isShown,
	isFocused,
	says,
	enter,
	push
} from './screens.ts'

// The tests isolate a computer, and changes need approval.
test.use({houseName: 'approvals'})

const computer = 'FIN-LT-0231'
const passphrase = 'correct horse battery'

async function demandApproval(page: Page) {
	await goTo(page, '/connections')
	await push(page, 'Guard rules of Test tenant')
	await dialog(page).getByText('Require approval for every change').click()
	await enter(page, /Type the connection/, 'Test tenant')
	await decide(page, /Change the rules of Test tenant/)
	await dialogIsGone(page)
}

/** By keyboard alone. */
async function makeKey(page: Page, name: string) {
	await button(page, 'Create key…').press('Enter')
	await page.keyboard.type(name)
	for (const label of ['Passphrase (12 characters or more)', 'Passphrase again']) {
		await press(page, 'Tab')
		await isFocused(dialog(page).getByLabel(label, {exact: true}))
		await page.keyboard.type(passphrase)
	}
	await button(dialog(page), 'Create key').press('Enter')
	await dialogIsGone(page)
	await button(page, `Trust ${name}`).press('Enter')
	await enter(page, 'Groups, separated by commas', 'soc')
	await enter(page, `Type ${name} to confirm`, name)
	await hasNoViolations(page)
	await button(dialog(page), 'Trust key').press('Enter')
	await isShown(tableRow(page, new RegExp(`^${name} Approving soc .* trusted own`)))
}

async function requestIsolation(page: Page, computer: string, reason: string) {
	await goTo(page, '/computers')
	await openComputer(page, computer)
	await (await askToIsolate(page, computer, reason)).click()
	await says(status(dialog(page)).last(), 'waits for approval')
	await isShown(link(dialog(page), 'Approvals'))
	// The button that asked is gone.
	await press(page, 'Control+Enter')
	await dialogIsGone(page)
	await press(page, 'g', 'v')
}

test('a second operator approves in the window, the change is sent, and the log names who signed', async ({page, service}) => {
	await goTo(page, '/approvals')
	await shows(page, 'Nothing waits for approval')
	await hasNoViolations(page)
	await makeKey(page, 'Ana Lima')
	await demandApproval(page)
	const before = await writesTo(service)
	await requestIsolation(page, computer, 'Beaconing')
	await isShown(link(page, 'Approvals 1 waiting'))
	const waiting = region(main(page), /Isolate/)
	await says(waiting, 'Beaconing')
	await says(waiting, '0 of 1, any trusted key')
	await push(waiting, 'Exact content')
	await says(waiting, '"svc_put_computers_isolation"')
	await isAccessible(page)
	expect(await writesTo(service)).toEqual(before)

	// Another comment is another digest, which withdraws the former request.
	await push(waiting, /^Edit/)
	await enter(page, 'comment', 'Beaconing to 192.0.2.7')
	await decide(page, 'Request approval of the edit')
	await says(tableRow(page, /withdrawn/), 'Replaced by an edit.')
	await says(waiting, 'replaces an earlier request')

	await button(waiting, /^Approve/).press('Enter')
	await isFocused(dialog(page).getByLabel('Passphrase of the key'))
	await hasNoViolations(page)
	await page.keyboard.type('wrong horse battery')
	const approve = button(dialog(page), 'Approve', true)
	await approve.press('Enter')
	await dialogSays(page, 'The passphrase is wrong. Nothing was signed.')
	expect(await writesTo(service)).toEqual(before)
	await dialog(page).getByLabel('Passphrase of the key').fill(passphrase)
	await approve.press('Enter')
	await dialogIsGone(page)
	await says(tableRow(page, /carried out/), 'approved by Ana Lima with the key')
	await isShown(link(page, 'Approvals', true))
	expect(await writesTo(service)).toHaveLength(before.length + 1)

	await goTo(page, '/log')
	const log = incidentLog(page)
	await isShown(tableRow(log, /Approved by Ana Lima with the key/).first())
	await goTo(page, '/computers')
	await openComputer(page, computer)
	await expectIsolation(page, 'isolated')

	await requestIsolation(page, 'HR-LT-0004', 'By mistake')
	await button(waiting, /^Deny/).press('Enter')
	await page.keyboard.type('Wrong computer')
	await button(dialog(page), 'Deny', true).press('Enter')
	await isShown(tableRow(page, /denied by .*: Wrong computer/))
	expect(await writesTo(service)).toHaveLength(before.length + 1)
	await page.getByLabel('Accept signature…').setInputFiles({name: 'a.json', mimeType: 'application/json', buffer: Buffer.from('{')})
	await says(alert(page), 'The file is not JSON.')
	await button(page, 'Revoke Ana Lima').press('Enter')
	await page.keyboard.type('Left the team')
	await button(dialog(page), 'Revoke key').press('Enter')
	await isShown(tableRow(page, /^Ana Lima .* revoked/))
})
