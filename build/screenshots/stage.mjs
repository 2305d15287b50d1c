/** What every part gets: a signed-in page, ways to navigate, and a camera. */
import {writeFileSync} from 'node:fs'
import {join} from 'node:path'

import {say} from '../lib/say.mjs'
import {grid, main, tableRow, title} from './roles.mjs'

export const small = {width: 1280, height: 800}
const lightWidth = 1040
/** Beyond the usual size; the last is what is left of it at 200 % zoom. */
const further = [
	['', {width: 1920, height: 1080}],
	['-2560', {width: 2560, height: 1440}],
	['-zoomed', {width: 640, height: 400}]
]

/**
 * `picture(name)`: for the documents, in both themes; `look(name)`: for review, on request; `wide(name)`: on large
 * screens, and zoomed.
 */
export function makeStage(page, folder, isForLooking, isLight = false) {
	const origin = /^[a-z]+:\/\/[^/]*/.exec(page.url())?.[0]
	const picture = (name, themes = ['light', 'dark']) => shoot(page, {folder, isLight}, name, themes)
	const look = async (name, themes) => {
		if (isForLooking) await picture(name, themes)
	}
	const wide = async name => {
		if (!isForLooking) return
		for (const [suffix, size] of further) {
			await page.setViewportSize(size)
			await picture(`${name}${suffix}`)
		}
		await page.setViewportSize(small)
	}
	// Through an empty page, so that nothing of the previous screen remains.
	const go = async path => {
		await page.goto('about:blank')
		await page.goto(`${origin}/#${path}`)
	}
	return {page, origin, go, picture, look, wide}
}

/** One picture per theme, after movement has come to rest. */
async function shoot(page, {folder, isLight}, name, themes) {
	const camera = await page.context().newCDPSession(page)
	const size = page.viewportSize()
	// The repository's pictures are smaller.
	const view = isLight ? {clip: {x: 0, y: 0, ...size, scale: lightWidth / size.width}, quality: 20} : {quality: 30}
	for (const theme of themes) {
		await page.emulateMedia({colorScheme: theme, reducedMotion: 'reduce'})
		await page.mouse.move(0, 0)
		await page.waitForTimeout(400)
		await page.locator('[data-told]:popover-open').waitFor({state: 'hidden'})
		const path = join(folder, `${name}-${theme}.webp`)
		const {data} = await camera.send('Page.captureScreenshot', {format: 'webp', ...view})
		writeFileSync(path, Buffer.from(data, 'base64'))
		say(path)
	}
	await camera.detach()
}

/** The screen's words, numbers aside, stay the same for a while; a restless screen is pictured as it is. */
export async function isSettled(page) {
	await main(page).waitFor()
	const read = async () => (await main(page).innerText()).replaceAll(/\d/g, '')
	let [before, same] = [await read(), 0]
	for (let look = 0; look < 30 && same < 3; look += 1) {
		await page.waitForTimeout(700)
		const now = await read()
		same = now === before ? same + 1 : 0
		before = now
	}
}

export async function listIsRead(page) {
	await page
		.getByRole('contentinfo')
		.getByText(/Updated .* ago/)
		.waitFor({timeout: 60_000})
}

export async function openComputer({page, go}, hostname) {
	await go(`/computers?filter=${encodeURIComponent(`name:${hostname}`)}`)
	await listIsRead(page)
	await rowOf(page, hostname).dblclick()
	await title(page, hostname).waitFor()
}

export function rowOf(page, hostname) {
	return tableRow(grid(page, 'Computers'), new RegExp(`^${hostname},`))
}
