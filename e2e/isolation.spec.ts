import {userInfo} from 'node:os'

import type {LogEntry} from '#model/incident.ts'
import {receiptLabel, requestedText, stepText} from '#text/changes.ts'

import {readyComputers} from './canary.ts'
import {slowAgents, test as base} from './fixtures.ts'
import {expect, test as house} from './house.ts'
import {
	askToIsolate,
	button,
	closeDialog,
	comboBox,
	decide,
	dialog,
	dialogIsGone,
	dialogSays,
	expectIsolation,
	finish,
	filterBox,
	guidOf,
	incidentLog,
	isOff,
	isolate,
	link,
	list,
	main,
	openComputer,
	option,
	pendingLink,
	press,
	pressIn,
	reasonOf,
	receipt,
	release,
	rowOf,
	tableRow,
	tenant,
	unfoldCodeAndLease,
	writesTo,
	shows,
	isShown,
	isFocused,
	says,
	isNamed,
	thereAre,
	push,
	enter
} from './screens.ts'

let used = 0
const test = house.extend<{host: string}>({
	/** No other test has changed it. */
	host: async ({service}, use) => await use((await readyComputers(service, ++used)).at(-1)?.hostname ?? '')
})
/** An API limit holds for all of a console. */
const alone = base.extend<{host: string}>({host: 'FIN-LT-0231'})

test.use({houseName: 'isolation', houseSetup: slowAgents})
alone.use({setup: slowAgents})

test('a computer goes from the list to isolated and back, and the log keeps both', async ({page, host, app, service}) => {
	await openComputer(page, host)
	const guid = guidOf(page)
	await expectIsolation(page, 'not_isolated')

	await isolate(page, host, 'Beaconing to 203.0.113.66')
	await expectIsolation(page, 'pending_start')
	const by = requestedText(userInfo().username, 'Beaconing to 203.0.113.66')
	await says(receipt(page, 'requested'), by)
	await says(receipt(page, 'accepted'), /HTTP 200 · request /)
	await says(receipt(page, 'confirmed'), stepText.waitingForAgent)
	await isShown(link(page, pendingLink))

	await service.agentsAnswer(guid)
	await expectIsolation(page, 'isolated')
	await says(receipt(page, 'confirmed'), 'isolated')
	await isShown(receipt(page, 'confirmed').getByRole('img', {name: 'done'}))

	await release(page, host, 'Host is clean')
	await expectIsolation(page, 'pending_stop')
	// A release that waits for its agent is a pending change as well.
	await isShown(link(page, pendingLink))
	await service.agentsAnswer(guid)
	await expectIsolation(page, 'not_isolated')
	await says(receipt(page, 'confirmed'), 'not isolated')

	// Asked for once more: nothing to accept, and the receipt does not say that something was.
	const again = await app.cli('svc_delete_computers_isolation', guid, '--comment', 'Once more')
	expect(again.code, again.stderr).toBe(0)
	await says(receipt(page, 'noChange'), 'already not isolated · HTTP 409')
	await isShown(receipt(page, 'noChange').getByRole('img', {name: 'nothing to do'}))
	await thereAre(receipt(page, 'accepted'), 0)

	await link(page, 'Incident log', true).click()
	const log = incidentLog(page)
	for (const command of ['svc_put_computers_isolation', 'svc_delete_computers_isolation']) {
		const rows = tableRow(log).filter({hasText: command}).filter({hasText: host})
		const times = command === 'svc_put_computers_isolation' ? 1 : 2
		await thereAre(rows, times)
		await expect(rows.filter({hasText: 'confirmed'})).not.toHaveCount(0)
	}

	const read = await app.cli('log', '--json', '--target', guid, '--writes')
	expect(read.code, read.stderr).toBe(0)
	const {data} = JSON.parse(read.stdout) as {data: readonly LogEntry[]} // the documented form of `log --json`
	const told = data.map(({command, kind}) => `${command} ${kind}`)
	expect(told.filter(line => !line.endsWith('observed'))).toEqual([
		'svc_put_computers_isolation command.requested',
		'svc_put_computers_isolation command.succeeded',
		'svc_delete_computers_isolation command.requested',
		'svc_delete_computers_isolation command.succeeded',
		'svc_delete_computers_isolation command.requested',
		'svc_delete_computers_isolation command.succeeded'
	])
	expect(data[0]?.args?.['comment']).toBe('Beaconing to 203.0.113.66')
	expect(data[1]?.about).toBe(data[0]?.id)
})

alone('Cancel ends an isolation that waits for the API limit: it is not sent later', async ({page, host, service}) => {
	await openComputer(page, host)
	await expect(await askToIsolate(page, host, 'Beaconing')).toBeEnabled()
	// Answers to other requests may end a wait: then it waits again.
	await service.weather('PUT /v1/computers/*=429:60')
	await press(page, 'Control+Enter')
	await dialogSays(page, 'Waiting for the API limit')
	await expect(receipt(page, 'confirmed')).not.toContainText(stepText.waitingForAgent)
	await decide(page, 'Cancel')
	await dialogIsGone(page)
	await says(receipt(page, 'refused'), 'Cancelled')
	await expectIsolation(page, 'not_isolated')
	const sent = await writesTo(service)
	expect(sent).toEqual([expect.stringContaining(`PUT /v1/computers/${guidOf(page)}/isolation`)])
	await service.weather()
	await expectIsolation(page, 'not_isolated')
	expect(await writesTo(service)).toEqual(sent)
})

test('a long failure has the width of its card in the largest text', async ({page, host, service}) => {
	await page.setViewportSize({width: 1280, height: 800})
	await openComputer(page, host)
	const confirm = await askToIsolate(page, host, 'Beaconing')
	await service.weather('PUT /v1/computers/*=html:200')
	await confirm.click()
	await dialogSays(page, 'Nothing was sent again')
	await closeDialog(page)
	await page.evaluate(() => (document.documentElement.dataset['size'] = 'largest'))
	const text = receipt(page, 'unknown').getByText('Nothing was sent again')
	await expect.poll(() => text.evaluate(one => one.clientWidth || one.getBoundingClientRect().width)).toBeGreaterThan(250)
})

test('what came of a change stays in sight while more is told above it', async ({page, host, service}) => {
	await page.setViewportSize({width: 1280, height: 800})
	await openComputer(page, host)
	const confirm = await askToIsolate(page, host, 'Beaconing')
	await service.weather('* /v1/computers/*=reset')
	await confirm.click()
	const told = dialog(page).getByText('The state could not be checked either')
	await isShown(told)
	await dialogSays(page, 'Could not check whether this is possible')
	await expect(told).toBeInViewport({ratio: 1})
})

test('the dialog asks for a reason first, and Enter does not confirm', async ({page, host, service}) => {
	await openComputer(page, host)
	await push(page, 'Isolate…')
	const reason = reasonOf(page)
	await isFocused(reason)
	await shows(dialog(page), 'Now: not isolated')
	// No key reaches what lies behind, from a button too.
	await pressIn(button(dialog(page), 'Cancel'), 'm')
	await decide(page, `Isolate ${host} in ${tenant}`)
	await dialogSays(page, 'Say why')
	await reason.focus()
	await page.keyboard.type('Seen in the proxy log')
	await press(page, 'Enter')
	await expect(reason).toHaveValue('Seen in the proxy log\n')
	await isShown(dialog(page))
	await closeDialog(page)
	await isFocused(button(page, 'Isolate…'))
	expect(await service.requests()).not.toHaveProperty(`PUT /v1/computers/${guidOf(page)}/isolation`)
})

test('an unlock code of my own reaches the service and is shown in the one reveal alone', async ({page, host, app}) => {
	await openComputer(page, host)
	const guid = guidOf(page)
	const confirm = await askToIsolate(page, host, 'Ransomware behaviour')
	await says(button(dialog(page), /^Unlock code and lease/), 'Random, stored encrypted · 24 hours')
	await unfoldCodeAndLease(page)
	await dialog(page).getByText('My own').click()
	await enter(page, 'Code', 'two words')
	await dialogSays(page, 'must not contain spaces')
	await enter(page, 'Code', 'Opensesame77')
	await confirm.click()
	await expectIsolation(page, 'pending_start')
	await thereAre(page.getByText('Opensesame77'), 0)

	await main(page).getByText('reveal…').click()
	await decide(page, 'Reveal and log')
	await dialogSays(page, 'Give a reason')
	await reasonOf(page).fill('Help desk needs it on site')
	await decide(page, 'Reveal and log')
	await shows(dialog(page), 'Opensesame77')
	await decide(page, 'Done')
	await thereAre(page.getByText('Opensesame77'), 0)

	const log = await app.cli('log', '--json', '--target', guid)
	expect(log.stdout).toContain('Help desk needs it on site')
	expect(log.stdout).not.toContain('Opensesame77')
})

test('a computer isolated by someone else meanwhile is not isolated twice', async ({page, host, service}) => {
	await openComputer(page, host)
	const guid = guidOf(page)
	const confirm = await askToIsolate(page, host, 'Beaconing')
	await service.change(guid, {isolation: 'isolated', isolated_by: 'Second shift'})
	await confirm.click()
	await dialogSays(page, /already isolated|is isolated/i)
	await press(page, 'Escape')
	await expectIsolation(page, 'isolated')
})

alone('a release says that it may be refused, and when the API limit resets, by the clock of the screen', async ({page, host, service}) => {
	await openComputer(page, host)
	// Its agent does not answer.
	await service.change(guidOf(page), {online: false})
	await isolate(page, host)
	await push(page, 'Release…')
	await dialogSays(page, 'It is still starting isolation; the service may refuse the release')
	await closeDialog(page)
	await service.weather('* /v1/computers/*/isolation=429:1800')
	await push(page, 'Release…')
	await dialogSays(page, /Could not check whether this is possible: API limit reached. Calls are available again at \d\d:\d\d:\d\d\./)
})

test('what could not be checked is checked again once the service answers', async ({page, host, app, service}) => {
	await openComputer(page, host)
	await service.weather('* /v1/*=500')
	await button(page, 'Isolate…').click()
	await dialogSays(page, 'Could not check whether this is possible')
	await service.weather()
	expect(await app.cli('svc_get_version')).toMatchObject({code: 0})
	await dialogSays(page, 'Now: not isolated')
})

test('a computer whose policy forbids isolation keeps the button and says why it is locked', async ({page, host, service}) => {
	await openComputer(page, host)
	await service.change(guidOf(page), {available: false})
	await push(page, 'Refresh')
	const locked = button(page, 'Isolate…')
	await isOff(locked)
	await locked.hover()
	await expect(page.getByRole('tooltip')).toHaveText(/policy .* does not allow isolation/)
	await expectIsolation(page, 'unavailable')
})

test('moving to another group shows before and after, and the result', async ({page, host}) => {
	await openComputer(page, host)
	await push(page, 'Move…')
	const group = comboBox(dialog(page), /To the group/)
	await isFocused(group)
	await group.fill('Triage')
	await option(page, /Triage/)
		.first()
		.click()
	await says(dialog(page).getByLabel('Before and after'), /→ .*Triage/)
	await decide(page, new RegExp(`^Move ${host} to .*Triage.* in ${tenant}`))
	await says(list(dialog(page), receiptLabel), /Triage/)
	await finish(page)
	await says(main(page), /Triage/)
})

test('the list shows the new state without a refresh', async ({page, host, service}) => {
	await openComputer(page, host)
	const guid = guidOf(page)
	await isolate(page, host)
	await link(page, 'Back to the computers').click()
	await filterBox(page).fill(`name:${host}`)
	await isNamed(rowOf(page, host), /isolation: isolating/)
	await service.agentsAnswer(guid)
	await isNamed(rowOf(page, host), /isolation: isolated/)
})
