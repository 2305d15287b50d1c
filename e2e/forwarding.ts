import {once} from 'node:events'
import {createServer, type RequestListener} from 'node:http'
import {request} from 'node:https'
import type {AddressInfo} from 'node:net'

import type {Locator, Page} from '@playwright/test'

import {expect} from './expect.ts'
import {usualSetup, type Console, type Setup} from './fixtures.ts'
import {
	button,
	closeDialog,
	dialog,
	field,
	grid,
	link,
	main,
	region,
	tab,
	tableRow,
	screenIs,
	isShown,
	isHidden,
	decide,
	push
} from './screens.ts'

export const forwardingSetup: Setup = {...usualSetup, service: ['--computers', '40', '--seed', 'e2e']}

/** An external service: plain HTTP on a free loopback port. */
export async function startUpstream(answer: RequestListener = greet) {
	const server = createServer(answer)
	server.listen(0, '127.0.0.1')
	await once(server, 'listening')
	const {port} = server.address() as AddressInfo // of a server that listens on TCP
	const stop = async () => {
		server.closeAllConnections()
		server.close()
		await once(server, 'close')
	}
	return {port, stop, [Symbol.asyncDispose]: stop}
}

const greet: RequestListener = (incoming, answer) => {
	answer.setHeader('Content-Type', 'text/html; charset=utf-8')
	answer.end(`<!doctype html><title>files</title><h1>Served ${incoming.url ?? ''}</h1>`)
}

/** Any free port instead of 443: tests run side by side. */
export async function onAnyPort(app: Console) {
	await setParameter(app, 'forward.listen', '127.0.0.1:0')
}

export async function setParameter(app: Console, key: string, value: string) {
	const {code, stderr} = await app.cli('parameters', 'set', key, value)
	if (code !== 0) throw new Error(`parameters set ${key} ended with ${code}: ${stderr}`)
}

export interface Answer {
	status: number
	body: string
}

/** Trusts only the given authority. */
export async function ask(url: string, ca: string): Promise<Answer> {
	const asked = request(url, {ca, agent: false})
	asked.end()
	const [answer] = await once(asked, 'response')
	let body = ''
	for await (const part of answer.setEncoding('utf8')) body += part
	return {status: answer.statusCode, body}
}

export async function goToInstances(page: Page) {
	await link(page.getByRole('navigation', {name: 'Screens'}), /^Instances/).click()
	await screenIs(page, 'Instances')
}

export function instances(page: Page): Locator {
	return grid(page, 'Instances')
}

export function instanceRow(page: Page, name: string): Locator {
	return tableRow(instances(page), new RegExp(`^${name}, `))
}

export function band(page: Page): Locator {
	return region(page, 'Forwarding server')
}

export function form(page: Page): Locator {
	return dialog(page)
}

/** Opens the form of a new instance and fills in the required fields. */
export async function beginInstance(page: Page, name: string, port: number | null): Promise<Locator> {
	await button(page, 'Add instance…').first().click()
	await field(form(page), 'Name').fill(name)
	if (port !== null) await field(form(page), 'Port', true).fill(String(port))
	return form(page)
}

export async function save(page: Page) {
	await push(form(page), /^(Add instance|Save)$/)
}

/** Adds an external instance and ends on its screen. */
export async function addExternal(page: Page, name: string, port: number) {
	await goToInstances(page)
	await beginInstance(page, name, port)
	await save(page)
	await screenIs(page, name)
	await isHidden(form(page))
}

export function exposedSwitch(page: Page): Locator {
	return main(page).getByRole('switch', {name: 'Exposed', exact: true})
}

export async function setExposed(page: Page, on: boolean) {
	await main(page)
		.locator('label')
		.filter({hasText: /^Exposed$/})
		.click()
	await expect(exposedSwitch(page)).toBeChecked({checked: on})
}

export async function routeOf(page: Page) {
	const shown = page
		.getByRole('banner')
		.or(page.locator('header'))
		.getByText(/^https:\/\//)
	await isShown(shown)
	return await shown.innerText()
}

/** Saves the authority through the screen; returns its PEM text. */
export async function exportAuthority(page: Page) {
	await goToInstances(page)
	await link(page, 'Show the certificate of the forwarding server').click()
	await tab(dialog(page), 'Let clients trust it').click()
	const saved = page.waitForEvent('download')
	await decide(page, 'Save as PEM')
	const stream = await (await saved).createReadStream()
	let text = ''
	for await (const part of stream.setEncoding('utf8')) text += part
	await closeDialog(page)
	return text
}

export async function openInstance(page: Page, name: string) {
	await goToInstances(page)
	await instanceRow(page, name).dblclick()
	await screenIs(page, name)
}

export function requests(page: Page): Locator {
	return grid(page, 'Requests')
}
