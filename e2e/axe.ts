import type {Page} from '@playwright/test'
import axe, {type run} from 'axe-core'

import {expect} from './expect.ts'

const tagged: axe.RunOnly = {type: 'tag', values: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']}

/**
 * Fails with axe's findings on the page, by all rules or the named ones. Nothing moves meanwhile, so that axe measures no
 * colour in transition. It runs in the page itself: none of our pages has a frame.
 */
export async function hasNoViolations(page: Page, only?: string[]) {
	if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(axe.source)
	const found = await page.evaluate(violationsNow, only === undefined ? tagged : ({type: 'rule', values: only} as const))
	expect(found).toEqual([])
}

/** In light and in dark; what is the same in every colour is checked once. Afterwards it is light. */
export async function isAccessible(page: Page) {
	await hasNoViolations(page)
	await page.emulateMedia({colorScheme: 'dark'})
	await hasNoViolations(page, ['color-contrast', 'link-in-text-block'])
	await page.emulateMedia({colorScheme: 'light'})
}

/** Runs in the page. */
async function violationsNow(runOnly: axe.RunOnly) {
	// A change of style may begin with the next frame.
	for (let quiet = 0; quiet < 3;) {
		const moving = document.getAnimations().filter(({playState}) => playState === 'running')
		await Promise.all(moving.map(animation => animation.finished.catch(() => {})))
		quiet = moving.length === 0 ? quiet + 1 : 0
		await new Promise(requestAnimationFrame)
	}
	const {violations} = await globalThis.axe.run(document, {runOnly, resultTypes: ['violations']})
	return violations.flatMap(({id, help, nodes}) =>
		nodes.map(({target, failureSummary}) => `${id}: ${help}\n  ${target.join(' ')}\n  ${failureSummary ?? ''}`)
	)
}

declare global {
	var axe: {run: typeof run}
}
