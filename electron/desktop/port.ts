import {ipcMain, MessageChannelMain, type MessagePortMain, type WebContents} from 'electron'

import type {FileTickets} from './chosen-files.ts'
import {mayHaveWire} from './decisions.ts'
import {channel, filesChannel} from './wire-names.ts'

/**
 * Gives the page of our window a port to the application whenever it asks, after a look at who asks. The older port is
 * closed: a reloaded page leaves none behind. What a page says before the application is open waits in its port. Returns
 * the way to stop.
 */
export function servePort(
	answer: Promise<(port: MessagePortMain) => void>,
	contents: () => WebContents | undefined,
	onDenied: (what: string) => void
) {
	let close = (): void => undefined
	const onRequest = (event: Electron.IpcMainEvent) => {
		const frame = event.senderFrame
		if (frame === null || !mayHaveWire({frame, sender: event.sender, window: contents()})) {
			onDenied(`wire for ${frame?.url ?? 'a frame that is gone'}`)
			return
		}
		close()
		const {port1, port2} = new MessageChannelMain()
		// Where it cannot be opened, the program says so and ends.
		answer.then(begin => begin(port1)).catch(() => port1.close())
		close = () => port1.close()
		frame.postMessage(channel, null, [port2])
	}
	ipcMain.on(channel, onRequest)
	return () => {
		ipcMain.off(channel, onRequest)
		close()
	}
}

/** Tickets for files chosen in our window, after the same check of the caller. Returns a function that stops it. */
export function serveFiles(tickets: Pick<FileTickets, 'grant'>, contents: () => WebContents | undefined, onDenied: (what: string) => void) {
	ipcMain.handle(filesChannel, (event, path: unknown) => {
		const frame = event.senderFrame
		if (mayHaveWire({frame, sender: event.sender, window: contents()})) return tickets.grant(path)
		onDenied(`files for ${frame?.url ?? 'a frame that is gone'}`)
		return null
	})
	return () => ipcMain.removeHandler(filesChannel)
}
