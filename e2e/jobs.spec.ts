/** Bulk work from the list to the receipts: plan, confirmation, waves, results, plan files. */

import {hasNoViolations} from './axe.ts'
import {expect, test} from './house.ts'
import {apply, bulk, confirmButton, counts, goTo, openJob, openPalette, plan, receipts, select} from './jobs.ts'
import {
	alert,
	button,
	decide,
	dialog,
	dialogIsGone,
	dialogSays,
	field,
	filterBox,
	finish,
	grid,
	group,
	isOff,
	link,
	listItem,
	main,
	openGuardRules,
	press,
	reasonOf,
	region,
	rowOf,
	savedBy,
	tableRow,
	writesTo,
	shows,
	screenIs,
	isShown,
	isFocused,
	says,
	reads,
	thereAre,
	push,
	enter
} from './screens.ts'

// Computers are isolated.
test.use({houseName: 'jobs'})

test('twelve computers of the list: the protected one is left out, the server has its own confirmation', async ({page, service, app}) => {
	await protect(page, 'HR-LT-0001')
	await goTo(page, '/computers')
	await select(page, 'name:HR- last_seen<1h isolation:not_isolated', 'name:FIN-WS-0001', 'name:FIN-WS-0002')
	await shows(page, '12 selected', true)
	// The selection is frozen: another filter does nothing to it.
	await filterBox(page).fill('name:ENG')
	await filterBox(page).press('Enter')
	const before = await writesTo(service)
	// None of it is in view any more: a key would be about the computer at the cursor, the bar's own button is about the selection.
	await push(group(page, 'Selection'), /^Isolate/)
	await dialogSays(page, 'The selection: 12 computers, frozen')
	await decide(page, 'Create plan')
	await dialogSays(page, 'Say why')
	await hasNoViolations(page)
	await plan(page, 'Malware in HR')
	const servers = dialog(page).getByText('1 computer on which others may depend')
	await servers.click()
	await dialogSays(page, 'Malware in HR')
	// Another form makes both plans anew.
	await decide(page, 'Back')
	await plan(page, 'Ransomware in HR')
	await isFocused(button(dialog(page), 'Cancel'))

	await says(region(dialog(page), 'Skipped'), /Protected.*HR-LT-0001/s)
	await says(region(dialog(page), 'Skipped'), /Needs separate review.*HR-SRV-001/s)
	await says(tableRow(dialog(page)).filter({hasText: 'FIN-WS-0002'}), 'not isolated')
	await dialogSays(page, /at most \d+ calls: 10 changes, \d+ readings; [\d,]+ left for other work/)
	await dialogSays(page, '1, then 5, then 4; stops when more than 20% fail')
	await hasNoViolations(page)
	// Enter sends nothing, and neither does a wrong number.
	const typed = field(dialog(page), 'Type the number of targets: 10')
	await typed.fill('12')
	await typed.press('Enter')
	await confirmButton(page).click()
	await dialogSays(page, 'This is not 10.')
	expect(await writesTo(service)).toEqual(before)
	await apply(page)

	await servers.click()
	await dialogSays(page, 'Ransomware in HR')
	await isShown(field(dialog(page), 'Type the name: HR-SRV-001'))
	await apply(page)
	await reads(counts(page), '●1 done')
	await dialog(page)
		.getByText(/^10 computers/)
		.click()
	await reads(counts(page), '●10 done')
	await dialogSays(page, '10 computers: all finished.')
	await openJob(page)
	await shows(main(page), 'completed', true)
	await hasNoViolations(page)
	await says(tableRow(receipts(page)).filter({hasText: 'HR-WS-0005'}), /\d\d:\d\d:\d\d/)
	await press(page, 'e')
	const {text: csv} = await savedBy(button(dialog(page), 'Export'))
	expect(csv.trim().split('\n')).toHaveLength(11)
	expect(csv).not.toContain('HR-LT-0001')

	// A release goes at once, without waves.
	await goTo(page, '/computers')
	// The selection ended with its job.
	await select(page, 'name:HR- isolation:isolated last_seen<2h', 'name:FIN-WS-0001', 'name:FIN-WS-0002')
	// The protected one was left out, and is selected still.
	await shows(page, '12 selected', true)
	await press(page, 'u')
	await plan(page, 'Host is clean')
	await apply(page)
	await reads(counts(page), '●11 done')
	await finish(page)
	const log = await app.cli('log', '--json', '--limit', '200')
	expect(log.stdout).toContain('Ransomware in HR')
})

test('without targets nothing is planned, and targets that are not found are listed, never dropped', async ({listed: page, service}) => {
	const before = await writesTo(service)
	await openPalette(page, 'bulk: isolate')
	await reasonOf(page).fill('Beaconing')
	await decide(page, 'Create plan')
	await dialogSays(page, 'There are no targets: nothing is done without a list')
	await dialog(page)
		.getByLabel('File with host names or GUIDs')
		.setInputFiles({
			name: 'hosts.csv',
			mimeType: 'text/csv',
			buffer: Buffer.from('hostname,why\nMED-WS-0001,a\nNO-SUCH-HOST,b\nmed-ws-0001,c\nMED WS,d\n')
		})
	await dialogSays(page, '4 computers in the list')
	await decide(page, 'Create plan')
	const out = region(dialog(page), 'Skipped')
	await says(out, /Not found.*NO-SUCH-HOST/s)
	await says(out, /Invalid.*MED WS/s)
	await says(out, /Duplicate/)
	await dialogSays(page, '1 computer, the list is frozen')
	await decide(page, 'Back')
	await enter(page, 'Host names or GUIDs', 'NO-SUCH-HOST')
	await decide(page, 'Create plan')
	await dialogSays(page, 'No targets left. Nothing can be sent.')
	await isOff(confirmButton(page))
	expect(await writesTo(service)).toEqual(before)
})

test('a plan is saved, taken from its file later, and applied; what is no plan is refused with the field', async ({listed: page}) => {
	await bulk(page, 'isolate', ['RES-LT-0001', 'RES-LT-0002'])
	await plan(page, 'Reviewed by the second shift')
	const {path: file, text} = await savedBy(button(dialog(page), 'Save plan'))
	await decide(page, 'Cancel')
	await press(page, 'g', 'j')
	await push(page, /Plan from a file/)
	await hasNoViolations(page)
	await enter(page, 'Or paste its text', text.replace('"cordon-plan/1"', '"cordon-plan/9"'))
	await decide(page, 'Review plan')
	await says(alert(dialog(page)), /format/)
	await dialog(page).getByLabel('Plan file').setInputFiles(file)
	await dialogSays(page, 'Planned by')
	await dialogSays(page, 'Reviewed by the second shift')
	await apply(page)
	await reads(counts(page), '●2 done')
	await finish(page)
	const row = tableRow(grid(page, 'Jobs')).nth(1)
	await says(row, 'Isolate 2 computers')
	await hasNoViolations(page)
	await row.dblclick()
	const computer = tableRow(receipts(page)).filter({hasText: 'RES-LT-0001'})
	await computer.dblclick()
	await screenIs(page, 'RES-LT-0001')

	// The end is announced to operators who did not look, as information: the bell counts what needs somebody.
	const bell = button(page, /^Notifications: /)
	await bell.click()
	const done = region(dialog(page), 'Test tenant, info')
	const ended = {hasText: 'Job ended: Isolate 2 computers'}
	await thereAre(listItem(done).filter(ended), 1)
	const told = listItem(dialog(page)).filter(ended)
	await thereAre(told, 1)
	// The first read of the detections may announce more in between.
	await expect(async () => {
		const unread = [dialog(page), done].map(part => part.getByRole('img', {name: 'unread'}).count())
		const [every = 0, informing = 0] = await Promise.all(unread)
		expect(Number(await bell.textContent())).toBe(every - informing)
	}).toPass()
	await hasNoViolations(page)
	await link(told, /^Show/).click()
	await isShown(computer)
	await bell.click()
	// What was opened is read, also after the page is loaded again.
	await thereAre(told.getByRole('img', {name: 'unread'}), 0)
	await page.reload()
	await bell.click()
	await thereAre(told.getByRole('img', {name: 'unread'}), 0)
	const all = button(dialog(page), 'Mark all read')
	await expect(async () => {
		if ((await all.getAttribute('aria-disabled')) === null) await all.click()
		await expect(bell).toHaveAccessibleName('Notifications: none unread', {timeout: 1000})
	}).toPass()
	await thereAre(dialog(page).getByRole('img', {name: 'unread'}), 0)
	await push(told, /^Dismiss/)
	await thereAre(told, 0)
})

test('with nothing selected the shortcut acts on the computer at the cursor, and ? lists the shortcuts', async ({listed: page}) => {
	await filterBox(page).fill('name:FIN-LT-0231')
	await isShown(rowOf(page, 'FIN-LT-0231'))
	await goTo(page, '/jobs')
	await screenIs(page, 'Jobs')
	await press(page, '?')
	for (const title of ['Jobs', 'Plan from a file…', 'Open undo history…'])
		await expect(dialog(page).getByText(title, {exact: true}).first()).toBeAttached()
})

/** Writes a host name into the guard rules. */
async function protect(page: Parameters<typeof goTo>[0], name: string) {
	await openGuardRules(page)
	await enter(page, 'Host names', name)
	const save = button(dialog(page), /Change the rules of Test tenant/)
	await field(dialog(page), /Type the connection/)
		.or(save)
		.first()
		.waitFor()
	await save.click()
	await enter(page, /Type the connection/, 'Test tenant')
	await save.click()
	await dialogIsGone(page)
}

test('a plan shows the warning of a computer whole', async ({page}) => {
	await select(page, 'name:FIN- last_seen>1d isolation:not_isolated')
	await push(group(page, 'Selection'), /^Isolate/)
	await plan(page, 'Offline for days')
	const warning = dialog(page)
		.getByTitle(/^Last seen at .* before this check/)
		.first()
	await isShown(warning)
	expect(await warning.evaluate(one => one.scrollWidth <= (one.parentElement?.clientWidth ?? 0))).toBe(true)
})
