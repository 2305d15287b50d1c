import {readFile} from 'node:fs/promises'
import {join} from 'node:path'

import {screens} from '#model/screens.ts'

import {goTo} from '../jobs.ts'
import {runCli} from '../processes.ts'
import {
	areListed,
	button,
	dialog,
	dialogIsGone,
	expectIsolation,
	incidentLog,
	isolateByKeyboard,
	listIsRead,
	main,
	openComputer,
	reasonOf,
	receipt,
	tableRow,
	shows,
	isShown,
	says,
	decide,
	thereAre
} from '../screens.ts'
import {expect, test} from './desktop.ts'

const host = 'FIN-LT-0231'

test('the first start leads from the list of sandbox computers to isolated and released', async ({start, profile}) => {
	const {electron, page, problems} = await start()
	await expect(page).toHaveURL(/^cordon:\/\/app\//)
	await listIsRead(page)
	await areListed(page)
	await expect(page).toHaveTitle(/Sandbox · Cordon$/)

	await openComputer(page, host)
	await expectIsolation(page, 'not_isolated')
	await change(page, 'Isolate', 'Beaconing')
	await expectIsolation(page, 'isolated')
	await says(receipt(page, 'confirmed'), 'isolated')
	await change(page, 'Release', 'Host is clean')
	await expectIsolation(page, 'not_isolated')

	// A separate command line reaches the tenant inside the window, and the window reports it.
	const told = await runCli(profile, ['svc_get_computers', '--hostname', host, '--jsonl'])
	expect(JSON.parse(told.stdout)).toMatchObject({hostname: host})
	await goTo(page, '/log')
	const rows = tableRow(incidentLog(page))
	await isShown(rows.filter({hasText: 'List computers.'}).filter({hasText: 'svc_get_computers'}).first())

	expect(problems).toEqual([])
	await electron.close()
	// Closing the window saves its place.
	expect(JSON.parse(await readFile(join(profile, 'window.json'), 'utf8'))).toHaveProperty('bounds.width')
})

test('every screen opens without an error of the page and without a violation of its policy', async ({shared}) => {
	const {page, problems} = shared
	for (const {path, title} of screens) {
		await goTo(page, path)
		await isShown(main(page).getByRole('heading', {level: 1, name: title}))
		await thereAre(main(page).locator('[aria-busy="true"]'), 0)
		expect(problems, path).toEqual([])
	}
})

test('links lead to each screen with its filter and to each object, which open as cleanly', async ({shared}) => {
	const {page, electron, profile, problems} = shared
	await goTo(page, '/computers')
	await listIsRead(page)
	const first = async (command: string): Promise<Readonly<Record<string, string>>> => {
		const {stdout} = await runCli(profile, [command, '--limit', '1', '--jsonl'])
		return JSON.parse(stdout) as Record<string, string> // the documented form of `--jsonl`
	}
	const [computer, group, policy, list] = await Promise.all(
		['svc_get_computers', 'svc_get_groups', 'svc_get_policies', 'svc_get_application_blocking'].map(first)
	)
	const links: readonly (readonly [string, string | undefined])[] = [
		...[undefined, 'activity', 'trajectory', 'log', 'vulnerabilities', 'record'].map(
			tab => [`computers/${computer?.['connector_guid']}${tab === undefined ? '' : `?tab=${tab}`}`, computer?.['hostname']] as const
		),
		...[[`groups/${group?.['guid']}`, group?.['name']] as const, [`policies/${policy?.['guid']}`, policy?.['name']] as const],
		...[[`file-lists/${list?.['guid']}`, list?.['name']] as const, [`hash/${'ab'.repeat(32)}`, undefined] as const],
		['computers?filter=name%3AFIN', 'Computers'],
		['groups?search=Fin', 'Groups'],
		['policies?search=Aud', 'Policies'],
		['file-lists?name=bad', 'File lists'],
		['events?filter=severity%3Ahigh', 'Events'],
		['search?q=FIN-LT', 'Search'],
		['log?text=version', 'Incident log']
	]
	for (const [link, title] of links) {
		const address = `cordon://open/${link}`
		// As the system delivers it; `window.spec.ts` shows that a second start does so.
		await electron.evaluate(({app}, argv) => void app.emit('second-instance', {}, argv), ['cordon', address])
		const heading = main(page).getByRole('heading', {level: 1})
		await expect(title === undefined ? heading : heading.filter({hasText: title}), link).toBeVisible()
		const [, query] = link.split('?')
		const value = new URLSearchParams(query).values().next().value ?? ''
		await expect.poll(() => decodeURIComponent(page.url()), link).toContain(value)
		await expect(main(page).locator('[aria-busy="true"]'), link).toHaveCount(0)
		expect(problems, link).toEqual([])
	}
})

test('from the list to isolated and released by keyboard alone', async ({shared}) => {
	const {page, problems} = shared
	await goTo(page, '/computers')
	await isolateByKeyboard(page, host)
	expect(problems).toEqual([])
})

test('the page is alone: no Node, no other window, the policy in force', async ({shared}) => {
	const {page, problems} = shared
	expect(await page.evaluate(() => window.open('https://evil.example/'))).toBeNull()
	expect(await page.evaluate(() => 'require' in window || 'process' in window)).toBe(false)
	expect(problems).toEqual([])
})

test('the page gets no screen, camera, location or notifications', async ({start}) => {
	const {page, electron, problems} = await start()
	const asked = await page.evaluate(async () => {
		const outcome = (work: Promise<unknown>) => work.then(String, (error: unknown) => (error instanceof Error ? error.name : 'refused'))
		const media = navigator.mediaDevices
		const place = new Promise((resolve, reject) => navigator.geolocation.getCurrentPosition(resolve, reject))
		return Promise.all([
			outcome(media.getDisplayMedia({video: true})),
			outcome(media.getUserMedia({video: true, audio: true})),
			outcome(place),
			outcome(Notification.requestPermission())
		])
	})
	// A computer without a camera has nothing to refuse.
	expect(asked).toEqual(['NotAllowedError', expect.stringMatching(/^Not(?:Allowed|Found)Error$/), 'refused', 'denied'])
	expect(problems.filter(problem => !problem.startsWith('error: Permissions policy violation: '))).toEqual([])
	// The program still runs.
	expect(await electron.evaluate(({BrowserWindow}) => BrowserWindow.getAllWindows().length)).toBe(1)
})

async function change(page: Parameters<typeof goTo>[0], verb: 'Isolate' | 'Release', reason: string) {
	await button(page, `${verb}…`).click()
	await reasonOf(page).fill(reason)
	await shows(dialog(page), /^Now: /)
	await decide(page, new RegExp(`^${verb} ${host} in `))
	await dialogIsGone(page)
}
