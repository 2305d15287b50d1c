import type {PaletteAction, PaletteItem} from './palette-item.ts'

/** An id, a title, a detail, where it leads or what it does, and the shortcut that does the same. */
type Line<To> = readonly [id: string, title: string, detail: string, to: To, keys?: string]

const places: readonly Line<Extract<PaletteAction, {readonly kind: 'go'}>['to']>[] = [
	['overview', 'Overview', '', '/overview', 'g o'],
	['computers', 'Computers', '', '/computers', 'g c'],
	['events', 'Events', 'the local store of events and detections', '/events', 'g e'],
	['groups', 'Groups', 'the tree, policies of each group, its computers', '/groups', 'g g'],
	['policies', 'Policies', 'by product, groups and lists that belong to them', '/policies', 'g p'],
	['file-lists', 'File lists', 'custom detections and application blocking', '/file-lists', 'g f'],
	['search', 'Search everything', 'computers, users, hashes, addresses, URLs, files', '/search', 'Mod+Shift+f'],
	['jobs', 'Jobs', 'bulk operations: progress, results, plans', '/jobs', 'g j'],
	['playbooks', 'Playbooks', 'start, answer, retry: library and own ones', '/playbooks', 'g b'],
	['approvals', 'Approvals', 'what waits for another person, and keys', '/approvals', 'g v'],
	['automation', 'Automation', 'event streams, targets, local API', '/automation', 'g a'],
	['log', 'Incident log', '', '/log', 'g l'],
	['handover', 'Shift handover', 'what is open, evidence, next steps', '/log/handover'],
	['unlock-codes', 'Unlock codes', 'the vault of this computer', '/unlock-codes'],
	['instances', 'Instances', 'the forwarding server and its routes', '/instances', 'g i'],
	['parameters', 'Server parameters', 'instance.execute.external and others', '/instances/parameters'],
	['connections', 'Connections', '', '/connections', 'g n'],
	['settings', 'Settings', 'theme, times, shortcuts, notifications, local data, diagnostics', '/settings', 'g s'],
	['command-line', 'Command line, the whole screen', 'scrollback, commands and their help', '/command-line', 'g t'],
]

const acts: readonly Line<PaletteAction>[] = [
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
	...places.map(([id, title, detail, to, keys]): PaletteItem => ({
		...{id: `go-${id}`, section: 'Go to', title, detail, action: {kind: 'go', to}},
		...(keys !== undefined && {keys}),
	})),
	...acts.map(([id, title, detail, action, keys]): PaletteItem => ({
		...{id: `do-${id}`, section: 'Actions', title, detail, action},
		...(keys !== undefined && {keys}),
	})),
]
