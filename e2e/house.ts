/**
 * One service and one console for many tests of a worker, which leave things as they found them; the weather clears after
 * each. Every test has its own browser context and page. A file whose tests change what others read has a house under its
 * own name.
 */
import {mkdtemp, rm} from 'node:fs/promises'
import {tmpdir} from 'node:os'
import {join} from 'node:path'

import {test as base, type Browser, type BrowserContextOptions, type Page} from '@playwright/test'

import {addConnection, expect, listedPage, openConsole, usualSetup, visit, type Console, type Setup} from './fixtures.ts'
import {startSandbox, type SandboxProcess} from './processes.ts'

interface House {
	service: SandboxProcess
	app: Console
	/** The cookie of a signed-in browser. */
	entered: Exclude<BrowserContextOptions['storageState'], string | undefined>
	close(): Promise<void>
}

/** At once; the one used longest ago goes. */
const most = 3

interface Fixtures {
	houseSetup: Setup
	houseName: string
	house: House
	service: SandboxProcess
	app: Console
	/** Console messages that this test provokes. */
	expected: RegExp[]
	page: Page
	/** The page, once its list has come in. */
	listed: Page
}

export const test = base.extend<Fixtures, {houses: Map<string, House>}>({
	// Whatever house a file names: each worker starts a browser.
	houses: [
		// eslint-disable-next-line no-empty-pattern -- Playwright reads the pattern
		async ({}, use) => {
			const houses = new Map<string, House>()
			await use(houses)
			for (const {close} of houses.values()) await close()
		},
		{scope: 'worker'}
	],
	houseSetup: [usualSetup, {option: true}],
	houseName: ['shared', {option: true}],

	house: async ({houses, houseName, houseSetup, browser}, use) => {
		const key = JSON.stringify([houseName, houseSetup])
		const house = houses.get(key) ?? (await openHouse(houseSetup, browser))
		houses.delete(key)
		houses.set(key, house)
		for (const [oldest, {close}] of houses) {
			if (houses.size <= most) break
			houses.delete(oldest)
			await close()
		}
		await use(house)
	},

	expected: [[], {option: true}],
	storageState: async ({house}, use) => await use(house.entered),
	app: async ({house}, use) => await use(house.app),

	service: async ({house}, use) => {
		await use(house.service)
		await house.service.weather()
	},

	// After the service: the weather clears before the page goes.
	page: async ({page, app, service: _service, expected}, use) => await visit(page, `http://127.0.0.1:${app.port()}/#/computers`, expected, use),
	listed: listedPage
})

export {expect}

async function openHouse({service: words, connection, console, managed}: Setup, browser: Browser): Promise<House> {
	const folder = await mkdtemp(join(tmpdir(), 'cordon-e2e-'))
	const service = await startSandbox(words)
	const profile = join(folder, 'profile')
	await addConnection(profile, folder, service, connection)
	const app = await openConsole(profile, console, [], managed)
	const context = await browser.newContext()
	await (await context.newPage()).goto(app.entry())
	const entered = await context.storageState()
	await context.close()
	const close = async () => {
		await app.stop()
		await service.stop()
		await rm(folder, {recursive: true, force: true})
	}
	return {service, app, entered, close}
}
