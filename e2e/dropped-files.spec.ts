/** Real files dropped on the list editor: bad ones are named, and nothing loops. */
import {hash} from 'node:crypto'
import {mkdir, mkdtemp, rm, symlink, writeFile} from 'node:fs/promises'
import {tmpdir} from 'node:os'
import {join} from 'node:path'

import {expect, test} from './house.ts'
import {button, dialog, list, listItem, press, isShown, isNamed} from './screens.ts'
import {drop, openEditor, stage, stagedRow} from './staging.ts'

let folder: string

test.beforeEach(async () => {
	folder = await mkdtemp(join(tmpdir(), 'cordon-dropped-'))
})
test.afterEach(() => rm(folder, {recursive: true, force: true}))

test('the empty file is refused, a CSV with SHA-1 is named, and a folder with links in a circle comes to an end', async ({listed: page}) => {
	await press(page, 'g', 'f')
	await openEditor(page)

	await writeFile(join(folder, 'nothing.bin'), '')
	await drop(page, join(folder, 'nothing.bin'))
	await stage(page)
	await isNamed(stagedRow(page, 'e3b0c442'), /refused, .*empty file/)

	await writeFile(join(folder, 'iocs.csv'), `indicator,note\n${'ab'.repeat(20)},old\n`)
	await drop(page, join(folder, 'iocs.csv'))
	await isShown(button(dialog(page), 'Continue'))
	await press(page, 'Control+Enter')
	await stage(page)
	await isNamed(stagedRow(page, 'ab'.repeat(20)), /refused, This is a SHA-1/)

	const tools = join(folder, 'tools')
	await mkdir(join(tools, 'inner'), {recursive: true})
	await writeFile(join(tools, 'inner', 'one.exe'), 'MZ one')
	await symlink(tools, join(tools, 'inner', 'back'))
	await symlink(join(tools, 'inner', 'round'), join(tools, 'inner', 'round'))
	await drop(page, tools)
	await expect(listItem(list(dialog(page), 'Files'))).toHaveCount(1)
	await stage(page)
	await isNamed(stagedRow(page, hash('sha256', 'MZ one', 'hex')), /add, ready, note: one\.exe/)
})
