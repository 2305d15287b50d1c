/** What leaves the built program during a test: wire frames, downloads, output of its processes. */
import {readFile} from 'node:fs/promises'

import type {Page} from '@playwright/test'

import type {Place} from '#sandbox/testing/canary.ts'

import {askService, type CliResult, type Running, type SandboxProcess} from './processes.ts'

export interface Frames {
	/** From the console to the page, in order. */
	received: Buffer[]
	sent: Buffer[]
}

/** Every frame from now on, later connections included. */
export function watchFrames(page: Page): Frames {
	const received: Buffer[] = []
	const sent: Buffer[] = []
	page.on('websocket', socket => {
		socket.on('framereceived', ({payload}) => void received.push(Buffer.from(payload)))
		socket.on('framesent', ({payload}) => void sent.push(Buffer.from(payload)))
	})
	return {received, sent}
}

export function framesHolding(frames: Buffer[], text: string) {
	return frames.filter(frame => frame.includes(text)).length
}

/** The file that `act` makes the page save. */
export async function saved(page: Page, act: () => Promise<void>): Promise<Place> {
	const saving = page.waitForEvent('download')
	await act()
	const file = await saving
	return {name: file.suggestedFilename(), content: await readFile(await file.path())}
}

export function outputOf(name: string, running: Running): Place[] {
	return [
		{name: `${name}, stdout`, content: running.printed()},
		{name: `${name}, stderr`, content: running.said()}
	]
}

export function outputOfCli(name: string, {stdout, stderr}: CliResult): Place {
	return {name, content: stdout + stderr}
}

/** What the page shows and the browser stores. */
export async function pageAndStorage(page: Page): Promise<Place[]> {
	return [
		{name: 'the page', content: await page.content()},
		{name: 'what the browser keeps', content: JSON.stringify(await page.context().storageState({indexedDB: true}))},
		{name: 'the session storage', content: await page.evaluate(() => JSON.stringify({...sessionStorage}))}
	]
}

interface Computer {
	connector_guid: string
	hostname: string
	isolation?: {available: boolean; status: string}
}

/** Workstations that can be isolated, with unique names; sets them online. */
export async function readyComputers(service: SandboxProcess, count: number): Promise<Computer[]> {
	const all = await askService<readonly Computer[]>(service, 'computers?limit=500')
	const names = all.map(({hostname}) => hostname)
	const usable = all.filter(
		({hostname, isolation}) =>
			/-(?:WS|LT)-/.test(hostname) &&
			isolation?.available === true &&
			isolation.status === 'not_isolated' &&
			names.indexOf(hostname) === names.lastIndexOf(hostname)
	)
	const chosen = usable.slice(0, count)
	if (chosen.length < count) throw new Error(`The service has ${chosen.length} such computers.`)
	for (const {connector_guid: guid} of chosen) await service.change(guid, {online: true})
	return chosen
}

/** The computer's unlock code, as the service got it. */
export async function codeOf(service: SandboxProcess, guid: string) {
	const {unlock_code: code} = await askService<{unlock_code: string}>(service, `computers/${guid}/isolation`)
	return code
}
