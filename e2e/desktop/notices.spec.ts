import {apply, bulk, plan, receipts} from '../jobs.ts'
import {listIsRead, says, addressIs} from '../screens.ts'
import {lacks, startNotifications} from './bus.ts'
import {expect, isVisible, test} from './desktop.ts'

test.skip(lacks('dunst'), 'notifications are shown by dunst on a dbus-daemon, with gdbus')

test('a notification reports the end of a job, and a click opens the job', async ({start, startSecond, bus}) => {
	const system = await startNotifications(bus)
	const {electron, page, problems} = await start(undefined, [], bus.environment)
	await listIsRead(page)
	await bulk(page, 'isolate', ['LAB-WS-0002'])
	await plan(page, 'Beaconing')
	await apply(page)
	await electron.evaluate(({BrowserWindow}) => BrowserWindow.getAllWindows()[0]?.hide())
	await expect.poll(system.titles).toEqual([expect.stringMatching(/^Job ended: /)])
	await system.click()
	await expect.poll(() => isVisible(electron)).toBe(true)
	await addressIs(page, /#\/jobs\/\w{26}$/)
	await says(receipts(page), 'LAB-WS-0002')
	const job = page.url()

	// A refused link is reported too; its notification opens the window, and no other screen.
	await startSecond(['cordon://open/command-line?line=svc_get_version']).ended
	await expect.poll(system.titles).toHaveLength(2)
	expect(system.titles()[1]).toBe('Link not opened')
	await electron.evaluate(({BrowserWindow}) => BrowserWindow.getAllWindows()[0]?.hide())
	await system.click()
	await expect.poll(() => isVisible(electron)).toBe(true)
	await addressIs(page, job)
	expect(problems).toEqual([])
})
