import {catalogue} from '#shared/commands/catalogue.ts'
import {screens} from '#model/screens.ts'

import {trayMenu, trayTip, windowMenu, type MenuItem, type TrayFacts} from './menu-items.ts'

function leaves(items: readonly MenuItem[]): readonly MenuItem[] {
	return items.flatMap(item => (item.kind === 'folder' ? leaves(item.items) : [item]))
}

function pathsOf(items: readonly MenuItem[]) {
	return leaves(items).flatMap(item => (item.kind === 'show' ? [item.path] : []))
}

const calm: TrayFacts = {
	jobs: {running: 0, interrupted: 0},
	server: 'running',
	exposed: 2,
	pending: 0,
	tooLong: 0,
	notices: 0,
	connection: 'ACME-EU',
	isLocked: false
}

test('the menu holds every screen and every command once', () => {
	const paths = pathsOf(windowMenu('linux'))
	for (const {path} of screens) expect(paths.filter(each => each === path)).toHaveLength(1)
	expect(paths.filter(path => path.startsWith('/command-line?line='))).toHaveLength(catalogue.length)
})

test('a command of the menu is the beginning of a line and nothing more', () => {
	const lines = pathsOf(windowMenu('win32')).flatMap(path => {
		const text = /^\/command-line\?line=(.*)$/.exec(path)?.[1]
		return text === undefined ? [] : [JSON.parse(decodeURIComponent(text)) as string]
	})
	expect(lines.toSorted()).toEqual(catalogue.map(({name}) => `${name} `).toSorted())
})

test('no entry of any menu does more than showing', () => {
	const kinds = leaves([...windowMenu('darwin'), ...trayMenu(calm)]).map(({kind}) => kind)
	expect(new Set(kinds)).toEqual(new Set(['role', 'separator', 'show', 'text', 'window']))
	for (const path of pathsOf([...windowMenu('darwin'), ...trayMenu(calm)])) expect(path).not.toMatch(/act=|run=/)
})

test('a Mac has its own first menu', () => {
	expect(windowMenu('darwin')[0]).toEqual({kind: 'role', role: 'appMenu'})
	expect(windowMenu('linux')[0]).toEqual({kind: 'role', role: 'fileMenu'})
})

test('the tray shows the state', () => {
	const labels = (facts: TrayFacts) => trayMenu(facts).flatMap(item => ('label' in item ? [item.label] : []))
	expect(labels(calm)).toEqual([
		'ACME-EU',
		'Forwarding: running, 2 exposed',
		'No pending changes',
		'No running jobs',
		'No notifications',
		'Open Cordon'
	])
	const jobs = {running: 2, interrupted: 1}
	const busy = {...calm, jobs, server: 'failed', pending: 3, tooLong: 1, notices: 2, isLocked: true, connection: null}
	expect(labels(busy)).toEqual([
		'No connection',
		'Forwarding: failed',
		'3 pending changes, 1 overdue',
		'Running jobs: 2, interrupted: 1',
		'Notifications: 2',
		'Open Cordon'
	])
	expect(labels({...calm, isLocked: true})[0]).toBe('ACME-EU · locked')
	expect(trayTip(calm)).toBe('Cordon')
	expect(trayTip(busy)).toBe('Cordon · 3 pending changes · 2 jobs · 2 need action · forwarding failed')
})
