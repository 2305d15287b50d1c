/**
 * The canary grep: secrets go in by every way, the program is killed in between, and nothing that it leaves behind may hold
 * one in any form. Only the answer of the one reveal does.
 */
import {writeFile} from 'node:fs/promises'
import {join} from 'node:path'

import type {Page} from '@playwright/test'

import {filesBelow, tracesOf, type Place} from '#sandbox/testing/canary.ts'

import {codeOf, framesHolding, outputOf, outputOfCli, pageAndStorage, readyComputers, saved, watchFrames} from './canary.ts'
import {expect, hostAway, test, type Console} from './fixtures.ts'
import {apply, bulk, counts, goTo, openJob, plan} from './jobs.ts'
import {
	answerLine,
	askToIsolate,
	decide,
	dialog,
	dialogIsGone,
	dialogSays,
	expectIsolation,
	field,
	grid,
	listIsRead,
	main,
	openComputer,
	press,
	reasonOf,
	runLine,
	tab,
	tableRow,
	screenIs,
	unfoldCodeAndLease,
	shows,
	isShown,
	says,
	push
} from './screens.ts'

const passphrase = 'Canary-Passphrase-8841'
/** Nobody needs to keep these from whoever typed them, and they are kept anyway. */
const typed = {inDialog: 'Typed-In-Dialog-7731', inLine: 'Typed-In-Line-5502', inShell: 'Typed-In-Shell-9917'}

test.use({setup: {...hostAway, service: ['--computers', '300', '--seed', 'e2e', '--agent-delay', '0'], passphrase}})

test('key, passphrase and unlock codes are in no file, database, log, frame, export or report', async ({page, app, service}) => {
	const hosts = await readyComputers(service, 10)
	const [first, own, line, ...rest] = hosts
	if (first === undefined || own === undefined || line === undefined) throw new Error('There are no computers.')
	const [shell, ...others] = rest
	const names = (from: number, to: number) => hosts.slice(from, to).map(({hostname}) => hostname)
	const frames = watchFrames(page)
	const places: Place[] = []
	await page.reload()
	await listIsRead(page)

	await isolateMany(page, [first.hostname, ...names(4, 6)])
	places.push(...(await exportsOfJob(page)))
	await isolateWithOwnCode(page, own.hostname)
	await isolateByLine(page, line.connector_guid)
	places.push(...(await shellWork(app, shell?.connector_guid ?? '', names(6, 8))))
	const codes = await Promise.all([first, ...others.slice(0, 4)].map(({connector_guid: guid}) => codeOf(service, guid)))
	for (const code of codes) expect(code).toMatch(/^[A-Z0-9]{16}$/)
	expect(new Set(codes).size).toBe(5)
	const secrets = [...codes, ...Object.values(typed), passphrase, service.apiKey, service.readOnlyApiKey]
	expect(await codeOf(service, own.connector_guid)).toBe(typed.inDialog)

	const before = frames.received.length
	await revealAndCopy(page, first.hostname, codes[0] ?? '')
	expect(frames.received.slice(before).filter(frame => frame.includes(codes[0] ?? ''))).toHaveLength(1)
	places.push(...(await exportsOfPage(page)), ...(await exportsOfShell(app, hosts[1]?.connector_guid ?? '')))
	places.push(...(await pageAndStorage(page)))

	// In the middle of a job, with its databases as they lie.
	for (const {connector_guid: guid} of hosts.slice(8)) await service.change(guid, {online: false})
	await isolateMany(page, names(8, 10), /1 awaiting confirmation.*1 waiting/)
	places.push(...outputOf('the console', app.process()))
	await app.process().stop('SIGKILL')
	places.push(...filesOf(app, 'when it was killed'))
	await app.start()
	for (const {connector_guid: guid} of hosts.slice(8)) await service.change(guid, {online: true})
	await page.goto(`${app.entry()}#/jobs`)
	await says(tableRow(grid(page, 'Jobs')).nth(1), '2 done')
	secrets.push(...(await Promise.all(hosts.slice(8).map(host => codeOf(service, host.connector_guid)))))
	await app.stop()
	places.push(...outputOf('the console, started again', app.process()), ...filesOf(app, 'at the end'))

	expect(tracesOf(secrets, places)).toEqual([])
	const received = frames.received.map((content, index) => ({name: `frame ${index} to the page`, content}))
	const answers = received.filter(({content}) => !content.includes(codes[0] ?? ''))
	expect(received.length - answers.length).toBe(1)
	expect(tracesOf(secrets, answers)).toEqual([])
	// Typed text goes to the console once; other secrets never leave the page, because they are not there.
	for (const text of [typed.inDialog, passphrase]) expect(framesHolding(frames.sent, text)).toBe(1)
	const sent = frames.sent.map((content, index) => ({name: `frame ${index} of the page`, content}))
	expect(tracesOf([...codes, service.apiKey, typed.inShell], sent)).toEqual([])
	expect(await plantedLeak(app.profile, codes[1] ?? '')).toEqual(['planted: secret 0 as base64'])
})

/** Proves that the grep finds a planted secret. */
async function plantedLeak(profile: string, code: string) {
	await writeFile(join(profile, 'planted'), Buffer.from(`code=${code}`).toString('base64'))
	return tracesOf([code], filesBelow(profile))
}

function filesOf({profile}: Console, when: string) {
	const files = filesBelow(profile).map(({name, content}) => ({name: `${name} ${when}`, content}))
	const known = files.map(({name}) => name.split(' ')[0])
	expect(known).toEqual(expect.arrayContaining(['incidents.db', 'runs.db', 'profile.db', 'secrets.json']))
	return files
}

/** As one job, with a random code for each. */
async function isolateMany(page: Page, names: string[], until: RegExp = /●\d+ done$/) {
	await goTo(page, '/jobs')
	await bulk(page, 'isolate', names)
	await plan(page, 'Ransomware behaviour')
	await apply(page)
	await expect(counts(page)).toHaveText(until)
	await openJob(page)
}

async function exportsOfJob(page: Page) {
	const places: Place[] = []
	for (const format of ['CSV', 'JSON']) {
		await press(page, 'e')
		places.push(await exported(page, format))
	}
	return places
}

/** In the open export dialog. */
async function exported(page: Page, format: string) {
	await dialog(page)
		.locator('label')
		.filter({hasText: new RegExp(`^${format}`)})
		.first()
		.click()
	const place = await saved(page, () => decide(page, 'Export'))
	await dialogIsGone(page)
	return place
}

async function isolateWithOwnCode(page: Page, hostname: string) {
	await goTo(page, '/computers')
	await openComputer(page, hostname)
	const confirm = await askToIsolate(page, hostname, 'Beaconing')
	await unfoldCodeAndLease(page)
	await dialog(page).getByText('My own').click()
	await field(dialog(page), 'Code').fill(typed.inDialog)
	await confirm.click()
	await expectIsolation(page, 'isolated')
}

async function isolateByLine(page: Page, guid: string) {
	await runLine(page, `svc_put_computers_isolation connector_guid=${guid} unlock_code=${typed.inLine} comment=Beaconing`)
	await push(page.getByRole('alertdialog'), /^Isolate /)
	await says(answerLine(page), /isolat/)
	await press(page, 'Escape')
}

async function shellWork(app: Console, guid: string, names: string[]) {
	const list = join(app.profile, '..', 'targets.txt')
	await writeFile(list, names.join('\n'))
	const job = await app.cli('job', 'isolate', '--targets', list, '--reason', 'Beaconing', '--json')
	expect(job.code, job.stderr + job.stdout).toBe(0)
	const {data} = JSON.parse(job.stdout) as {data: {job: {id: string}}} // its documented form
	const single = ['svc_put_computers_isolation', guid, '--unlock_code', typed.inShell, '--comment', 'Beaconing']
	const places = [outputOfCli('job isolate', job), outputOfCli('isolation', await app.cli(...single, '--json'))]
	for (const format of ['csv', 'json'])
		places.push(outputOfCli(`job export ${format}`, await app.cli('job', 'export', data.job.id, '--format', format)))
	return places
}

/** With the reason and the passphrase; the clipboard is cleared half a minute later. */
async function revealAndCopy(page: Page, hostname: string, code: string) {
	await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
	await goTo(page, '/computers')
	await openComputer(page, hostname)
	await main(page).getByText('reveal…').click()
	await reasonOf(page).fill('Help desk on site')
	await dialog(page).getByLabel('Passphrase of the profile').fill(passphrase)
	await decide(page, 'Reveal and log')
	await shows(dialog(page), code)
	await page.clock.install()
	await decide(page, 'Copy')
	await dialogSays(page, 'Cordon clears the clipboard in 30 seconds')
	const clipboard = () => page.evaluate(() => navigator.clipboard.readText())
	expect(await clipboard()).toBe(code)
	await decide(page, 'Done')
	await page.clock.fastForward(30_000)
	await expect.poll(clipboard).toBe('')
	await page.clock.resume()
}

async function exportsOfPage(page: Page) {
	await tab(page, 'JSON').click()
	const record = page.getByLabel('JSON of the record', {exact: true})
	const places: Place[] = [{name: 'record', content: (await record.textContent()) ?? ''}]
	for (const [path, heading, formats] of [
		['/computers', 'Computers', ['CSV', 'JSON Lines']],
		['/log', 'Incident log', ['CSV', 'JSON Lines', 'HTML report']]
	] as const) {
		await goTo(page, path)
		await screenIs(page, heading)
		for (const format of formats) {
			await isShown(grid(main(page)).first())
			await press(page, 'e')
			places.push(await exported(page, format))
		}
	}
	await goTo(page, '/settings')
	await push(page, 'Generate report')
	places.push(await saved(page, () => push(page, 'Save what is shown')))
	places.push(await saved(page, () => push(page, 'Export connections')))
	return places
}

async function exportsOfShell(app: Console, guid: string) {
	const lines: string[][] = [
		['svc_get_computers_isolation', guid, '--json'],
		['svc_get_computer_by_connector', guid, '--json'],
		['svc_get_computers', '--all', '--jsonl'],
		['log', 'export', '--format', 'jsonl'],
		['log', 'export', '--format', 'csv'],
		['job', 'list', '--json']
	]
	const places: Place[] = []
	for (const line of lines) {
		const result = await app.cli(...line)
		expect(result.code, result.stderr).toBe(0)
		places.push(outputOfCli(line.join(' '), result))
	}
	return places
}
