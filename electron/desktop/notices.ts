import {Notification} from 'electron'

import type {Notice} from '#base/ports.ts'

import {notificationBody} from './decisions.ts'

/** A notification without a reference is collected, and its click with it. */
const held = new Set<Notification>()
const mostHeld = 50

/** Shows a notice of the system. A click brings the window to the screen that the notice names. */
export function showNotice(notice: Notice, onClick: (path: string | null) => void) {
	if (!Notification.isSupported()) return
	const shown = new Notification({title: notice.title, body: notificationBody(notice.body, process.platform)})
	const [oldest] = held
	if (oldest !== undefined && held.size >= mostHeld) held.delete(oldest)
	held.add(shown)
	shown.on('click', () => {
		held.delete(shown)
		// Not every desktop takes it away by itself.
		shown.close()
		onClick(notice.open)
	})
	shown.on('close', () => held.delete(shown))
	shown.show()
}
