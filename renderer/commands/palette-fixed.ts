import {screens} from '#shared/model/screens.ts'
import type {PaletteAction, PaletteItem} from './palette-item.ts'

/** An id, a title, a detail, what it does, and the shortcut that does the same. */
type Line = readonly [id: string, title: string, detail: string, does: PaletteAction, keys?: string]

const acts: readonly Line[] = [
	['bulk-isolate', 'Bulk: isolate many computers…', 'the selection, a list or a file', {kind: 'bulk', bulk: 'isolate'}],
	['bulk-release', 'Bulk: release many computers…', 'the selection, a list or a file', {kind: 'bulk', bulk: 'release'}],
	['bulk-move', 'Bulk: move many computers…', 'the selection, a list or a file', {kind: 'bulk', bulk: 'move'}],
	['bulk-policies', 'Bulk: assign policies to many groups…', 'the selection, a list or a file', {kind: 'bulk', bulk: 'policies'}],
	['import-plan', 'Plan from a file…', 'a saved plan of a job', {kind: 'open', path: '/jobs?act=import'}],
	['undo', 'Undo history…', 'moves, policies and hashes of 24 hours', {kind: 'overlay', overlay: 'undo'}, 'Mod+z'],
	['notices', 'Notifications', 'problems that need action, newest first', {kind: 'overlay', overlay: 'notices'}, 'Mod+Shift+y'],
	[
		'verify',
		'Verify the chain of the incident log',
		'whether anything in it was changed or removed',
		{kind: 'log', act: 'verify'},
	],
	['diagnostics', 'Diagnostics', 'with a preview; nothing is sent', {kind: 'settings', section: 'diagnostics'}],
	['stored', 'What is stored on this computer', 'sizes, deleting local data', {kind: 'settings', section: 'data'}],
	['import', 'Import connections…', 'from a file without keys', {kind: 'importConnections'}],
	['drawer', 'Open the command line', '', {kind: 'drawer'}, ':'],
	['switch', 'Switch connection', '', {kind: 'overlay', overlay: 'connection'}, 'Mod+Shift+o'],
	['mode', 'Lock or unlock writing', '', {kind: 'overlay', overlay: 'mode'}, 'Mod+Shift+l'],
	['connect', 'Connect your service', 'add a connection', {kind: 'addConnection'}],
	['add-instance', 'Add an instance…', 'reach a local service through the route', {kind: 'instances', act: 'add'}],
	[
		'certificate',
		'Certificate of the forwarding server…',
		'export the local authority, import, renew',
		{kind: 'instances', act: 'certificate'},
	],
	['reach', 'Who can reach the forwarding server…', 'this computer alone, or the network', {kind: 'instances', act: 'reach'}],
	['export-groups', 'Export the groups…', 'CSV or JSON', {kind: 'open', path: '/groups?act=export'}],
	[
		'compare-groups',
		'Compare two groups',
		'policies, own or inherited, lists, computers',
		{kind: 'open', path: '/groups/compare'},
	],
	[
		'policies-groups',
		'Which group has which policy',
		'matrix of groups and products',
		{kind: 'open', path: '/policies?view=groups'},
	],
	[
		'policies-lists',
		'Which policy uses which list',
		'matrix of policies and file lists',
		{kind: 'open', path: '/policies?view=lists'},
	],
	['compare-policies', 'Compare two policies', 'fields, lists, exclusions, groups', {kind: 'open', path: '/policies/compare'}],
	['export-policies', 'Export the policies…', 'CSV or JSON', {kind: 'open', path: '/policies?act=export'}],
	['block', 'Block a hash…', 'on a list that blocks or detects', {kind: 'open', path: '/file-lists?act=block'}],
	['pending', 'Show pending changes', 'isolation:pending*', {kind: 'filter', filter: 'isolation:pending*'}],
	['stale', 'Computers not seen for 30 days', 'last_seen>30d', {kind: 'filter', filter: 'last_seen>30d'}],
	['never', 'Computers never seen', 'last_seen:empty', {kind: 'filter', filter: 'last_seen:empty'}],
	['same-name', 'Computers with the same name', 'duplicate:yes', {kind: 'filter', filter: 'duplicate:yes'}],
	['same-mac', 'Computers with the same MAC', 'duplicate_mac:yes', {kind: 'filter', filter: 'duplicate_mac:yes'}],
	['keys', 'Keyboard shortcuts of this screen', '', {kind: 'overlay', overlay: 'keys'}, '?'],
]

export const fixed: readonly PaletteItem[] = [
	...screens.map(({id, title, detail, path, keys: [keys]}): PaletteItem => ({
		...{id: `go-${id}`, section: 'Go to', title, detail, action: {kind: 'go', to: path}},
		...(keys !== undefined && {keys}),
	})),
	...acts.map(([id, title, detail, action, keys]): PaletteItem => ({
		...{id: `do-${id}`, section: 'Actions', title, detail, action},
		...(keys !== undefined && {keys}),
	})),
]
