/** A real browser over the route to a web interface: `cordon forward`, its local authority trusted, nothing switched off. */
import {execFile, spawnSync} from 'node:child_process'
import {hash, X509Certificate} from 'node:crypto'
import {once} from 'node:events'
import {mkdir, mkdtemp, readFile, rm, writeFile} from 'node:fs/promises'
import {createServer} from 'node:http'
import type {AddressInfo} from 'node:net'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {connect} from 'node:tls'
import {promisify} from 'node:util'

import {chromium, expect, test as base, type BrowserContext, type Page} from '@playwright/test'

import {ask} from './forwarding.ts'
import {startForward, type Running} from './processes.ts'
import {heading, link, addressIs} from './screens.ts'
import {echoUpgrade, serveWebInstance} from './web-instance.ts'

interface Site {
	origin: string
	/** Requests that reached the instance. */
	requests: string[]
}

interface Fixtures {
	folder: string
	site: Site
	context: BrowserContext
	page: Page
}

const test = base.extend<Fixtures & {running: Running; requests: string[]}>({
	// eslint-disable-next-line no-empty-pattern -- Playwright reads the pattern
	folder: async ({}, provide) => {
		const folder = await mkdtemp(join(tmpdir(), 'cordon-browser-'))
		await provide(folder)
		await rm(folder, {recursive: true, force: true, maxRetries: 5})
	},
	running: async ({folder, requests}, provide) => {
		const servers = [await listen(requests), await listen([])]
		const instances = servers.map((server, index) => ({
			name: index === 0 ? 'site' : 'other',
			listenPort: (server.address() as AddressInfo).port, // of a server that listens on TCP
			webInterface: true
		}))
		const config = join(folder, 'forward.json')
		await writeFile(config, JSON.stringify({parameters: {'instance.execute.external': 'true'}, instances}))
		const running = await startForward(config, join(folder, 'state'))
		const ca = await readFile(String(running.ready['ca']), 'utf8')
		for (const {name} of instances) {
			const url = `https://localhost:${running.ready['port']}/instance/execute/${name}/`
			await expect.poll(async () => (await ask(url, ca)).status).toBe(200)
		}
		await provide(running)
		expect(await running.stop()).toBe(0)
		for (const server of servers) {
			server.closeAllConnections()
			server.close()
		}
	},
	// eslint-disable-next-line no-empty-pattern -- Playwright reads the pattern
	requests: async ({}, provide) => provide([]),
	site: async ({running, requests}, provide) => {
		await provide({origin: `https://localhost:${running.ready['port']}`, requests})
	},
	context: async ({folder, running, launchOptions}, provide) => {
		const home = join(folder, 'home')
		const trust = await trusting(home, running)
		const context = await chromium.launchPersistentContext(join(folder, 'user'), {
			...launchOptions,
			args: [...(launchOptions.args ?? []), ...trust],
			env: {...process.env, HOME: home}
		})
		await provide(context)
		await context.close()
	},
	page: async ({context}, provide) => provide(await context.newPage())
})

async function listen(requests: string[]) {
	const server = createServer((request, response) => {
		requests.push(`${request.method} ${request.url}`)
		serveWebInstance(request, response)
	})
	server.on('upgrade', echoUpgrade)
	server.listen(0, '127.0.0.1')
	await once(server, 'listening')
	return server
}

/** Adds the authority to the browser's own store; without the tool for that, the browser accepts this certificate alone. */
async function trusting(home: string, {ready}: Running) {
	const store = join(home, '.pki', 'nssdb')
	await mkdir(store, {recursive: true})
	if (spawnSync('certutil', ['-H']).error !== undefined) {
		process.stderr.write('certutil is not installed (libnss3-tools): the authority itself is not sent in the browser.\n')
		return [`--ignore-certificate-errors-spki-list=${await publicKeyOf(Number(ready['port']))}`]
	}
	const run = promisify(execFile)
	await run('certutil', ['-d', `sql:${store}`, '-N', '--empty-password'])
	await run('certutil', ['-d', `sql:${store}`, '-A', '-n', 'cordon', '-t', 'C,,', '-i', String(ready['ca'])])
	return []
}

async function publicKeyOf(port: number) {
	const socket = connect({port, host: 'localhost', rejectUnauthorized: false})
	await once(socket, 'secureConnect')
	const {raw} = socket.getPeerCertificate()
	socket.destroy()
	const key = new X509Certificate(raw).publicKey.export({type: 'spki', format: 'der'})
	return hash('sha256', key, 'base64')
}

test('a page over the route loads its parts, links and redirects', async ({page, site}) => {
	await page.goto(`${site.origin}/instance/execute/site`)
	await addressIs(page, `${site.origin}/instance/execute/site/`)
	await expect(page).toHaveTitle('started')
	await expect(heading(page)).toHaveCSS('color', 'rgb(1, 2, 3)')
	await link(page, 'further').click()
	await addressIs(page, `${site.origin}/instance/execute/site/inner/two.html?x=1`)
	await link(page, 'back').click()
	await expect(page).toHaveTitle('started')
	const {secure, protocol} = await page.evaluate(() => ({
		secure: isSecureContext,
		protocol: (performance.getEntriesByType('navigation')[0] as PerformanceResourceTiming).nextHopProtocol // its type
	}))
	expect({secure, protocol}).toEqual({secure: true, protocol: 'h2'})
})

test('a WebSocket carries text and bytes both ways', async ({page, site}) => {
	await page.goto(`${site.origin}/instance/execute/site/`)
	const answers = await page.evaluate(async () => {
		const socket = new WebSocket(new URL('socket', location.href.replace('https', 'wss')))
		socket.binaryType = 'arraybuffer'
		await new Promise((resolve, reject) => {
			socket.addEventListener('open', resolve)
			socket.addEventListener('error', () => reject(new Error('no WebSocket')))
		})
		const echo = (data: string | Uint8Array<ArrayBuffer>) =>
			new Promise<string | ArrayBuffer>(resolve => {
				socket.addEventListener('message', event => resolve(event.data), {once: true})
				socket.send(data)
			})
		const text = await echo('größer \u{1f600}')
		const bytes = crypto.getRandomValues(new Uint8Array(50_000))
		const back = new Uint8Array((await echo(bytes)) as ArrayBuffer) // as binaryType says
		const closed = new Promise<number>(resolve => {
			socket.addEventListener('close', event => resolve(event.code))
		})
		socket.close(4001)
		return {text, same: back.every((byte, index) => byte === bytes[index]), code: await closed}
	})
	expect(answers).toEqual({text: 'größer \u{1f600}', same: true, code: 4001})
})

test('events arrive as they are sent', async ({page, site}) => {
	await page.goto(`${site.origin}/instance/execute/site/`)
	const events = await page.evaluate(async () => {
		const source = new EventSource('events')
		const next = (name: string) =>
			new Promise<string>(resolve => {
				source.addEventListener(name, event => resolve(event.data), {once: true})
			})
		const second = next('second')
		const first = await next('message')
		await fetch('events', {method: 'POST'})
		const both = [first, await second]
		source.close()
		return both
	})
	expect(events).toEqual(['1', '2'])
})

test('an upload of several megabytes arrives whole', async ({page, site}) => {
	await page.goto(`${site.origin}/instance/execute/site/`)
	const {sent, arrived} = await page.evaluate(async () => {
		const bytes = new Uint8Array(8 << 20).map((_, index) => (index * 31) % 251)
		const sum = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes))
		const answer = await fetch('upload', {method: 'POST', body: bytes})
		return {sent: [...sum].map(byte => byte.toString(16).padStart(2, '0')).join(''), arrived: await answer.text()}
	})
	expect(arrived).toBe(sent)
})

test('a cookie for the whole host is limited to its instance', async ({page, context, site}) => {
	await page.goto(`${site.origin}/instance/execute/site/login`)
	await addressIs(page, `${site.origin}/instance/execute/site/`)
	const [cookie] = await context.cookies(`${site.origin}/instance/execute/site/`)
	expect(cookie).toMatchObject({name: 'session', path: '/instance/execute/site/', httpOnly: true, secure: true})
	const seen = (name: string) => page.evaluate(async path => (await fetch(path)).text(), `/instance/execute/${name}/cookie`)
	expect(await seen('site')).toBe('session=secret')
	expect(await seen('other')).toBe('')
})

test("another site's page cannot reach an instance", async ({page, site}) => {
	const foreign = createServer((_request, response) => {
		response.writeHead(200, {'Content-Type': 'text/html'}).end('<!doctype html><title>foreign</title>')
	})
	foreign.listen(0, '127.0.0.1')
	await once(foreign, 'listening')
	const {port} = foreign.address() as AddressInfo // of a server that listens on TCP
	await page.goto(`http://127.0.0.1:${port}/`)
	const statuses: number[] = []
	page.on('response', response => {
		if (response.url().startsWith(site.origin)) statuses.push(response.status())
	})
	const before = site.requests.length
	await page.evaluate(async url => {
		await fetch(`${url}/upload`, {method: 'POST', mode: 'no-cors', body: 'x'}).catch(() => {})
		await fetch(`${url}/cookie`, {credentials: 'include'}).catch(() => {})
		await new Promise<void>(resolve => {
			const image = new Image()
			image.addEventListener('error', () => resolve())
			image.addEventListener('load', () => resolve())
			image.src = `${url}/picture`
		})
		await new Promise<void>(resolve => {
			new WebSocket(`${url.replace('https', 'wss')}/socket`).addEventListener('error', () => resolve())
		})
	}, `${site.origin}/instance/execute/site`)
	expect(statuses.length).toBeGreaterThan(0)
	expect(new Set(statuses)).toEqual(new Set([403]))
	expect(site.requests.slice(before)).toEqual([])
	foreign.closeAllConnections()
	foreign.close()
})

test('without the authority the browser refuses the page', async ({running, launchOptions, folder}) => {
	const context = await chromium.launchPersistentContext(join(folder, 'stranger'), {
		...launchOptions,
		env: {...process.env, HOME: join(folder, 'nobody')}
	})
	const page = await context.newPage()
	const reached = page.goto(`https://localhost:${running.ready['port']}/instance/execute/site/`)
	await expect(reached).rejects.toThrow(/ERR_CERT_AUTHORITY_INVALID/)
	await context.close()
	expect(await readFile(String(running.ready['ca']), 'utf8')).toContain('BEGIN CERTIFICATE')
})
