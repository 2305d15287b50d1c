/** Hands the page one MessagePort when it says that it is ready, and a way to tickets for chosen files; it gives it nothing else. */
import {contextBridge, ipcRenderer, webUtils} from 'electron'

import {ticketFor, type FileBridge} from './desktop/file-bridge.ts'
import {channel, filesBridge, filesChannel} from './desktop/wire-names.ts'

window.addEventListener('message', (event: MessageEvent<unknown>) => {
	if (event.source === window && event.origin === window.origin && isReady(event.data)) ipcRenderer.send(channel)
})

ipcRenderer.on(channel, event => {
	window.postMessage({type: 'cordon:port'}, window.origin, [...event.ports])
})

const bridge: FileBridge<File> = {
	isFile: value => value instanceof File,
	pathOf: file => webUtils.getPathForFile(file),
	grant: path => ipcRenderer.invoke(filesChannel, path)
}
contextBridge.exposeInMainWorld(filesBridge, {ticketFor: (file: unknown) => ticketFor(file, bridge)})

function isReady(data: unknown) {
	return typeof data === 'object' && data !== null && 'type' in data && data.type === 'cordon:ready'
}
