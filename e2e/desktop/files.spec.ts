/** Files that somebody chooses or drops in the window: the program hashes them by their path. */
import {hash} from 'node:crypto'
import {mkdir, writeFile} from 'node:fs/promises'
import {join} from 'node:path'

import type {Page} from '@playwright/test'

import {goTo} from '../jobs.ts'
import {button} from '../screens.ts'
import {drop, openEditor, stage, stagedRow} from '../staging.ts'
import {expect, test} from './desktop.ts'

test('dropped and chosen files are hashed in the program, and their paths never reach the page', async ({shared, profile}) => {
	const {page} = shared
	await goTo(page, '/file-lists')
	await openEditor(page)
	await listen(page)

	const folder = `${profile}-files`
	await mkdir(join(folder, 'inner'), {recursive: true})
	const [one, two, three] = ['MZ one', 'MZ two', 'MZ three']
	await writeFile(join(folder, 'one.exe'), one)
	await writeFile(join(folder, 'two.exe'), two)
	await writeFile(join(folder, 'inner', 'three.exe'), three)

	await drop(page, join(folder, 'one.exe'))
	await stage(page)
	await drop(page, join(folder, 'inner'))
	await stage(page)
	const chooser = page.waitForEvent('filechooser')
	await button(page, /^Files…/).click()
	await (await chooser).setFiles(join(folder, 'two.exe'))
	await stage(page)
	for (const text of [one, two, three]) await expect(stagedRow(page, hash('sha256', text, 'hex'))).toHaveAccessibleName(/add, ready/)
	const frames = await sent(page)
	const tickets = frames.flatMap(frame => /"u":"\/editor\/hashFile".*"ticket":"([0-9a-f]{32})"/.exec(frame)?.[1] ?? [])
	expect(new Set(tickets).size).toBe(3)
	expect(frames.filter(frame => frame.includes(folder))).toEqual([])
})

/** Records what the page sends to the program. */
function listen(page: Page) {
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

async function sent(page: Page) {
	return (await page.evaluate(() => Reflect.get(window, 'sentFrames') as unknown)) as readonly string[]
}
