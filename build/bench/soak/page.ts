/** A person at the page: filters, screens, and back, while the wire is watched. */
import type {Page} from '@playwright/test'

import {untilShown} from '../ui/probe.ts'
import type {Stage} from '../ui/stage.ts'
import {pause, type Notes} from './notes.ts'

const filters = ['FIN-', 'os:windows compromised:yes', 'last_seen<1d', 'ip:10.20.0.0/16', 'isolation:pending*']
const eventFilters = ['severity>=high', 'outcome:open', 'powershell']
const others = ['/overview', '/jobs', '/groups', '/file-lists', '/log']
const breathMs = 400

export async function usePage(stage: Stage, notes: Notes): Promise<void> {
	await notes.each(async turn => {
		await filterOn(stage, notes, '/computers', filters[turn % filters.length] ?? '')
		await filterOn(stage, notes, '/events', eventFilters[turn % eventFilters.length] ?? '')
		await stage.visit(others[turn % others.length] ?? '/overview')
		await stage.page.getByRole('main').waitFor()
		await pause(breathMs)
	})
}

async function filterOn({page, visit}: Stage, notes: Notes, path: string, text: string): Promise<void> {
	await visit(path)
	const box = page.getByRole('searchbox', {name: /filter/i})
	await page.locator('[data-shown]').first().waitFor()
	await box.fill('')
	await pause(breathMs)
	notes.add(path, await untilShown(page, () => box.fill(text)))
	notes.add(path, await untilShown(page, () => box.fill('')))
}

/** Call it before the page loads: it notes how many wires the page opened, and which of them ended. */
export function watchWire(page: Page, notes: Notes): () => number {
	let opened = 0
	page.on('websocket', socket => {
		opened += 1
		socket.on('close', () => {
			if (!notes.isOver()) notes.fault('A WebSocket of the page ended.')
		})
	})
	page.on('pageerror', error => notes.fault(`The page failed: ${error.message}`))
	page.on('console', message => {
		if (message.type() === 'error') notes.fault(`The page complained: ${message.text()}`)
	})
	return () => opened
}
