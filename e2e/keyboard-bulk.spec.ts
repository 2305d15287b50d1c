/** Bulk work and the editor of file lists by keyboard: no test here uses the mouse. Names are what a screen reader says. */
import {expect, test} from './house.ts'
import {confirmButton, counts, receipts} from './jobs.ts'
import {
	button,
	computers,
	dialog,
	field,
	filterBox,
	grid,
	group,
	link,
	listIsRead,
	press,
	reasonOf,
	tableRow,
	tabTo,
	title,
	shows,
	isShown,
	isHidden,
	isFocused,
	reads,
	isNamed,
	thereAre
} from './screens.ts'
import {openEditorHere} from './staging.ts'

// Computers are isolated: in a house of its own, where no other job counts for the guard rules.
test.use({houseName: 'keyboard-bulk'})

test('computers are selected, isolated as a job, opened one by one, and released', async ({listed: page}) => {
	await press(page, '/')
	await page.keyboard.type('name:HR-WS- isolation:not_isolated last_seen<1h')
	await press(page, 'Enter')
	await expect(filterBox(page)).toHaveValue(/HR-WS/)
	await isNamed(tableRow(computers(page)).nth(1), /^HR-WS-\d+, .*isolation: not isolated/)
	await tabTo(page, computers(page))
	await press(page, 'Home', 'x', 'Shift+ArrowDown')
	await shows(page, '2 selected')

	await press(page, 'i')
	await isFocused(reasonOf(page))
	await page.keyboard.type('Beaconing')
	await tabTo(page, button(dialog(page), 'Create plan'))
	await press(page, 'Enter')
	await thereAre(tableRow(dialog(page), /^HR-WS-\d+, not isolated/), 2)
	await expect(confirmButton(page)).not.toBeFocused()
	await tabTo(page, confirmButton(page))
	await press(page, 'Enter')
	await reads(counts(page), '●2 done')
	await expect(dialog(page).getByRole('progressbar', {name: 'Ended targets'})).toHaveAttribute('aria-valuetext', '2 done')
	await tabTo(page, link(dialog(page), 'Open the job'))
	await press(page, 'Enter')

	await thereAre(tableRow(receipts(page), /^HR-WS-\d+, done/), 2)
	const labels = await tableRow(receipts(page), /^HR-WS-\d+, done/).evaluateAll(rows => rows.map(row => row.getAttribute('aria-label') ?? ''))
	await tabTo(page, button(page, '2 done'))
	await press(page, 'Space')
	await expect(page).toHaveURL(/outcomes=/)
	await tabTo(page, receipts(page))
	await press(page, 'Home', 'Enter')
	await reads(title(page), /^HR-WS-/)

	await press(page, 'g', 'c')
	// The selection ended with its job.
	await isHidden(group(page, 'Selection'))
	for (const label of labels) {
		await press(page, '/', 'Control+a')
		await page.keyboard.type(`name=${label.split(',')[0]}`)
		await press(page, 'Enter')
		await isNamed(tableRow(computers(page)).nth(1), new RegExp(`^${label.split(',')[0]}, `))
		await isFocused(computers(page))
		await press(page, 'Home', 'x')
	}
	await shows(page, '2 selected', true)
	await press(page, 'u')
	await isFocused(reasonOf(page))
	await page.keyboard.type('Host is clean')
	await tabTo(page, button(dialog(page), 'Create plan'))
	await press(page, 'Enter')
	await isShown(confirmButton(page))
	await tabTo(page, confirmButton(page))
	await press(page, 'Enter')
	await reads(counts(page), '●2 done')
})

test('a hash is typed, staged, reviewed and committed', async ({page}) => {
	const hash = 'ba5eba11'.repeat(8)
	await listIsRead(page)
	await press(page, 'g', 'f')
	const lists = grid(page, 'Simple custom detections')
	await isShown(tableRow(lists, /^Incident/))
	await tabTo(page, lists)
	await press(page, 'Home', 'Enter')
	await openEditorHere(page)
	await press(page, 'a')
	await isFocused(field(dialog(page)).first())
	await page.keyboard.type(hash)
	await tabTo(page, button(dialog(page), 'Stage 1 row to add'))
	await press(page, 'Enter')
	await isShown(tableRow(page, new RegExp(`^${hash}, add, ready`)))
	await press(page, 'Control+s')
	await isFocused(reasonOf(page))
	await page.keyboard.type('case 7')
	await tabTo(page, button(dialog(page), 'Check and plan'))
	await press(page, 'Enter')
	const commit = button(dialog(page), /^Commit 1 change to /)
	await tabTo(page, commit)
	await press(page, 'Enter')
	await reads(counts(page), '●1 done')
})
