/** `npm run bench -- ui`: how the page feels with 100,000 computers and a million stored events, in a real browser. */
import {readFileSync} from 'node:fs'

import {row, type Figure} from '../measure.ts'
import {computerFiltering, eventFiltering} from './filters.ts'
import {scrolling} from './moving.ts'
import {heapOf, rendererMemory} from '../page-memory.ts'
import {palette} from './palette.ts'
import {withStage, type Stage} from './stage.ts'
import {trajectory} from './trajectory.ts'

/* The page's memory after an operator walked its screens for long. */

const interactions = Number(process.env['CORDON_BENCH_INTERACTIONS'] ?? 5000)

async function memory(stage: Stage): Promise<readonly Figure[]> {
	const {browser, page} = stage
	const before = await heapOf(page)
	await walk(stage)
	return [
		{name: 'JavaScript heap before', unit: 'MB', values: [before]},
		{name: `JavaScript heap after ${interactions} interactions`, unit: 'MB', values: [await heapOf(page)]},
		{name: 'memory of the page (its renderer process)', unit: 'MB', values: [await rendererMemory(browser, ownShareOf)], target: 'under 300'}
	]
}

async function walk({page, visit}: Stage) {
	const keys = [...Array.from({length: 8}, () => 'ArrowDown'), 'End', 'Home']
	for (let done = 0; done < interactions;) {
		for (const path of ['/computers', '/events', '/overview', '/log']) {
			await visit(path)
			// Not every screen has a table; the keys then go to what has the focus.
			await page.evaluate(() => document.querySelector<HTMLElement>('main [role=grid]')?.focus())
			for (const key of keys) await page.keyboard.press(key)
			done += keys.length + 1
		}
	}
}

/** Proportional memory in MB (Linux only; NaN elsewhere). */
function ownShareOf(pid: number) {
	try {
		return Number(/^Pss:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8'))?.[1]) / 1024
	} catch {
		return Number.NaN
	}
}

const parts: readonly ((stage: Stage) => Promise<readonly Figure[]>)[] = [
	({storeAnswers}) => Promise.resolve(storeAnswers),
	computerFiltering,
	eventFiltering,
	palette,
	stage => scrolling(stage, '/computers', 'Computers'),
	stage => scrolling(stage, '/events', 'Events'),
	stage => scrolling(stage, '/log', 'Incident log'),
	trajectory,
	memory
]

/** Prints each figure at once: all of them take minutes. */
export function benchUi(): Promise<readonly Figure[]> {
	return withStage(async stage => {
		const figures: Figure[] = []
		for (const part of parts) {
			const measured = await part(stage)
			for (const figure of measured) process.stderr.write(`${row(figure)}\n`)
			figures.push(...measured)
		}
		return figures
	})
}
