import {rmSync} from 'node:fs'

import {findChromium, getChromium} from './chromium.mjs'
import {counted} from './checks.mjs'
import {memoryFolder} from './memory-folder.mjs'
import {at, cached} from './paths.mjs'
import {readJson} from './read-json.mjs'
import {runTool} from './run.mjs'
import {say} from './say.mjs'

/** Runs Playwright's project "browser"; `args` go to Playwright. */
export function browserTests(args = []) {
	return {
		name: 'End to end (Playwright)',
		run: node => {
			const browser = findChromium(node) ?? getChromium(node)
			if (browser === undefined) {
				say('No browser could be found or installed, so nothing can be proved here.')
				return counted(false)
			}
			const env = {...process.env, ...memoryFolder(), CORDON_CHROMIUM: browser}
			const command = [node, at('node_modules', '@playwright', 'test', 'cli.js')]
			return playwright(command, ['--project=browser', ...args], {file: cached('playwright.json'), env})
		}
	}
}

/** Runs Playwright with this command and counts the results in its report file. */
export function playwright([program, ...before], args, {file, env}) {
	rmSync(file, {force: true})
	const words = ['test', '--config', at('e2e', 'playwright.config.ts'), '--reporter=list,json', ...args]
	const {ok} = runTool(program, [...before, ...words], {env: {...env, PLAYWRIGHT_JSON_OUTPUT_NAME: file}})
	const report = readJson(file)
	const {expected = 0, unexpected = 0, flaky = 0, skipped = 0} = report.stats ?? {}
	if (flaky > 0) say(`  ${flaky} needed a second try; the list above names them.`)
	const notes = (report.suites ?? []).flatMap(skippedIn)
	return {passed: expected + flaky, failed: ok ? 0 : Math.max(unexpected, 1), skipped, notes}
}

/**
 * What a suite of the report left out, by name and with the reason.
 * @param {{ suites?: readonly any[], specs?: readonly any[] }} suite
 * @returns {string[]}
 */
export function skippedIn({suites = [], specs = []}) {
	const own = specs.flatMap(({title, tests = []}) =>
		tests
			.filter(({status}) => status === 'skipped')
			.map(({annotations = []}) => {
				const reason = annotations.find(({type}) => type === 'skip')?.description ?? 'no reason given'
				return `Skipped: "${title}" (${reason}).`
			})
	)
	return [...own, ...suites.flatMap(skippedIn)]
}
