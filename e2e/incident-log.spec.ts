import type {Page} from '@playwright/test'

import {hasNoViolations} from './axe.ts'
import {expect, test} from './house.ts'
import {chooseRansomware, typeNextSteps} from './handover.ts'
import {goTo} from './jobs.ts'
import {
	answerLine,
	aside,
	button,
	commandLine,
	decide,
	dialog,
	dialogSays,
	expectIsolation,
	field,
	incidentLog,
	isOff,
	isolate,
	link,
	listIsRead,
	main,
	openComputer,
	option,
	press,
	region,
	runLine,
	savedBy,
	searchBox,
	status,
	tableRow,
	shows,
	pressIn,
	isShown,
	isHidden,
	says,
	hasValue,
	thereAre,
	addressIs,
	push,
	enter
} from './screens.ts'

const entry = (page: Page) => aside(page, 'Entry at the cursor')

async function openLog(page: Page, conditions = '') {
	await listIsRead(page)
	await page.goto(page.url().replace(/#.*/, `#/log${conditions}`))
	return incidentLog(page)
}

async function htmlReport(page: Page) {
	await push(page, 'Export…')
	await dialogSays(page, /All entries \(\d+\) that match the current search/)
	await dialog(page).getByText('HTML report').click()
	return (await savedBy(button(dialog(page), 'Export'))).text
}

test('in the colours of the system no tick is seen in an empty box', async ({page}) => {
	await page.emulateMedia({forcedColors: 'active'})
	await openLog(page)
	const box = main(page).locator('label').filter({hasText: 'Changes only'})
	await isHidden(box.locator('svg'))
	await box.click()
	await isShown(box.locator('svg'))
})

test('the chain is verified, an entry becomes a line again, an incident becomes a report', async ({listed: page}) => {
	await runLine(page, 'svc_get_groups limit=7')
	await says(answerLine(page), '7 of 44 groups')
	await press(page, 'Escape', 'Escape')
	await link(page, 'Incident log', true).click()
	const log = incidentLog(page)
	const read = tableRow(log, /7 of 44 groups/)
	await isShown(read)
	await pressIn(log, 'Shift+v')
	await says(status(page).filter({hasText: 'Hash chain intact'}), /\d+ entries, checked/)
	await hasNoViolations(page)

	await read.click()
	await press(page, 'Enter')
	await says(entry(page), '!svc_get_groups limit=7')
	await press(page, 'Shift+r')
	await hasValue(commandLine(page), 'svc_get_groups limit=7')
	await press(page, 'Enter')
	// New entries wait above while one is read.
	const waiting = button(page, '1 new line')
	await isShown(waiting)
	await thereAre(read, 1)
	await press(page, 'Escape')
	await waiting.click()
	await thereAre(read, 2)
	await isHidden(waiting)

	await push(page, 'New incident…')
	await enter(page, 'Title', 'Beacon <b>bold</b>')
	await decide(page, 'Open')
	const text = await htmlReport(page)
	expect(text).toContain('Incident: Beacon &lt;b&gt;bold&lt;/b&gt;')
	expect(text).not.toContain('<b>bold')
})

test('a change is one line with reason and outcome, and its entries open inside, by key and by mouse', async ({page, app}) => {
	await openComputer(page, 'FIN-LT-0231')
	await isolate(page, 'FIN-LT-0231', 'Beaconing, seen by the proxy')
	await expectIsolation(page, 'isolated')
	await link(page, 'Incident log', true).click()
	const log = incidentLog(page)
	const line = tableRow(log, /^confirmed: Isolate a computer: FIN-LT-0231.*“Beaconing, seen by the proxy”.*3 entries/)
	await expect(line).toHaveAttribute('aria-label', /isolated; confirmed after .*folded$/)
	// Other tests of this console may have isolated it before.
	await thereAre(tableRow(log, /Isolate a computer.*“Beaconing, seen by the proxy/), 1)
	await shows(page, /\d+ entries in \d+ lines/)
	await line.click()
	await press(page, 'ArrowRight')
	await expect(line).toHaveAttribute('aria-label', /open$/)
	const inside = ['requested: Isolate a computer: FIN-LT-0231', 'succeeded: ', 'confirmed: FIN-LT-0231 isolated']
	for (const name of inside) await isShown(tableRow(log, new RegExp(`^${name}[^“]*$`)).first())
	// Each entry is one by itself: its panel opens, and left goes back to the line.
	await press(page, 'j', 'j', 'Enter')
	await says(entry(page), 'HTTP status')
	await press(page, 'Escape', 'ArrowLeft')
	await expect(line).toHaveAttribute('aria-label', /folded$/)
	await line.locator('svg').click()
	await expect(line).toHaveAttribute('aria-label', /open$/)
	await hasNoViolations(page)

	await page.goto(`http://127.0.0.1:${app.port()}/#/log?kind=command.observed`)
	await thereAre(line, 1)
	await shows(page, /^\d+ entr(y|ies)$/)
	const text = await htmlReport(page)
	expect(text).toMatch(/<dd>Beaconing, seen by the proxy<.*<details><summary>3 entries<\/summary>.*Requested.*Succeeded.*Confirmed/)
	const paper = await page.context().newPage()
	await paper.setContent(text)
	await isHidden(paper.getByText('HTTP status').first())
	await paper.emulateMedia({media: 'print'})
	await isShown(paper.getByText('HTTP status').first())
})

test('the address holds the conditions', async ({page}) => {
	const log = await openLog(page, '?kind=connection.changed&within=24h&surface=cli')
	await isShown(tableRow(log, /^connection: Connection added/))
	await push(page, /From$/)
	await option(page, 'playbook').click()
	await addressIs(page, /surface=playbook/)
	await shows(page, 'No entry matches')
	await push(page, 'Show all entries')
	await expect(page).not.toHaveURL(/surface=/)
	await page.clock.install()
	await page.clock.pauseAt(Date.now() + 10_000)
	await searchBox(page, 'Search the log').pressSequentially('added')
	await expect(page).not.toHaveURL(/text=/)
	await page.clock.runFor(250)
	await addressIs(page, /text=added/)
})

test('changes outside Cordon appear between our own, with their cost, and become evidence', async ({page, service}) => {
	const log = await openLog(page)
	await push(page, 'Load: at least 1 call')
	await shows(page, /4\d\d actions outside Cordon\. (?:.* )?Loaded .* ago with 1 call\./)
	await searchBox(page, 'Search the log').fill('isolation asked')
	// The search begins another list, without an open entry.
	await addressIs(page, /text=isolation/)
	await tableRow(log, /^outside Cordon, by .*Isolation asked for/)
		.first()
		.click()
	await press(page, 'Enter')
	await says(tableRow(entry(page), /unlock_code/), '••••••')
	await hasNoViolations(page)
	await press(page, 'Shift+p')
	await enter(page, 'Why', 'None of us did that')
	await decide(page, 'Pin', true)
	await page.getByText('Pinned only').click()
	await isShown(tableRow(log, /^pinned: Pinned as evidence, changed outside Cordon/))

	await service.weather('GET /v1/audit_logs*=status:403')
	await push(page, 'Load new entries: 1 call')
	await shows(page, 'This API key may not read the service audit log')
})

test('a handover lists the pinned evidence, and its next steps go into the log', async ({page, context}) => {
	await context.grantPermissions(['clipboard-read', 'clipboard-write'])
	const log = await openLog(page)
	await push(page, 'Add note…')
	await enter(page, 'Note', 'Seen at the ward')
	await decide(page, 'Add note')
	await tableRow(log, 'note: Seen at the ward').click()
	await press(page, 'Enter', 'Shift+p')
	await decide(page, 'Pin', true)
	await says(entry(page), 'Evidence: pinned')
	await press(page, 'Shift+h')
	await says(region(page, 'Evidence'), 'Seen at the ward')
	await hasNoViolations(page)
	const steps = field(page, 'Next steps')
	await steps.fill('- call the ward\n'.repeat(20))
	await page.emulateMedia({media: 'print'})
	expect(await steps.evaluate(({scrollHeight, clientHeight}) => scrollHeight - clientHeight)).toBe(0)
	await page.emulateMedia({media: null})
	await steps.fill('- call the ward\n- go there')
	await link(page, /^Open: /)
		.first()
		.click()
	await page.goBack()
	await hasValue(steps, '- call the ward\n- go there')
	const address = page.url()
	await page.goto(`${address}?incident=another`)
	await hasValue(steps, '')
	await page.goto(address)
	await hasValue(steps, '- call the ward\n- go there')
	const {text} = await savedBy(button(page, 'Save page'))
	expect(text).toContain('- call the ward')
	expect(text).toMatch(/Evidence<\/h2><ul><li>.*Seen at the ward/)
	await push(page, 'Write to the log')
	await expect(region(page, 'Notes')).toContainText(/Next steps: - call the ward\n- go there/, {useInnerText: true})
	await hasValue(steps, '')
})

test('next steps of all incidents move to the chosen one, and a handover that was left while it writes is written once', async ({page, app}) => {
	const steps = await typeNextSteps(page, app)
	await chooseRansomware(page)
	await hasValue(steps, '')
	await push(page, 'Move next steps here')
	await hasValue(steps, '- call the ward')
	const write = button(page, 'Write to the log')
	const {pid} = app.process()
	process.kill(pid, 'SIGSTOP')
	try {
		await write.click()
		await goTo(page, '/settings')
		await page.goBack()
		await isOff(write)
		await steps.press('Control+End')
		await steps.pressSequentially(' and the lab')
	} finally {
		process.kill(pid, 'SIGCONT')
	}
	await expect(region(page, 'Notes').getByRole('listitem')).toHaveText([/Next steps: - call the ward(?! and)/])
	await expect(write).not.toHaveAttribute('aria-disabled')
	await hasValue(steps, '- call the ward and the lab')
})
