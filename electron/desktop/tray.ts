import {execFile} from 'node:child_process'

import {nativeImage, Tray} from 'electron'

import {menuOf, type MenuActs} from './menu.ts'
import {trayMenu, trayTip, type TrayFacts} from './menu-items.ts'
import {trayBitmap} from './tray-icon.ts'

export type TrayHandle = ReturnType<typeof openTray>

/** Puts Cordon into the tray. Some systems have none: then there is only the window. */
export function openTray(facts: TrayFacts, acts: MenuActs, platform: string) {
	let host = hostOfTray(platform)
	let icon = showIcon(facts, acts)
	let shown = facts
	const update = (next: TrayFacts) => {
		// A menu that is set anew closes under the pointer.
		if (JSON.stringify(next) !== JSON.stringify(shown)) dress(icon, next, acts)
		shown = next
	}
	/** Whether the icon is shown, so that the window can be opened from there. */
	const isShown = async () => {
		const [before, now] = [await host, await hostOfTray(platform)]
		if (now === null) return false
		if (now !== before) {
			// A panel that starts later does not know the icon: Electron announces it on creation only.
			host = Promise.resolve(now)
			icon.destroy()
			icon = showIcon(shown, acts)
		}
		return true
	}
	return {update, isShown, close: () => icon.destroy()}
}

function showIcon(facts: TrayFacts, acts: MenuActs) {
	const icon = new Tray(imageOf(facts))
	icon.on('click', () => acts.window())
	dress(icon, facts, acts)
	return icon
}

function dress(icon: Tray, facts: TrayFacts, acts: MenuActs) {
	icon.setImage(imageOf(facts))
	icon.setToolTip(trayTip(facts))
	icon.setContextMenu(menuOf(trayMenu(facts), acts))
}

const watcher = 'org.kde.StatusNotifierWatcher'
const askHost = [
	...['--session', '--print-reply', '--reply-timeout=1000', `--dest=${watcher}`, '/StatusNotifierWatcher'],
	...['org.freedesktop.DBus.Properties.Get', `string:${watcher}`, 'string:IsStatusNotifierHostRegistered']
]

/**
 * Who shows the tray's icons now, by its name on the session bus; `null` where nobody does. Many desktops of Linux have no
 * place for them, and Electron does not tell. Elsewhere it is the system itself.
 */
function hostOfTray(platform: string): Promise<string | null> {
	if (platform !== 'linux') return Promise.resolve(platform)
	return new Promise(resolve => {
		execFile('dbus-send', askHost, {timeout: 2_000}, (error, said) => {
			const [, sender = null] = /^method return .* sender=(\S+) .*boolean true/s.exec(said) ?? []
			resolve(error === null ? sender : null)
		})
	})
}

function imageOf({notices, pending}: TrayFacts) {
	const [once, twice] = [16, 32].map(size => trayBitmap(size, notices > 0 || pending > 0))
	if (once === undefined || twice === undefined) return nativeImage.createEmpty()
	const image = nativeImage.createFromBitmap(once.pixels, {width: once.size, height: once.size})
	image.addRepresentation({scaleFactor: 2, width: twice.size, height: twice.size, buffer: twice.pixels})
	return image
}
