/** The screens of jobs when something is in the way: a crash, no quota, a refused key, no service, no right to write. */
import {hasNoViolations} from './axe.ts'
import {expect, hostAway, test, usualSetup} from './fixtures.ts'
import {apply, bulk, confirmButton, counts, goTo, isolateOffline, isolationsSent, longAgo, openJob, plan, receipts, toAudit} from './jobs.ts'
import {
	alert,
	button,
	decide,
	dialog,
	dialogSays,
	field,
	grid,
	isOff,
	main,
	press,
	reasonOf,
	savedBy,
	shows,
	tableRow,
	writesTo,
	isShown,
	isHidden,
	says,
	push,
	reads
} from './screens.ts'

const hosts = ['LAB-WS-0002', 'LAB-WS-0005', 'LAB-WS-0006']

test.describe('a program that was killed in the middle of a job', () => {
	test.use({setup: hostAway})

	test('leaves the job interrupted until an operator resumes it: nothing is sent twice', async ({listed: page, service, app}) => {
		const online = await isolateOffline(page, service, hosts)
		await reads(counts(page), /1 awaiting confirmation.*2 waiting/)
		await openJob(page)
		await page.setViewportSize({width: 1280, height: 800})
		const {hash} = new URL(page.url())
		await goTo(page, '/settings')
		for (const choice of ['Large', 'UTC', '12 hours, AM and PM']) await main(page).getByText(choice, {exact: true}).click()
		await goTo(page, hash)
		const requested = receipts(page)
			.getByRole('gridcell', {name: /:.* UTC$/})
			.first()
		await reads(requested, /M UTC$/)
		expect(await requested.evaluate(one => one.scrollWidth - one.clientWidth)).toBe(0)
		await says(receipts(page), 'The service accepted')
		await app.process().stop('SIGKILL')
		longAgo(app.profile)
		await app.start()
		await page.goto(`${app.entry()}${new URL(page.url()).hash}`)
		await shows(main(page), 'interrupted', true)
		await says(page.getByRole('banner'), '1 job interrupted')
		await hasNoViolations(page)
		await online()
		await push(page, 'Recheck and resume')
		await reads(counts(page), '●3 done')
		expect(await isolationsSent(service)).toBe(hosts.length)
	})
})

test.describe('an API limit that is nearly used up', () => {
	test.use({setup: {...usualSetup, service: ['--computers', '300', '--seed', 'e2e', '--quota', '21', '--window', '600']}})

	test('makes a job wait visibly, with the time at which it resumes', async ({listed: page}) => {
		const names = Array.from({length: 16}, (_, index) => `OPS-WS-${String(index + 1).padStart(4, '0')}`)
		await bulk(page, 'move', names)
		await toAudit(page)
		await plan(page, 'Watched more closely')
		await dialogSays(page, /0 left for other work/)
		await apply(page)
		await dialogSays(page, /Waiting for API limit\. .*Resumes in [\d:]+, at \d\d:\d\d/)
		await openJob(page)
		await shows(main(page), 'waiting for API limit', true)
		const bar = page.getByRole('banner')
		await says(bar, 'waiting for API limit')
		await page.setViewportSize({width: 1100, height: 800})
		expect(await bar.evaluate(one => one.scrollWidth - one.clientWidth)).toBe(0)
		expect((await button(bar, /^Search computers/).boundingBox())?.width).toBeGreaterThanOrEqual(200)
		await hasNoViolations(page)
		await push(page, 'Stop job')
		await says(counts(page), 'not sent')
		await expect(counts(page)).not.toContainText(/\bwaiting/)
	})
})

test.describe('a connection that is set to read-only', () => {
	test.use({setup: {...usualSetup, connection: 'locked'}})

	test('plans can be made and saved but not applied, and the reason is shown', async ({listed: page, service}) => {
		await goTo(page, '/jobs')
		await shows(page, 'No jobs yet')
		await says(main(page), 'This connection is read-only')
		await push(page, 'Isolate many computers…')
		await dialogSays(page, 'Nothing can be sent.')
		await field(dialog(page), 'Host names or GUIDs').fill('FIN-WS-0001')
		await plan(page, 'Beaconing')
		await isOff(confirmButton(page))
		expect((await savedBy(button(dialog(page), 'Save plan'))).name).toMatch(/^cordon-plan-.*\.json$/)
		expect(await writesTo(service)).toEqual([])
	})
})

test('a refused key and a service that is away: the plan says why, and can be made again', async ({listed: page, service}) => {
	await service.weather('GET /v1/computers*=status:401')
	await bulk(page, 'isolate', ['FIN-WS-0001'])
	await reasonOf(page).fill('Beaconing')
	await decide(page, 'Create plan')
	await says(alert(dialog(page)), /key/i)
	await service.weather('GET /v1/computers*=500')
	await decide(page, 'Try again')
	await says(alert(dialog(page)), /500/)
	await service.weather('GET /v1/computers*=latency:60000')
	await decide(page, 'Try again')
	await dialogSays(page, /Nothing is sent\. \d+ s/)
	await press(page, 'Control+Enter')
	await reads(page.locator('[aria-live]'), 'Checking targets. Nothing is sent.')
	await service.weather()
	await dialogSays(page, '1 computer, the list is frozen')
	await decide(page, 'Back')
	await service.weather('GET /v1/computers*=429:9,times:1')
	await decide(page, 'Create plan')
	await dialogSays(page, /Waiting for the API limit: resumes at [\d:]+.*, in 00:0\d/)
	await dialogSays(page, '1 computer, the list is frozen')
	await expect(dialog(page)).not.toContainText('Waiting for the API limit')
	// Cancel ends the second reading too: no job starts when the limit resets.
	await service.weather('GET /v1/computers*=429:10,times:1')
	await confirmButton(page).click()
	const limit = main(page).getByText('API limit reached')
	await isShown(limit)
	await decide(page, 'Cancel')
	await isHidden(limit)
	await bulk(page, 'isolate', ['FIN-WS-0001'])
	await plan(page, 'Beaconing')
	expect(await writesTo(service)).toEqual([])
})

test('an unknown job is reported, and every screen of jobs fits at 200% zoom and in the dark', async ({listed: page}) => {
	await goTo(page, '/jobs/01NOSUCHJOB0000000000000000')
	await shows(page, 'Job not found')
	await page.emulateMedia({colorScheme: 'dark'})
	await bulk(page, 'move', ['FIN-WS-0001', 'FIN-WS-0002'])
	await hasNoViolations(page)
	await toAudit(page)
	await plan(page, 'Watched more closely')
	await page.setViewportSize({width: 640, height: 400})
	await hasNoViolations(page)
	await expect(confirmButton(page)).toBeInViewport()
	await apply(page)
	await reads(counts(page), '●2 done')
	await openJob(page)
	await hasNoViolations(page)
	expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(640)
	await receipts(page).scrollIntoViewIfNeeded()
	await expect(tableRow(receipts(page)).nth(1)).toBeInViewport()
	await press(page, 'Escape')
	await isShown(grid(page, 'Jobs'))
	expect(await grid(page, 'Jobs').evaluate(one => one.scrollWidth - one.clientWidth)).toBe(0)
})
