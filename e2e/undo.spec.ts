/** The undo list: what would be sent is shown first, the old value is checked, and what cannot be undone says why. */
import {writeFile} from 'node:fs/promises'
import {join} from 'node:path'

import type {Page} from '@playwright/test'

import {hasNoViolations} from './axe.ts'
import {expect, test} from './house.ts'
import {apply, bulk, confirmButton, counts, goTo, guidOfName, openPalette, plan, toAudit} from './jobs.ts'
import {askService} from './processes.ts'
import {
	button,
	closeDialog,
	commandLine,
	decide,
	dialog,
	dialogIsGone,
	dialogSays,
	filterBox,
	grid,
	heading,
	isOff,
	link,
	listIsRead,
	main,
	runLine,
	tableRow,
	tenant,
	withoutWatch,
	writesTo,
	pressIn,
	isShown,
	isHidden,
	isFocused,
	says,
	reads,
	thereAre,
	push
} from './screens.ts'

// A console of its own: what tests of other files changed would stand in the list.
test.use({houseName: 'undo'})

const sha256 = 'c0ffee'.repeat(10) + 'abcd'

function list(page: Parameters<typeof goTo>[0]) {
	return grid(dialog(page), 'Changes that can be undone')
}

test('nothing was changed: the list says so, and Ctrl+Z in a field undoes typing', async ({listed: page}) => {
	const box = filterBox(page)
	await box.fill('name:FIN')
	await box.press('Control+z')
	await thereAre(dialog(page), 0)
	await pressIn(grid(page, 'Computers'), 'Control+z')
	await dialogSays(page, 'No changes in the last 24 hours')
	await hasNoViolations(page)
})

test('a move by a job is undone for computers still in place; one moved since stays', async ({listed: page, service}) => {
	const names = ['OPS-WS-0007', 'OPS-WS-0008', 'OPS-WS-0010']
	await bulk(page, 'move', names)
	await toAudit(page)
	await plan(page, 'By mistake')
	await apply(page)
	await reads(counts(page), '●3 done')
	await expect(button(dialog(page), 'Undo…')).toBeEnabled()
	await button(dialog(page), 'Close').last().click()

	const guid = await guidOfName(service, 'OPS-WS-0010')
	const elsewhere = await groupOfName(service, 'FIN-WS-0001')
	await service.change(guid, {group_guid: elsewhere})
	const before = await writesTo(service)
	await pressIn(grid(page, 'Computers'), 'Control+z')
	await says(tableRow(list(page)).nth(1), /3 computers.*can be undone/)
	await pressIn(list(page), 'Home', 'Enter')
	await dialogSays(page, 'Will be sent: 2 changes')
	await dialogSays(page, 'Moves OPS-WS-0007 back to the group Operations.')
	await dialogSays(page, '1 target changed since this change')
	await says(dialog(page).getByRole('table'), 'OPS-WS-0010')
	await isFocused(button(dialog(page), 'Cancel'))
	await hasNoViolations(page)
	expect(await writesTo(service)).toEqual(before)
	await confirmButton(page).click()
	await reads(counts(page), '●2 done')
	expect(await groupOfName(service, 'OPS-WS-0007')).toBe(await groupOfName(service, 'OPS-WS-0011'))
	expect(await groupOfName(service, 'OPS-WS-0010')).toBe(elsewhere)
	await decide(page, 'Back to the list')
	await expect(tableRow(list(page)).filter({hasText: '3 computers'})).toHaveAccessibleName(/, undone$/)
	await closeDialog(page)
	await goTo(page, '/jobs')
	await tableRow(page, /^Move 3 computers/).dblclick()
	await isOff(button(main(page), 'Undo…'))
})

test('a hash is removed from the list again, and a second undo says that it was undone', async ({listed: page, service}) => {
	const blocked = await fileListOf(service)
	await addHash(page, blocked, sha256)
	await commandLine(page).press('Escape')
	await openPalette(page, 'undo history')
	const row = tableRow(list(page)).nth(1)
	await says(row, /1 hash.*can be undone/)
	await row.click()
	await decide(page, 'Show what would be sent')
	await dialogSays(page, 'Will be sent: 1 change')
	const limit = main(page).getByText('API limit reached')
	await service.weather('DELETE /v1/file_lists/*=429:9,times:1')
	await confirmButton(page).click()
	await isShown(limit)
	await dialogSays(page, /Waiting for the API limit: resumes at [\d:]+.*, in 00:0\d/)
	// Without the dialog nothing would tell that it is sent later.
	await decide(page, 'Stop')
	await isHidden(limit)
	await openPalette(page, 'undo history')
	await says(row, /1 hash.*can be undone/)
	await row.dblclick()
	await confirmButton(page).click()
	await isShown(heading(dialog(page), 'Change undone'))
	await link(dialog(page), 'Open its incident log entry').click()
	await thereAre(dialog(page), 0)
	await openPalette(page, 'undo history')
	const undone = tableRow(list(page), /, undone$/).first()
	await undone.dblclick()
	await dialogSays(page, 'This change was already undone.')
	await isOff(confirmButton(page))
})

test('what would load many objects says so first, with its calls', async ({page, app, service}) => {
	const read = async (...line: string[]) =>
		(JSON.parse((await app.cli(...line, '--json')).stdout) as {data: readonly {guid: string; name: string; product: string}[]}).data
	const policy = (await read('svc_get_policies')).find(({name, product}) => product === 'windows' && name === 'Triage')
	const file = join(app.profile, 'groups.txt')
	await writeFile(file, (await read('svc_get_groups', '--limit', '9')).map(({guid}) => guid).join('\n'))
	const job = ['job', 'policies', '--targets', file, '--windows', policy?.guid ?? '', '--reason', 'harder'] as const
	const asked = await app.cli(...job)
	const done = await app.cli(...job, '--confirm', /--confirm (\d+)/.exec(asked.stderr)?.[1] ?? '')
	expect(done.code, done.stderr).toBe(0)
	await listIsRead(page)
	await goTo(page, '/jobs')
	await push(page, /^Undo history/)
	const before = withoutWatch(await service.requests())
	await tableRow(list(page), /such as: .*can be undone$/)
		.first()
		.dblclick()
	await dialogSays(page, /takes (?:[5-9]|1\d) calls/)
	expect(withoutWatch(await service.requests())).toEqual(before)
	await decide(page, /^Load the current state: \d+ calls$/)
	await dialogSays(page, 'Cost')
	await hasNoViolations(page)
})

test('a state that cannot be loaded sends nothing, and is queried again', async ({listed: page, service}) => {
	await addHash(page, await fileListOf(service), 'decade'.repeat(10) + 'abcd')
	await service.weather('GET /v1/computers*=status:401', 'GET /v1/file_lists*=status:401')
	await goTo(page, '/jobs')
	await push(page, /^Undo history/)
	await tableRow(list(page), /, can be undone$/)
		.first()
		.dblclick()
	await dialogSays(page, 'Could not load the current state, so nothing can be sent')
	await service.weather()
	await decide(page, 'Check again')
	await dialogSays(page, 'Cost')
})

async function addHash(page: Page, fileList: string, hash: string) {
	await runLine(page, `svc_set_file_list_files_by_sha file_list_guid=${fileList} sha256=${hash}`)
	await decide(page, new RegExp(` in ${tenant}$`))
	await dialogIsGone(page)
}

/** GUID of the group of the first computer of that name. */
async function groupOfName(service: Parameters<typeof guidOfName>[0], hostname: string) {
	const [found] = await askService<readonly {group_guid: string}[]>(service, `computers?hostname=${hostname}`)
	return found?.group_guid ?? 'none'
}

async function fileListOf(service: Parameters<typeof guidOfName>[0]) {
	const [found] = await askService<readonly {guid: string}[]>(service, 'file_lists/simple_custom_detections')
	return found?.guid ?? 'none'
}
