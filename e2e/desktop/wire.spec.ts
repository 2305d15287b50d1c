/** The wire between page and program: who gets it, and what a compromised page sends over it. */
import {writeFile} from 'node:fs/promises'
import {join} from 'node:path'

import type {Page} from '@playwright/test'

import {listIsRead} from '../screens.ts'
import {expect, stillAlone, test} from './desktop.ts'

test('another window gets no wire and no ticket, whatever page it shows', async ({start, profile}) => {
	const {electron, page, said} = await start()
	await listIsRead(page)
	const file = `${profile}.txt`
	await writeFile(file, 'x')
	for (const address of ['data:text/html,<p>', 'cordon://app/assets/none', 'cordon://app/']) {
		const opened = electron.waitForEvent('window')
		await electron.evaluate(
			async ({BrowserWindow}, [url, preload]) => {
				const frames = {nodeIntegrationInSubFrames: true, sandbox: true, contextIsolation: true}
				await new BrowserWindow({show: false, webPreferences: {preload, ...frames}}).loadURL(url)
			},
			[address, join(import.meta.dirname, '..', '..', 'dist', 'preload', 'preload.cjs')] as const
		)
		const foreign = await opened
		expect(await askForAll(foreign, file), address).toBeNull()
		// The log names the page that asked.
		await expect.poll(said).toContain(`wire for ${foreign.url()}`)
		expect(said()).toContain(`files for ${foreign.url()}`)
		expect(await portsOf(foreign)).toBe(0)
		await foreign.close()
	}
	// The window itself still has both.
	expect(await askForAll(page, file)).toMatch(/^[0-9a-f]{32}$/)
	await expect.poll(() => portsOf(page)).toBe(1)
	const channels = await electron.evaluate(({ipcMain}) => {
		const handlers = Reflect.get(ipcMain, '_invokeHandlers') as ReadonlyMap<string, unknown>
		return [...ipcMain.eventNames(), ...handlers.keys()].filter(name => !/^(?:error$|IMPORT_SHARED_TEXTURE)/.test(String(name)))
	})
	expect(channels).toEqual(['cordon:wire', 'cordon:files'])
})

/** Asks as the real page does, with a file chosen there; returns the ticket, and counts ports in the page. */
async function askForAll(page: Page, file: string) {
	await page.evaluate(() => {
		const input = Object.assign(document.createElement('input'), {type: 'file', id: 'attack'})
		document.documentElement.append(input)
	})
	await page.locator('#attack').setInputFiles(file)
	return await page.evaluate(async () => {
		const asked = new Promise<void>(resolve => {
			window.addEventListener('message', ({ports, data}: MessageEvent<unknown>) => {
				Object.assign(window, {ports: Number(Reflect.get(window, 'ports') ?? 0) + ports.length})
				if (Reflect.get(Object(data), 'type') === 'cordon:ready') resolve()
			})
		})
		window.postMessage({type: 'cordon:ready'}, '*')
		await asked
		const input = document.querySelector<HTMLInputElement>('#attack')
		const take: unknown = Reflect.get(Object(Reflect.get(window, 'cordonFiles')), 'ticketFor')
		const ticket = typeof take === 'function' ? ((await take(input?.files?.[0])) as unknown) : 'no bridge'
		input?.remove()
		return ticket
	})
}

function portsOf(page: Page) {
	return page.evaluate(() => Reflect.get(window, 'ports') as unknown)
}

test('a malformed call is refused on the wire and changes nothing', async ({start}) => {
	const desktop = await start()
	const {page, electron} = desktop
	await listIsRead(page)
	const home = page.url()
	const evil = '{"polluted":"yes"}'
	let calls = 0
	const call = (path: string, body: string) => `{"i":"a${(calls += 1)}","p":{"u":${JSON.stringify(path)},"b":${body}}}`
	const facets = (json: string, more = '') => call('/computers/facets', `{"json":${json}${more}}`)
	const frames = [
		facets(`{"connection":"sandbox","filter":"","__proto__":${evil},"constructor":{"prototype":${evil}}}`),
		...['["__proto__","polluted"]', '["constructor","prototype","polluted"]', '[0,"__proto__","polluted"]'].flatMap(way => [
			facets('{"connection":"sandbox","filter":"1"}', `,"meta":[${way}]`),
			facets('{"connection":"sandbox","filter":"1"}', `,"maps":[${way}],"files":["x"]`)
		]),
		...['/__proto__', '/constructor/prototype', '/computers/__proto__', '/computers/constructor', '//', '', '/../computers'].map(path =>
			call(path, '{"json":{}}')
		),
		...['', '{', 'null', '[]', '"x"', '{"i":"__proto__","p":null}', '{"i":"b1"}', 'x'.repeat(1_000_000)]
	]
	const answers = await page.evaluate(async all => {
		const port = await new Promise<MessagePort>(resolve => {
			window.addEventListener('message', ({ports}) => ports[0] !== undefined && resolve(ports[0]))
			window.postMessage({type: 'cordon:ready'}, '*')
		})
		const heard: Record<string, number> = {}
		const answered = new Promise<void>(resolve =>
			port.addEventListener('message', ({data}: MessageEvent<unknown>) => {
				const [, id, status = '200'] = /^\{"i":"(a\d+|last)","p":\{(?:"s":(\d+))?/.exec(String(data)) ?? []
				if (id !== undefined) heard[id] = Number(status)
				if (Object.keys(heard).length === 14) resolve()
			})
		)
		port.start()
		for (const frame of all) port.postMessage(frame)
		for (const odd of [null, 7, {}, new ArrayBuffer(8), new Uint8Array(4), [new Map()]]) port.postMessage(odd)
		// A valid call, after all the others.
		port.postMessage('{"i":"last","p":{"u":"/app/info","b":{}}}')
		await answered
		return heard
	}, frames)
	// Extra keys beside the arguments are ignored, unknown procedures are not found, and the empty path gets no answer.
	expect(answers).toEqual({
		...{a1: 200, a2: 200, a3: 200, a4: 200, a5: 200, a6: 400, a7: 200},
		...{a8: 404, a9: 404, a10: 404, a11: 404, a12: 404, a14: 404, last: 200}
	})
	const polluted = await electron.evaluate(() => [Reflect.get({}, 'polluted'), Reflect.ownKeys(Object.prototype).length])
	expect(polluted).toEqual([undefined, Reflect.ownKeys(Object.prototype).length])
	await stillAlone(desktop, home)
})
