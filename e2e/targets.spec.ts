/** Event streams and targets on the screen Automation. */
import {mkdtempSync, readFileSync, rmSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'

import {hasNoViolations} from './axe.ts'
import {expect, test} from './house.ts'
import {goTo} from './jobs.ts'
import {dialog} from './screens.ts'

test.use({houseName: 'targets'})

test('a target is added, tested, sent to and removed, and without a broker the screen says so', async ({page}) => {
	const folder = mkdtempSync(join(tmpdir(), 'targets-'))
	const path = join(folder, 'out.jsonl')
	await goTo(page, '/automation')
	const streams = page.getByRole('region', {name: 'Event stream', exact: true})
	await streams.getByRole('button', {name: 'Create event stream'}).click()
	await expect(streams.getByRole('alert')).toBeVisible()
	const targets = page.getByRole('region', {name: 'Targets'})
	await targets.getByRole('button', {name: 'Add target…'}).click()
	await hasNoViolations(page)
	await dialog(page).getByRole('textbox', {name: 'Name'}).fill('archive')
	await dialog(page).getByRole('textbox', {name: 'Path'}).fill(path)
	await dialog(page).getByText('Begin with what is stored already').click()
	await dialog(page).getByRole('button', {name: 'Add target'}).click()
	const row = targets.getByRole('row').filter({hasText: 'archive'})
	await expect(row).toContainText('live')
	await row.getByRole('button', {name: 'Test archive'}).click()
	await expect(targets).toContainText('archive accepted the test message')
	await expect.poll(() => readFileSync(path, 'utf8')).toContain('Added the target archive.')
	await hasNoViolations(page)
	await row.getByRole('button', {name: 'Remove…'}).click()
	await dialog(page).getByRole('button', {name: 'Remove target'}).click()
	await expect(targets).toContainText('No targets yet.')
	rmSync(folder, {recursive: true})
})
