import type {App, Session, WebContents} from 'electron'

import {isOwnPage, mayDownload, mayHavePermission} from './decisions.ts'

interface Ways {
	onDenied: (what: string) => void
	/** Shows an address in the operator's browser, and says whether it may. */
	leadOut: (url: string) => boolean
}

/** Closes every way out of the page that Electron leaves open by itself. Call before the first window. */
export function lockDown(app: App, ways: Ways) {
	app.on('web-contents-created', (_event, contents) => lockContents(contents, ways))
}

/** `onLost`: a file could not be written. */
export function lockSession(session: Session, onDenied: (what: string) => void, onLost: (path: string) => void) {
	// It would load dictionaries at each start, and fetch missing ones; the window asks for none.
	session.setSpellCheckerEnabled(false)
	session.setPermissionRequestHandler((_contents, permission, answer, details) => {
		const allowed = mayHavePermission(permission, details.requestingUrl)
		if (!allowed) onDenied(`permission ${permission}`)
		answer(allowed)
	})
	session.setPermissionCheckHandler((_contents, permission, origin) => mayHavePermission(permission, origin))
	session.setDevicePermissionHandler(() => false)
	// Without a handler of ours the screen is shared with nobody.
	session.setDisplayMediaRequestHandler(null)
	session.on('will-download', (event, item) => {
		if (!mayDownload(item.getURL())) {
			event.preventDefault()
			return onDenied('download')
		}
		// The system asks where to put it, by its own name for it: the address of a download.
		item.setSaveDialogOptions({title: 'Save file'})
		item.once('done', (_event, how) => {
			if (how === 'interrupted') onLost(item.getSavePath())
		})
	})
}

function lockContents(contents: WebContents, {onDenied, leadOut}: Ways) {
	const stay = (event: {preventDefault(): void}, url: string) => {
		if (isOwnPage(url)) return
		event.preventDefault()
		onDenied(`navigation to ${url}`)
	}
	contents.on('will-navigate', event => stay(event, event.url))
	contents.on('will-frame-navigate', event => stay(event, event.url))
	contents.on('will-redirect', event => stay(event, event.url))
	contents.on('will-attach-webview', event => {
		event.preventDefault()
		onDenied('webview')
	})
	// No window is ever made. A link that a person presses opens in their browser where it may.
	contents.setWindowOpenHandler(({url}) => {
		if (!leadOut(url)) onDenied(`window for ${url}`)
		return {action: 'deny'}
	})
}
