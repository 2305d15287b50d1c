/** The window of the build for tests, steered over its debugging port: its filter, its palette, and calls over its MessagePort. */
import {chromium, type Page} from '@playwright/test'

import type {Figure} from '../measure.ts'
import {computerFiltering} from '../ui/filters.ts'
import {palette} from '../ui/palette.ts'
import {installProbe} from '../ui/probe.ts'

const calls = 200
const readings = 15

/** `address` is that of the debugger; the local copy holds at least 10,000 computers. */
export async function insideWindow(address: string): Promise<readonly Figure[]> {
	const browser = await chromium.connectOverCDP(address)
	try {
		const page = browser.contexts()[0]?.pages()[0]
		if (page === undefined) throw new Error('The window has no page.')
		await page.emulateMedia({reducedMotion: 'reduce'})
		await installProbe(page)
		await page.reload()
		await page.locator('[data-shown]').first().waitFor({timeout: 60_000})
		const visit = async (path: string) => page.evaluate(to => void (location.hash = to), path)
		// The page takes the port that the last part asks for as its own.
		return [...(await computerFiltering({page, visit})), ...(await palette({page, visit})), ...(await wire(page))]
	} finally {
		await browser.close()
	}
}

/** From the message with the request to the parsed message with the answer. */
async function wire(page: Page): Promise<readonly Figure[]> {
	const values = await page.evaluate(askOverPort, {calls, readings})
	return [
		{name: 'a call over the MessagePort', unit: 'ms', values: values.calls},
		{name: '10,000 records over the MessagePort, 500 a call', unit: 'ms', values: values.readings}
	]
}

/** Runs in the page. The messages are those of `@orpc/client/message-port`. */
async function askOverPort(counts: {calls: number; readings: number}) {
	const port = await new Promise<MessagePort>((resolve, reject) => {
		addEventListener('message', ({data, ports: [given]}: MessageEvent<{type?: string}>) => {
			if (data.type === 'cordon:port' && given !== undefined) resolve(given)
		})
		postMessage({type: 'cordon:ready'}, origin)
		setTimeout(() => reject(new Error('No port came.')), 10_000)
	})
	interface Message {
		i: string
		p: {b?: {json: unknown}}
	}
	const waiting = new Map<string, (json: unknown) => void>()
	port.addEventListener('message', ({data}: MessageEvent<string>) => {
		const {i, p} = JSON.parse(data) as Message // an answer of our own host
		waiting.get(i)?.(p.b?.json)
	})
	port.start()
	const ask = (path: string, json?: object) => {
		const i = `bench${waiting.size}`
		const answer = new Promise<unknown>(resolve => void waiting.set(i, resolve))
		port.postMessage(JSON.stringify({i, p: {u: `orpc://localhost${path}`, b: {json}}}))
		return answer
	}
	const timed = async (act: () => Promise<unknown>) => {
		const began = performance.now()
		await act()
		return performance.now() - began
	}
	const [{id = ''} = {}] = (await ask('/connections/list')) as readonly {id?: string}[]
	const pages = Array.from({length: 20}, (_, index) => index * 500)
	const read = async () => {
		const question = {connection: id, filter: '', sort: {column: 'hostname', descending: false}, limit: 500}
		const answers = await Promise.all(pages.map(offset => ask('/computers/query', {...question, offset})))
		const records = answers.reduce<number>((sum, one) => sum + (one as {rows: readonly unknown[]}).rows.length, 0)
		if (records !== 10_000) throw new Error(`${records} records came instead of 10,000.`)
	}
	const told: {calls: number[]; readings: number[]} = {calls: [], readings: []}
	for (let count = 0; count < counts.calls; count += 1) told.calls.push(await timed(() => ask('/app/info')))
	for (let count = 0; count < counts.readings; count += 1) told.readings.push(await timed(read))
	return told
}
