/** Files that somebody chooses or drops in the window: the program hashes them by their path. */
import {createHash} from 'node:crypto'
import {mkdir, writeFile} from 'node:fs/promises'
import {join} from 'node:path'

import type {Page} from '@playwright/test'

import {goTo} from '../jobs.ts'
import {button, dialog, press} from '../screens.ts'
import {expect, test} from './desktop.ts'

test('dropped and chosen files are hashed in the program, and their paths never reach the page', async ({shared, profile}) => {
	const {page} = shared
	await goTo(page, '/file-lists')
	await page.getByRole('row', {name: /^Known bad files,/}).dblclick()
	await expect(page.getByText(/hashes · loaded/)).toBeVisible({timeout: 20_000})
	await press(page, 'Shift+E')
	await expect(page.getByRole('group', {name: 'Commit'})).toContainText('staged')
	await listen(page)

	const folder = `${profile}-files`
	await mkdir(join(folder, 'inner'), {recursive: true})
	const [one, two, three] = ['MZ one', 'MZ two', 'MZ three']
	await writeFile(join(folder, 'one.exe'), one)
	await writeFile(join(folder, 'two.exe'), two)
	await writeFile(join(folder, 'inner', 'three.exe'), three)

	await drop(page, [join(folder, 'one.exe')])
	await stage(page)
	await drop(page, [join(folder, 'inner')])
	await stage(page)
	const chooser = page.waitForEvent('filechooser')
	await button(page, /^Files…/).click()
	await (await chooser).setFiles(join(folder, 'two.exe'))
	await stage(page)
	for (const text of [one, two, three])
		await expect(row(page, createHash('sha256').update(text).digest('hex'))).toHaveAccessibleName(/add, ready/)
	const frames = await sent(page)
	const tickets = frames.flatMap(frame => /"u":"\/editor\/hashFile".*"ticket":"([0-9a-f]{32})"/.exec(frame)?.[1] ?? [])
	expect(new Set(tickets).size).toBe(3)
	expect(frames.filter(frame => frame.includes(folder))).toEqual([])
})

/** Like the system, with paths; a page cannot make such a drop by itself. */
async function drop(page: Page, files: readonly string[]): Promise<void> {
	const session = await page.context().newCDPSession(page)
	const data = {items: [], files: [...files], dragOperationsMask: 1}
	for (const type of ['dragEnter', 'dragOver', 'drop'] as const)
		await session.send('Input.dispatchDragEvent', {type, x: 700, y: 500, data})
	await session.detach()
}

function row(page: Page, key: string) {
	return page.getByRole('grid', {name: 'Staged rows'}).getByRole('row', {name: new RegExp(`^${key}`)})
}

async function stage(page: Page): Promise<void> {
	await button(dialog(page), /^Stage [\d,]+ (?:rows?|hash(?:es)?) to add$/).click()
	await expect(dialog(page)).toBeHidden()
}

/** Records what the page sends to the program. */
function listen(page: Page): Promise<void> {
	return page.evaluate(() => {
		const {postMessage} = MessagePort.prototype
		const frames: string[] = []
		Object.assign(window, {sentFrames: frames})
		MessagePort.prototype.postMessage = function (this: MessagePort, ...all: unknown[]) {
			if (typeof all[0] === 'string') frames.push(all[0])
			Reflect.apply(postMessage, this, all)
		}
	})
}

async function sent(page: Page): Promise<readonly string[]> {
	return (await page.evaluate(() => Reflect.get(window, 'sentFrames') as unknown)) as readonly string[]
}
