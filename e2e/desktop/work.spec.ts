/** Work on a separate service, with the key in the session's keyring. */
import {existsSync} from 'node:fs'
import {mkdtemp} from 'node:fs/promises'
import {tmpdir} from 'node:os'
import {join} from 'node:path'

import type {Page} from '@playwright/test'

import {cableTo, type Cable} from '../cable.ts'
import {addConnection, type Setup} from '../fixtures.ts'
import {apply, counts, goTo, isolateOffline, isolationsSent, longAgo, openJob} from '../jobs.ts'
import {runCli, startSandbox, type SandboxProcess} from '../processes.ts'
import {
	button,
	computers,
	drawer,
	filterBox,
	guidOf,
	isOff,
	listIsRead,
	main,
	openComputer,
	press,
	runLine,
	tableRow,
	unlock,
	writesTo,
	shows,
	isShown,
	isHidden,
	says,
	reads,
	push
} from '../screens.ts'
import {lacks, startLoginManager} from './bus.ts'
import {answer, endsBy, expect, questions, remove, seen, test as base, type Start} from './desktop.ts'

const withKeyring = {CORDON_KEY_STORE: 'on'}
const hosts = ['LAB-WS-0002', 'LAB-WS-0005', 'LAB-WS-0006']

interface Fixtures {
	connection: Setup['connection']
	service: SandboxProcess
	cable: Cable
}

const test = base.extend<Fixtures>({
	connection: ['writable', {option: true}],
	service: async ({browserName: _none}, use) => {
		const service = await startSandbox(['--computers', '300', '--seed', 'e2e', '--agent-delay', '400'])
		await use(service)
		await service.stop()
	},
	cable: cableTo,
	profile: async ({service, cable, connection}, use) => {
		const folder = await mkdtemp(join(tmpdir(), 'cordon-desktop-'))
		const profile = join(folder, 'profile')
		await addConnection(profile, folder, {...service, url: cable.url}, connection)
		await use(profile)
		await remove(folder)
	}
})

test.skip(process.env['CORDON_KEYRING'] === undefined && process.env['CORDON_DESKTOP'] !== 'required', 'there is no keyring in this session')

/** The command line stored the key in a file; the window moves it into the session's keyring. */
async function open(start: Start, profile: string, around: Readonly<Record<string, string>> = {}) {
	const desktop = await start([], [], {...withKeyring, ...around})
	await goTo(desktop.page, '/computers')
	await listIsRead(desktop.page)
	await expect.poll(() => existsSync(join(profile, 'secrets.key'))).toBe(false)
	return desktop
}

/** The job's first computer gets its request and does not answer: it is offline. */
async function startJob(page: Page, service: SandboxProcess) {
	const online = await isolateOffline(page, service, hosts)
	await reads(counts(page), /1 awaiting confirmation.*2 waiting/)
	return online
}

/** Each computer got one request, whatever came between. */
async function sentOnce(service: SandboxProcess) {
	expect(await isolationsSent(service)).toBe(hosts.length)
}

test.describe('read-only', () => {
	test.use({connection: 'locked'})

	test('nothing reaches the service', async ({start, service, profile}) => {
		const {page} = await open(start, profile)
		await openComputer(page, 'FIN-LT-0231')
		await isShown(button(page, 'Mode: read-only'))
		for (const name of ['Isolate…', 'Move…']) await isOff(button(page, name))
		await runLine(page, `svc_put_computers_isolation connector_guid=${guidOf(page)}`)
		await says(drawer(page), /refused\./)
		expect(await writesTo(service)).toEqual([])
	})
})

test('a job is stopped: what was sent is watched to its end, the rest is not sent', async ({start, service, profile}) => {
	const {page} = await open(start, profile)
	const online = await startJob(page, service)
	await openJob(page)
	await press(page, 's', 'Enter')
	await reads(counts(page), /2 not sent/)
	await online()
	await reads(counts(page), /1 done.*2 not sent/)
	// A new plan covers the rest, and sends it once.
	await push(page, 'Retry 2 targets…')
	await apply(page)
	await reads(counts(page).last(), '●2 done')
	await sentOnce(service)
})

test('the lock holds at once, for a command line that the window answers too; without the service the old view stays', async ({
	start,
	service,
	profile,
	cable
}) => {
	const {page} = await open(start, profile)
	await openComputer(page, 'FIN-LT-0231')
	const isolate = ['svc_put_computers_isolation', '--connector_guid', guidOf(page)]
	await press(page, 'Control+Shift+L')
	await isShown(button(page, 'Mode: locked'))
	await isOff(button(page, 'Isolate…'))
	// This process reaches no key store: only the window can answer.
	expect(await runCli(profile, isolate)).toMatchObject({code: 4, stderr: expect.stringContaining('are locked')})
	expect(await writesTo(service)).toEqual([])
	await unlock(page)

	await cable.pull()
	await goTo(page, '/computers')
	await push(page, 'Refresh')
	const trouble = page.getByText(/Could not refresh the list: .*You see local data/)
	await isShown(trouble)
	await filterBox(page).fill('name:FIN-SRV')
	await isShown(tableRow(computers(page), /^FIN-SRV/).first())
	await cable.plug()
	await button(page, 'Try again').first().click()
	await isHidden(trouble)
	expect((await runCli(profile, [...isolate, '--comment', 'By hand'])).code).toBe(0)
	expect(await writesTo(service)).toHaveLength(1)
})

test('without a key store the key is in an encrypted file; with one it is read from there', async ({start, profile, bus}) => {
	const store = (page: Page) => main(page).getByRole('definition')
	const without = {...withKeyring, ...bus.environment}
	const first = await start([], [], without)
	await listIsRead(first.page)
	await goTo(first.page, '/settings')
	await isShown(store(first.page).filter({hasText: 'its key lies beside it'}))
	await first.electron.close()

	const second = await open(start, profile)
	await goTo(second.page, '/settings')
	await isShown(store(second.page).filter({hasText: 'in the key store of the operating system'}))
	await second.electron.close()

	const third = await start([], [], without)
	await goTo(third.page, '/settings')
	await isShown(
		store(third.page)
			.filter({hasText: /key store/})
			.first()
	)
	await isShown(store(third.page).filter({hasText: /^no$/}))
})

for (const isLate of [false, true])
	test(`a program killed during a job continues at the next start${isLate ? ', on request after half an hour' : ''}, and sends nothing twice`, async ({
		start,
		service,
		profile
	}) => {
		const first = await open(start, profile)
		const online = await startJob(first.page, service)
		await openJob(first.page)
		await endsBy(first, async () => void first.child.kill('SIGKILL'))
		if (isLate) longAgo(profile)
		// The key came out of the keyring again.
		const {page} = await start([], [], withKeyring)
		await goTo(page, new URL(first.page.url()).hash.slice(1))
		if (isLate) await shows(main(page), 'interrupted', true)
		await online()
		if (isLate) await push(page, 'Recheck and resume')
		await reads(counts(page), '●3 done')
		await sentOnce(service)
	})

test('quitting asks while a job runs, and a yes interrupts it: it goes on at the next start', async ({start, service, profile}) => {
	const first = await open(start, profile)
	const online = await startJob(first.page, service)
	await openJob(first.page)
	await answer(first.electron, 0)
	await first.electron.evaluate(({app}) => app.quit())
	await expect.poll(() => questions(first.electron)).toEqual(['Quit Cordon while 1 job is running?'])
	await reads(counts(first.page), /1 awaiting confirmation.*2 waiting/)
	// Closing the window is no other way out.
	await answer(first.electron, 1)
	const close = () => first.electron.evaluate(({BrowserWindow}) => BrowserWindow.getAllWindows()[0]?.close())
	expect(await endsBy(first, close)).toBe(0)

	const {page} = await start([], [], withKeyring)
	await goTo(page, new URL(first.page.url()).hash.slice(1))
	await online()
	await reads(counts(page), '●3 done')
	await sentOnce(service)
})

test('a signal asks while a job runs, and a second one ends the program in order', async ({start, service, profile}) => {
	const desktop = await open(start, profile)
	await startJob(desktop.page, service)
	await answer(desktop.electron, null)
	desktop.child.kill('SIGTERM')
	await expect.poll(() => questions(desktop.electron)).toHaveLength(1)
	expect(await endsBy(desktop, async () => void desktop.child.kill('SIGTERM'))).toBe(0)
})

test('after the computer slept, old data is refreshed at once', async ({start, service, profile, bus}) => {
	test.skip(lacks('dbusmock'), 'the login manager is mocked by python3-dbusmock on a dbus-daemon, with gdbus')
	const system = await startLoginManager(bus)
	const {electron} = await open(start, profile, system.environment)
	const readings = async () => (await service.requests())['GET /v1/computers'] ?? 0
	const before = await readings()
	// A sleep: wall time passes, the process's own time does not.
	await electron.evaluate(() => {
		const {now} = Date
		Date.now = () => now() + 3 * 3_600_000
	})
	await system.resume()
	await expect.poll(readings).toBeGreaterThan(before)
	await expect.poll(() => seen(electron, 'document.querySelector("main").textContent')).toContain('300 computers')
})
