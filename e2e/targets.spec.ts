/** Event streams and targets on the screen Automation. */
import {mkdtempSync, readFileSync, rmSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'

import {hasNoViolations} from './axe.ts'
import {onBrokenDisk} from './broken-disk.ts'
import {expect, test} from './house.ts'
import {goTo} from './jobs.ts'
import {alert, decide, dialog, region, tableRow, isShown, says, thereAre, push, enter} from './screens.ts'

test.use({houseName: 'targets'})

test('a target is added, tested, sent to and removed, and without a broker the screen says so', async ({page, app}) => {
	const folder = mkdtempSync(join(tmpdir(), 'targets-'))
	const path = join(folder, 'out.jsonl')
	await goTo(page, '/automation')
	const streams = region(page, 'Event stream', true)
	await push(streams, 'Create event stream')
	await isShown(alert(streams))
	const targets = region(page, 'Targets')
	await push(targets, 'Add target…')
	await hasNoViolations(page)
	await enter(page, 'Name', 'archive')
	await enter(page, 'Path', path)
	await dialog(page).getByText('Begin with stored entries').click()
	await decide(page, 'Add target')
	const row = tableRow(targets).filter({hasText: 'archive'})
	await says(row, 'live')
	await push(row, 'Disable archive')
	await says(row, 'off')
	await push(row, 'Enable archive')
	await says(row, 'live')
	await push(row, 'Test archive')
	await says(targets, 'archive accepted the test message')
	await expect.poll(() => readFileSync(path, 'utf8')).toContain('Added the target archive.')
	await hasNoViolations(page)
	rmSync(folder, {recursive: true})
	await push(row, 'Test archive')
	await thereAre(alert(targets), 1)
	await onBrokenDisk(app.profile, 'profile.db', 'UPDATE OF revision ON target', async () => {
		await push(row, 'Disable archive')
		await isShown(alert(targets).filter({hasText: 'the disk is broken'}))
	})
	await thereAre(alert(targets), 2)
	await push(row, 'Remove archive')
	await decide(page, 'Remove target')
	await says(targets, 'No targets yet.')
})
