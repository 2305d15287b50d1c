/** A playbook from its form to its end: a question, its answer, a step that fails and is retried. */
import type {Page} from '@playwright/test'

import {hasNoViolations} from './axe.ts'
import {onBrokenDisk} from './broken-disk.ts'
import {expect, test} from './house.ts'
import {containing, goTo} from './jobs.ts'
import {
	alert,
	button,
	closeDialog,
	decide,
	dialog,
	dialogSays,
	field,
	link,
	option,
	region,
	shows,
	tableRow,
	writesTo,
	isShown,
	isHidden,
	isFocused,
	says,
	reads,
	hasValue,
	thereAre,
	push,
	enter
} from './screens.ts'
import type {SandboxProcess} from './processes.ts'

// A computer is isolated.
test.use({houseName: 'playbooks'})

async function start(page: Page, service: SandboxProcess) {
	const before = await writesTo(service)
	await decide(page, 'Start playbook')
	return before
}

test('a playbook asks, isolates after the answer, and shows each step', async ({page, service}) => {
	await containing(page, 'FIN-LT-0231')
	await hasNoViolations(page)
	const before = await start(page, service)
	const question = region(page, 'Question: Ask for approval')
	await says(question, 'Isolate FIN-LT-0231?')
	await hasNoViolations(page)
	expect(await writesTo(service)).toEqual(before)
	await page.setViewportSize({width: 640, height: 400})
	expect((await page.locator('.react-flow').boundingBox())?.height).toBeGreaterThan(200)
	await page.setViewportSize({width: 1440, height: 900})
	await goTo(page, '/playbooks')
	await isShown(link(page, /^Playbooks \d+ waiting/))
	await page.goBack()
	await button(question, 'Yes').focus()
	for (const key of ['Enter', 'Enter']) await page.keyboard.press(key, {delay: 40})
	await isFocused(page.locator('#main'))
	await thereAre(alert(page), 0)
	await push(page, 'List')
	await says(tableRow(page).filter({hasText: 'Wait until isolated'}), 'done')
	await push(page, 'Graph')
	await reads(page.locator('[data-step][tabindex="0"]'), 'Start')
	await page.locator('[data-step]').nth(3).click()
	await expect(page.getByLabel('Input', {exact: true})).not.toContainText('null')
	await isShown(button(page, 'Run again'))
	await hasNoViolations(page)
	await goTo(page, '/playbooks')
	// The list names the last run, too.
	await isShown(tableRow(page, /^Contain an endpoint Test tenant completed/))
	await hasNoViolations(page)
})

test('on a wide screen a playbook starts beside its name', async ({page}) => {
	await page.setViewportSize({width: 2560, height: 1440})
	await goTo(page, '/playbooks')
	const [name, start] = [link(page, 'Contain an endpoint').first(), button(page, 'Start Contain an endpoint')]
	await isShown(start)
	expect(((await start.boundingBox())?.x ?? 0) - ((await name.boundingBox())?.x ?? 0)).toBeLessThan(600)
})

test('a step that fails is named, and a no sends nothing', async ({page, service, app}) => {
	await goTo(page, '/playbooks')
	await push(page, 'Start Contain an endpoint')
	await enter(page, 'Computer: host name or GUID', 'FIN-LT-0231')
	await enter(page, 'Reason for the incident log', 'Beaconing')
	await decide(page, 'Dry run')
	await isShown(region(page, 'Dry run'))
	await enter(page, 'Computer: host name or GUID', 'NO-SUCH-HOST')
	await isHidden(region(page, 'Dry run'))
	const drawing = Promise.withResolvers<void>()
	await page.route(/\/assets\/Graph-/, async route => void (await drawing.promise, await route.continue()))
	const before = await start(page, service)
	await expect.poll(async () => (await page.getByRole('status', {name: 'Graph'}).boundingBox())?.width).toBeGreaterThan(300)
	drawing.resolve()
	await isShown(page.getByText('There is no NO-SUCH-HOST on this connection.').first())
	await field(page, 'Reason for skipping').fill('Named by hand')
	await push(page, 'Skip step')
	const no = button(region(page, 'Question: Ask for approval'), 'No')
	await isShown(no)
	await onBrokenDisk(app.profile, 'runs.db', 'INSERT ON signal', async () => {
		await push(page, 'Cancel run')
		await says(alert(page), 'the disk is broken')
		await no.click()
		await thereAre(alert(page).filter({hasText: 'the disk is broken'}), 2)
	})
	await no.click()
	await isShown(page.getByText('Ask for approval: the answer was no.').first())
	await thereAre(alert(page).filter({hasText: 'the disk is broken'}), 0)
	expect(await writesTo(service)).toEqual(before)
})

test('a secret for a header is stored for one origin, is never shown, and is deleted', async ({page}) => {
	await goTo(page, '/playbooks')
	const secrets = region(page, 'Secrets', true)
	await push(secrets, 'New secret…')
	const [name, origin, value] = ['Name', 'Origin it is sent to', 'Secret'].map(label => field(dialog(page), label, true))
	await name?.fill('tickets')
	await origin?.fill('tickets.example.org')
	await value?.fill('open-sesame-12')
	await decide(page, 'Store secret')
	await dialogSays(page, 'Write it as https://tickets.example.org.')
	await hasNoViolations(page)
	await origin?.fill('https://tickets.example.org')
	await decide(page, 'Store secret')
	await reads(tableRow(secrets), /tickets.*https:\/\/tickets\.example\.org/)
	await expect(page.locator('body')).not.toContainText('open-sesame-12')
	await hasNoViolations(page)
	await push(secrets, 'Delete secret tickets')
	await hasNoViolations(page)
	await closeDialog(page)
	await thereAre(tableRow(secrets), 1)
	await push(secrets, 'Delete secret tickets')
	await decide(page, 'Delete')
	await thereAre(tableRow(secrets), 0)
})

test('a rule is refused where it is wrong, is tried, changed, paused and deleted', async ({page}) => {
	await goTo(page, '/playbooks')
	const [part, it] = [region(page, 'Schedules and rules'), dialog(page)]
	await push(part, 'New rule…')
	await isFocused(field(it, 'Name'))
	await page.keyboard.type('Contain it')
	await field(it, 'At most').fill('0')
	await field(it, 'Event filter').fill('severity=worst')
	await hasNoViolations(page)
	await push(it, 'Save')
	await shows(it, /^most: /)
	await field(it, 'At most').fill('3')
	await push(it, 'Save')
	await thereAre(it.getByText('There is no severity “worst”.'), 1)
	await field(it, 'Event filter').fill('severity=critical')
	await push(it, 'Playbook')
	await option(page, 'Contain an endpoint').click()
	await hasValue(field(it, 'Computer: host name or GUID'), '{hostname}')
	await field(it, 'Reason for the incident log').fill('A rule saw it')
	await push(it, 'Test')
	await says(it, /Last 7 days: would act \d+ times/)
	await field(it, 'At most').fill('4')
	await expect(it).not.toContainText('would act')
	await field(it, 'At most').fill('3')
	await push(it, 'Save')
	const row = tableRow(part).filter({hasText: 'Contain it'})
	await says(row, 'severity=critical')
	await push(row, 'Edit Contain it')
	await hasValue(field(it, 'At most'), '3')
	await field(it, 'Event filter').fill('severity>=high')
	await it.getByText('VIP').click()
	await push(it, 'Save')
	await says(row, 'severity>=high')
	await push(row, 'Pause Contain it')
	await says(row, 'paused')
	await push(row, 'Delete Contain it')
	await push(it, 'Delete')
	await thereAre(row, 0)
})

test('a schedule shows its next times, and what is wrong with them', async ({page}) => {
	await goTo(page, '/playbooks')
	const [part, it] = [region(page, 'Schedules and rules'), dialog(page)]
	await push(part, 'New schedule…')
	await thereAre(it.getByText(/^next [\d-]+ 06:00/), 3)
	await field(it, /^Times/).fill('0 6 * *')
	await thereAre(it.getByText(/^Write five parts/), 1)
	await hasNoViolations(page)
})
