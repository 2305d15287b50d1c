/**
 * One service and one console for many tests of a worker, which leave things as they found them; the weather clears after
 * each. Every test has its own browser context and page. A file whose tests change what others read has a house under its
 * own name.
 */
import {mkdtemp, rm} from 'node:fs/promises'
import {tmpdir} from 'node:os'
import {join} from 'node:path'

import {test as base, type BrowserContextOptions, type Page} from '@playwright/test'

import {addConnection, expect, openConsole, usualSetup, watch, type Console, type Setup} from './fixtures.ts'
import {startSandbox, type SandboxProcess} from './processes.ts'

interface House {
	service: SandboxProcess
	app: Console
	/** The cookie of a signed-in browser. */
	entered: Exclude<BrowserContextOptions['storageState'], string | undefined>
}

interface WorkerFixtures {
	houseSetup: Setup
	houseName: string
	house: House
}

interface Fixtures {
	service: SandboxProcess
	app: Console
	/** Console messages that this test provokes. */
	expected: RegExp[]
	page: Page
}

export const test = base.extend<Fixtures, WorkerFixtures>({
	houseSetup: [usualSetup, {option: true, scope: 'worker'}],
	houseName: ['shared', {option: true, scope: 'worker'}],

	house: [
		async ({houseSetup, houseName: _houseName, browser}, use) => {
			const folder = await mkdtemp(join(tmpdir(), 'cordon-e2e-'))
			const service = await startSandbox(houseSetup.service)
			const profile = join(folder, 'profile')
			await addConnection(profile, folder, service, houseSetup.connection)
			const app = await openConsole(profile, houseSetup.console, [], houseSetup.managed)
			const context = await browser.newContext()
			await (await context.newPage()).goto(app.entry())
			const entered = await context.storageState()
			await context.close()
			await use({service, app, entered})
			await app.stop()
			await service.stop()
			await rm(folder, {recursive: true, force: true})
		},
		{scope: 'worker'}
	],

	expected: [[], {option: true}],
	storageState: async ({house}, use) => await use(house.entered),
	app: async ({house}, use) => await use(house.app),

	service: async ({house}, use) => {
		await use(house.service)
		await house.service.weather()
	},

	// After the service: the weather clears before the page goes.
	page: async ({page, app, service: _service, expected}, use) => {
		const problems = watch(page, expected)
		await page.goto(`http://127.0.0.1:${app.port()}/#/computers`)
		await use(page)
		expect(problems, 'console errors, exceptions and policy violations of the page').toEqual([])
	}
})

export {expect}
