/** Weather over the list of computers, from the first reading on. */
import type {Page} from '@playwright/test'

import {expect, test, usualSetup, weather} from './fixtures.ts'
import type {SandboxProcess} from './processes.ts'
import {
	alert,
	areListed,
	askToIsolate,
	button,
	computers,
	dialogIsGone,
	dialogSays,
	expectIsolation,
	filterBox,
	isolation,
	listIsRead,
	main,
	openComputer,
	press,
	receipt,
	tableRow,
	writesTo,
	shows,
	isShown,
	isHidden,
	says,
	decide,
	push,
	thereAre
} from './screens.ts'

test.describe.configure({mode: 'parallel'})

const pages = ['--computers', '1800', '--seed', 'e2e', '--agent-delay', '400']

test.describe('a service that is late', () => {
	test.use({setup: weather('GET /v1/computers=latency:60000')})

	test('shows skeleton rows until the list is there, and never an empty list', async ({page, service}) => {
		await expect(computers(page)).toHaveAttribute('aria-busy', 'true')
		await isShown(tableRow(computers(page), 'Loading').first())
		await shows(page, 'loading page 1')
		const seen = page.getByText(/No computers yet|No computer matches/)
		await thereAre(seen, 0)
		await service.weather()
		await listIsRead(page)
		await thereAre(seen, 0)
		await areListed(page)
	})
})

test.describe('a page of the list that fails', () => {
	test.use({setup: {...usualSetup, service: [...pages, '--weather', 'GET /v1/computers?*offset=1000*=500']}})

	test('is named in a banner, loaded rows are kept, and a refresh completes the list', async ({page, service}) => {
		const banner = page.getByText(/Page 3 could not be loaded: .*The list is incomplete/)
		await isShown(banner)
		await shows(main(page), '1,300 of 1,800 computers loaded')
		await filterBox(page).fill('name:FIN-')
		await shows(main(page), /≥ [\d,]+ of the 1,300 loaded computers/)
		await service.weather()
		await push(page, 'Reload this page')
		await isHidden(banner)
		await shows(main(page), /of the 1,800 computers/)
	})
})

test.describe('a service whose clock is ahead', () => {
	test.use({setup: weather('* /v1/*=skew:300')})

	test('shows the difference in a banner', async ({listed: page}) => {
		await shows(page, /This computer.s clock is [45] min behind the service.s/)
	})
})

test.describe('a service that fails from the start', () => {
	test.use({setup: weather('GET /v1/computers=500')})

	test('shows the failure in place of the list, and "Try again" loads it', async ({page, service}) => {
		const failure = alert(page).filter({hasText: 'Could not load the computers'})
		await says(failure, /status 500\).*Request [0-9a-f-]{36}/)
		await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
		await push(failure, 'Copy request as cURL, without the key')
		await isShown(button(failure, 'Copied'))
		const copied = await page.evaluate(() => navigator.clipboard.readText())
		expect(copied).toMatch(/^curl --include --user CLIENT_ID .* 'http:\/\/127\.0\.0\.1:\d+\/v1\/computers\?[^']*'$/)
		await service.weather()
		await push(failure, 'Try again')
		await listIsRead(page)
		await areListed(page)
	})
})

const host = 'FIN-LT-0231'
const isolateIn = async (weather: string, page: Page, service: SandboxProcess) => {
	await openComputer(page, host)
	const confirm = await askToIsolate(page, host, 'Beaconing')
	await service.weather(`PUT /v1/computers/*/isolation=${weather},times:1`)
	await confirm.click()
}

test('an isolation whose answer is lost after it took effect: the state is checked and shown, and nothing is sent twice', async ({
	page,
	service
}) => {
	await isolateIn('drop', page, service)
	await dialogIsGone(page)
	await expect(isolation(page)).toHaveAccessibleName(/isolating|isolated/)
	await expectIsolation(page, 'isolated')
	await says(receipt(page, 'confirmed'), 'isolated')
	const counts = Object.entries(await service.requests()).filter(([name]) => name.startsWith('PUT '))
	expect(counts.map(([, count]) => count)).toEqual([1])
})

test('an isolation whose answer is lost before it took effect: nothing claims that it did', async ({page, service}) => {
	await isolateIn('reset', page, service)
	await dialogSays(page, /answer to the request was lost.*Checked afterwards: not isolated/)
	await dialogSays(page, 'Nothing was sent again')
	await press(page, 'Escape')
	await expectIsolation(page, 'not_isolated')
	await isShown(receipt(page, 'unknown'))
})

test('while an isolation hangs, Stop says that it may have taken effect', async ({page, service}) => {
	await isolateIn('hang', page, service)
	// The intent goes to the disk before the request goes out: until then, a stop stops all of it.
	await expect.poll(async () => await writesTo(service)).toHaveLength(1)
	await decide(page, 'Stop')
	await dialogSays(page, /The change may have been sent and applied/)
	await press(page, 'Escape')
	// What was sent is awaited anyway: the receipt tells what is known, and that nothing is known once it is cut.
	await says(receipt(page, 'accepted'), 'waiting for the service')
	await service.stop()
	await isShown(receipt(page, 'unknown'))
})
