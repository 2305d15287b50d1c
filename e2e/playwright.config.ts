import {join} from 'node:path'

import {defineConfig} from '@playwright/test'

import {patienceMs} from './expect.ts'

// A test writes nothing into the key store of whoever runs it.
process.env['CORDON_KEY_STORE'] ??= 'off'

/** `npm run e2e` tells where Chromium is; it asks for it when it must be installed first. */
const executablePath = process.env['CORDON_CHROMIUM'] ?? '/usr/bin/chromium'

export default defineConfig({
	testDir: '.',
	// The desktop pass may run as somebody who may not write into the checkout.
	outputDir: process.env['CORDON_DESKTOP_OUTPUT'] ?? '../test-results',
	projects: [
		// In whole: the checkout itself may lie in a folder of that name.
		// The headless shell does not allow by itself what a click allows a page in the browser.
		// Charts and dialogs in motion are a sixth of the processor's work; the window of the desktop pass moves.
		{
			name: 'browser',
			testIgnore: join(import.meta.dirname, 'desktop', '**'),
			use: {permissions: ['clipboard-write'], contextOptions: {reducedMotion: 'reduce'}}
		},
		{name: 'desktop', testDir: './desktop', fullyParallel: true}
	],
	// They fill two cores. A file stays with one, which keeps its house; the last files do not, so that both end together.
	workers: 2,
	forbidOnly: process.env['CI'] !== undefined,
	// A shared runner under load may lose a race with a real browser; the report names what needed a second try.
	retries: process.env['CI'] === undefined ? 0 : 1,
	// Long enough for a machine that has other work; what is measured is measured by the bench.
	timeout: 300_000,
	expect: {timeout: patienceMs},
	use: {
		browserName: 'chromium',
		viewport: {width: 1440, height: 900},
		locale: 'en-GB',
		timezoneId: 'UTC',
		screenshot: 'only-on-failure',
		// Recording every test would keep the processors busy for nothing.
		trace: 'on-first-retry',
		launchOptions: {
			executablePath,
			args: [
				// React makes errors while it loads. For a listening debugger V8 parses the whole page again to place them (90 ms a page).
				// A page lives for seconds: to optimise its code takes longer than the code.
				'--js-flags=--no-enable-lazy-source-positions --no-maglev --no-turbofan',
				// Only here, in a container run by root, and only for the tests' own pages.
				...(process.getuid?.() === 0 ? ['--no-sandbox'] : [])
			]
		}
	}
})
