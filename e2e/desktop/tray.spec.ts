import type {ElectronApplication} from '@playwright/test'

import {goTo} from '../jobs.ts'
import {listIsRead, screenIs} from '../screens.ts'
import {lacks, startPanel, startTrayHost} from './bus.ts'
import {answer, expect, isVisible, questions, test} from './desktop.ts'

const noTray = 'Quit Cordon? This desktop shows no tray icons.'

const hosts = [
	{host: 'a mocked panel', startHost: startTrayHost, needs: 'dbusmock', package: 'python3-dbusmock'},
	{host: "Xfce's panel", startHost: startPanel, needs: 'panel', package: 'xfce4-panel'}
] as const

for (const {host, startHost, needs, package: name} of hosts) {
	test(`${host}: the window stays in the tray while icons are shown there, and is never lost`, async ({start, bus}) => {
		test.skip(lacks(needs), `${name}, dbus-daemon or gdbus is not installed`)
		const first = await startHost(bus)
		const {electron, page, child} = await start(undefined, [], bus.environment)
		await listIsRead(page)
		await goTo(page, '/settings')
		await page.getByText('Stay in the tray when the window is closed').click()
		const pid = child.pid ?? 0

		await close(electron)
		await expect.poll(() => isVisible(electron)).toBe(false)
		await first.click(pid)
		await expect.poll(() => isVisible(electron)).toBe(true)
		await close(electron)
		await expect.poll(() => isVisible(electron)).toBe(false)
		await first.choose(pid, 'Open Cordon')
		await expect.poll(() => isVisible(electron)).toBe(true)
		await first.choose(pid, 'Forwarding: off')
		await screenIs(page, 'Instances')

		// The panel goes, as after a crash.
		await first.stop()
		await answer(electron, 0)
		await close(electron)
		await expect.poll(() => questions(electron)).toEqual([noTray])
		expect(await isVisible(electron)).toBe(true)

		// A new panel knows only icons that come after it.
		const second = await startHost(bus)
		await close(electron)
		await expect.poll(() => isVisible(electron)).toBe(false)
		const ended = new Promise(resolve => child.once('exit', resolve))
		await second.choose(pid, 'Quit')
		expect(await ended).toBe(0)
	})
}

function close(electron: ElectronApplication) {
	return electron.evaluate(({BrowserWindow}) => BrowserWindow.getAllWindows()[0]?.close())
}
