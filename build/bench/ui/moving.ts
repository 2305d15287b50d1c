/** The cost of our own script in each frame while rows scroll and a trajectory pans. */
import type {Page} from '@playwright/test'

import type {Figure} from '../measure.ts'
import {framesDuring, type Frames} from './frames.ts'
import type {Stage} from './stage.ts'

export async function scrolling(stage: Stage, path: string, grid: string): Promise<readonly Figure[]> {
	const {browser, page, visit} = stage
	await visit(path)
	const table = page.getByRole('grid', {name: grid}).first()
	await table.getByRole('row').nth(5).waitFor()
	const {x, y} = await middleOf(page, table)
	await page.mouse.move(x, y)
	return figuresOf(`scrolling ${grid}`, await framesDuring(browser, page, () => wheel(page, 240)))
}

async function wheel(page: Page, turns: number) {
	for (let turn = 0; turn < turns; turn += 1) await page.mouse.wheel(0, turn % 60 < 40 ? 220 : -160)
}

/** Zooms in first, because the full time cannot pan; then drags to and fro. */
export async function panning({browser, page}: Stage, lanes: ReturnType<Page['locator']>): Promise<readonly Figure[]> {
	const {x, y} = await middleOf(page, lanes)
	await page.mouse.move(x, y)
	for (let turn = 0; turn < 3; turn += 1) await page.mouse.wheel(0, -120)
	await page.mouse.down()
	const frames = await framesDuring(browser, page, async () => {
		for (let step = 0; step < 240; step += 1) await page.mouse.move(x + 300 * Math.sin(step / 12), y)
	})
	await page.mouse.up()
	return figuresOf('panning the trajectory', frames)
}

async function middleOf(page: Page, part: ReturnType<Page['locator']>) {
	const box = await part.boundingBox()
	if (box === null) throw new Error(`nothing to see on ${page.url()}`)
	return {x: box.x + box.width / 2, y: box.y + box.height / 2}
}

function figuresOf(name: string, {scriptMs, longTasksMs}: Frames): readonly Figure[] {
	const longest = longTasksMs.length === 0 ? [0] : longTasksMs
	return [
		{name: `${name}: our script in a frame`, unit: 'ms', values: scriptMs, target: '8 or less'},
		{name: `${name}: tasks above 50 ms`, unit: 'ms', values: longest, target: 'none'}
	]
}
