/** Menus as plain data: what they hold, and where an entry leads. Entries show screens; none changes anything. */
import {catalogue} from '#shared/commands/catalogue.ts'
import {screens} from '#model/screens.ts'
import {counted} from '#text/numbers.ts'
import {nouns} from '#text/terms.ts'
import {pendingWords} from '#text/isolation.ts'

export type MenuItem =
	| {kind: 'separator'}
	/** Something that every system brings along. */
	| {kind: 'role'; role: 'appMenu' | 'fileMenu' | 'editMenu' | 'windowMenu' | 'quit'}
	| {kind: 'role'; role: 'reload' | 'resetZoom' | 'zoomIn' | 'zoomOut' | 'togglefullscreen' | 'close'}
	| {kind: 'folder'; label: string; items: readonly MenuItem[]}
	/** A path of the page. */
	| {kind: 'show'; label: string; path: string; isOff?: boolean}
	| {kind: 'window'; label: string}
	| {kind: 'text'; label: string}

/** The menu of the window: the screens of the palette, and every command of the catalogue as the beginning of a line. */
export function windowMenu(platform: string): readonly MenuItem[] {
	return [
		{kind: 'role', role: platform === 'darwin' ? 'appMenu' : 'fileMenu'},
		{kind: 'role', role: 'editMenu'},
		{
			kind: 'folder',
			label: 'View',
			items: [
				{kind: 'role', role: 'reload'},
				{kind: 'separator'},
				{kind: 'role', role: 'resetZoom'},
				{kind: 'role', role: 'zoomIn'},
				{kind: 'role', role: 'zoomOut'},
				{kind: 'role', role: 'togglefullscreen'}
			]
		},
		{kind: 'folder', label: 'Go', items: screens.map(({path, title}) => ({kind: 'show', label: title, path}))},
		{kind: 'folder', label: 'Commands', items: [...commandFolders()]},
		{kind: 'role', role: 'windowMenu'}
	]
}

function commandFolders(): readonly MenuItem[] {
	const reads = catalogue.filter(({risk}) => risk === 'read')
	const changes = catalogue.filter(({risk}) => risk !== 'read')
	const lines = (specs: typeof catalogue): readonly MenuItem[] =>
		specs.map(({name, title}) => ({kind: 'show', label: title, path: linePath(name)}))
	// The line stands there and waits: arguments are missing, and a change asks once more when it is run.
	return [...lines(reads), {kind: 'separator'}, {kind: 'folder', label: 'Changes', items: lines(changes)}]
}

function linePath(name: string) {
	return `/command-line?line=${encodeURIComponent(JSON.stringify(`${name} `))}`
}

export interface TrayFacts {
	server: 'stopped' | 'starting' | 'running' | 'stopping' | 'failed' | string
	exposed: number
	pending: number
	tooLong: number
	/** Jobs that run, and jobs that wait for an operator. Without progress: an updated menu closes. */
	jobs: {running: number; interrupted: number}
	notices: number
	/** Name of the connection in use; `null` while there is none. */
	connection: string | null
	isLocked: boolean
}

/** The menu of the tray: how things stand, the way to them, and the end. */
export function trayMenu({server, exposed, pending, tooLong, jobs, notices, connection, isLocked}: TrayFacts): readonly MenuItem[] {
	const mode = isLocked ? ' · locked' : ''
	return [
		{kind: 'text', label: connection === null ? 'No connection' : `${connection}${mode}`},
		{kind: 'separator'},
		{kind: 'show', label: `Forwarding: ${server}${server === 'running' ? `, ${exposed} exposed` : ''}`, path: '/instances'},
		{
			kind: 'show',
			label: pending === 0 ? 'No pending changes' : pendingWords(pending, tooLong),
			path: `/computers?filter=${encodeURIComponent(JSON.stringify('isolation:pending*'))}`,
			isOff: pending === 0
		},
		{kind: 'show', label: jobsLabel(jobs), path: '/jobs', isOff: jobs.running + jobs.interrupted === 0},
		{kind: 'show', label: notices === 0 ? 'No notifications' : `Notifications: ${notices}`, path: '/overview'},
		{kind: 'separator'},
		{kind: 'window', label: 'Open Cordon'},
		{kind: 'role', role: 'quit'}
	]
}

function jobsLabel({running, interrupted}: TrayFacts['jobs']) {
	if (running + interrupted === 0) return 'No running jobs'
	return `Running jobs: ${running}${interrupted === 0 ? '' : `, interrupted: ${interrupted}`}`
}

/** What the tray says under the pointer. */
export function trayTip(facts: TrayFacts) {
	const parts = [
		'Cordon',
		facts.pending === 0 ? null : pendingWords(facts.pending, 0),
		facts.jobs.running === 0 ? null : `${counted(facts.jobs.running, nouns.job)}`,
		facts.notices === 0 ? null : `${facts.notices} need action`,
		facts.server === 'failed' ? 'forwarding failed' : null
	]
	return parts.filter(part => part !== null).join(' · ')
}
