/** Real files dropped on the list editor: bad ones are named, and nothing loops. */
import {createHash} from 'node:crypto'
import {mkdir, mkdtemp, rm, symlink, writeFile} from 'node:fs/promises'
import {tmpdir} from 'node:os'
import {join} from 'node:path'

import type {Page} from '@playwright/test'

import {expect, test} from './house.ts'
import {button, dialog, listIsRead, press} from './screens.ts'

let folder: string

test.beforeEach(async () => {
	folder = await mkdtemp(join(tmpdir(), 'cordon-dropped-'))
})
test.afterEach(() => rm(folder, {recursive: true, force: true}))

/** Like the system, with paths; a page cannot make such a drop by itself. */
async function drop(page: Page, path: string): Promise<void> {
	const session = await page.context().newCDPSession(page)
	const data = {items: [], files: [path], dragOperationsMask: 1}
	for (const type of ['dragEnter', 'dragOver', 'drop'] as const)
		await session.send('Input.dispatchDragEvent', {type, x: 700, y: 500, data})
	await session.detach()
}

function row(page: Page, key: string | RegExp) {
	return page.getByRole('grid', {name: 'Staged rows'}).getByRole('row', {name: new RegExp(`^${String(key)}`)})
}

async function stage(page: Page): Promise<void> {
	await button(dialog(page), /^Stage [\d,]+ (?:rows?|hash(?:es)?) to add$/).click()
	await expect(dialog(page)).toBeHidden()
}

test('the empty file is refused, a CSV with SHA-1 is named, and a folder with links in a circle comes to an end', async ({
	page,
}) => {
	await listIsRead(page)
	for (const key of ['g', 'f']) await press(page, key)
	await page.getByRole('row', {name: /^Known bad files,/}).dblclick()
	await expect(page.getByText(/hashes · loaded/)).toBeVisible({timeout: 20_000})
	await press(page, 'Shift+E')
	await expect(page.getByRole('group', {name: 'Commit'})).toContainText('staged')

	await writeFile(join(folder, 'nothing.bin'), '')
	await drop(page, join(folder, 'nothing.bin'))
	await stage(page)
	await expect(row(page, 'e3b0c442')).toHaveAccessibleName(/refused, .*empty file/)

	await writeFile(join(folder, 'iocs.csv'), `indicator,note\n${'ab'.repeat(20)},old\n`)
	await drop(page, join(folder, 'iocs.csv'))
	await button(dialog(page), 'Continue').click()
	await stage(page)
	await expect(row(page, 'ab'.repeat(20))).toHaveAccessibleName(/refused, This is a SHA-1/)

	const tools = join(folder, 'tools')
	await mkdir(join(tools, 'inner'), {recursive: true})
	await writeFile(join(tools, 'inner', 'one.exe'), 'MZ one')
	await symlink(tools, join(tools, 'inner', 'back'))
	await symlink(join(tools, 'inner', 'round'), join(tools, 'inner', 'round'))
	await drop(page, tools)
	await expect(dialog(page).getByRole('list', {name: 'Files'}).getByRole('listitem')).toHaveCount(1)
	await stage(page)
	const hash = createHash('sha256').update('MZ one').digest('hex')
	await expect(row(page, hash)).toHaveAccessibleName(/add, ready, note: one\.exe/)
})
