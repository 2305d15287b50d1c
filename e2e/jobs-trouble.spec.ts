/** Bulk work that does not go as planned: failures in part, stopping, the kill switch, targets that changed. */
import {expect, test} from './house.ts'
import {apply, bulk, confirmButton, counts, goTo, guidOfName, isolateOffline, openJob, plan, receipts, toAudit} from './jobs.ts'
import {
	alert,
	button,
	dialog,
	dialogSays,
	field,
	grid,
	isOff,
	lockFiles,
	main,
	press,
	region,
	savedBy,
	tableRow,
	unlock,
	writesTo,
	shows,
	isShown,
	says,
	decide,
	reads
} from './screens.ts'

// Computers are isolated.
test.use({houseName: 'jobs'})

test('a move that fails in part lists each outcome, and only the failed one is retried', async ({listed: page, service}) => {
	const names = ['OPS-WS-0001', 'OPS-WS-0002', 'OPS-WS-0003', 'OPS-WS-0004', 'OPS-WS-0005', 'OPS-WS-0006']
	await bulk(page, 'move', names)
	await toAudit(page)
	await plan(page, 'Watched more closely')
	await says(tableRow(dialog(page)).filter({hasText: 'OPS-WS-0001'}), /Operations.*Audit/)
	await service.weather('PATCH /v1/computers/*=status:400,after:2,times:1')
	await apply(page)
	await reads(counts(page), /5 done.*1 failed/)
	await openJob(page)
	await service.weather()
	await shows(main(page), 'completed with issues')
	await button(counts(page), '1 failed').click()
	await expect(tableRow(receipts(page))).toHaveCount(2)
	await says(tableRow(receipts(page)).nth(1), /failed/)
	await expect(page).toHaveURL(/outcomes=/)
	await press(page, 'Shift+r')
	await dialogSays(page, 'A new plan of targets that are not done')
	await dialogSays(page, '1 computer, the list is frozen')
	await apply(page)
	await reads(counts(page).last(), '●1 done')
})

test('stopping shows how many were sent and not sent, and what was sent is followed to its end', async ({listed: page, service}) => {
	const names = ['LAB-WS-0002', 'LAB-WS-0005', 'LAB-WS-0006', 'LAB-WS-0007']
	const online = await isolateOffline(page, service, names)
	await reads(counts(page), /1 awaiting confirmation.*3 waiting/)
	await openJob(page)
	await says(page.getByRole('banner'), '1 job · 0 of 4')
	await says(main(page), '1 was sent and keeps its own state')
	await says(main(page), '3 computers will not be sent.')
	await press(page, 's', 'Enter')
	await reads(counts(page), /3 not sent/)
	await online()
	await reads(counts(page), /1 done.*3 not sent/)
	await shows(main(page), 'stopped', true)
	await isShown(button(page, /Retry 3 targets/))
	await press(page, 'Escape')
	await says(tableRow(grid(page, 'Jobs')).nth(1), /stopped.*3 not sent/)
})

test('the kill switch stops a running job at once, and nothing goes on until it is unlocked', async ({listed: page, service}) => {
	const names = ['LAB-LT-0001', 'LAB-LT-0002', 'LAB-LT-0005']
	const online = await isolateOffline(page, service, names)
	await reads(counts(page), /1 awaiting confirmation.*2 waiting/)
	// Also from within a dialog.
	await press(page, 'Control+Shift+l')
	await reads(counts(page), /2 not sent/)
	await openJob(page)
	await says(main(page), 'You switched writing off')
	await online()
	await reads(counts(page), /1 done.*2 not sent/)
	const retry = button(page, /Retry 2 targets/)
	await isOff(retry)
	await unlock(page)
	await expect(retry).not.toHaveAttribute('aria-disabled', 'true')
})

test('a plan that is applied already shows its job, and a plan file that cannot be read says so', async ({listed: page, app, service}) => {
	await bulk(page, 'isolate', ['MKT-LT-0003'])
	await plan(page, 'Beaconing')
	await service.change(await guidOfName(service, 'MKT-LT-0003'), {online: true})
	const {path} = await savedBy(button(dialog(page), 'Save plan'))
	expect(await app.cli('job', 'isolate', '--apply', path)).toMatchObject({code: 0})
	const before = await writesTo(service)
	await confirmButton(page).click()
	await reads(counts(page), '●1 done')
	expect(await writesTo(service)).toEqual(before)
	await openJob(page)
	await goTo(page, '/jobs?act=import')
	await lockFiles(page)
	await dialog(page)
		.getByLabel('Plan file')
		.setInputFiles(import.meta.filename)
	await reads(alert(dialog(page)), 'jobs-trouble.spec.ts could not be opened.')
})

test('a plan whose targets have changed is refused with the difference, and made anew', async ({listed: page, service}) => {
	const names = ['MKT-LT-0002', 'MKT-MBP-001']
	await bulk(page, 'isolate', names)
	await plan(page, 'Beaconing')
	await service.change(await guidOfName(service, 'MKT-MBP-001'), {isolation: 'isolated'})
	const before = await writesTo(service)
	const typed = field(dialog(page), /^Type /)
	if (await typed.isVisible()) await typed.fill('2')
	await page.setViewportSize({width: 1280, height: 360})
	await dialog(page).getByText('Waves', {exact: true}).scrollIntoViewIfNeeded()
	await confirmButton(page).click()
	await says(alert(dialog(page)), 'MKT-MBP-001 has changed since planning')
	await expect(alert(dialog(page))).toBeInViewport()
	await reads(tableRow(dialog(page).getByRole('table')).nth(1), /MKT-MBP-001not isolated.*isolated/)
	await isOff(confirmButton(page))
	expect(await writesTo(service)).toEqual(before)
	await decide(page, 'Create new plan')
	await says(region(dialog(page), 'Skipped'), /Nothing to do.*MKT-MBP-001/s)
	await dialogSays(page, '1 computer, the list is frozen')
})
