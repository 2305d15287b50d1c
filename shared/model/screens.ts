/** Where a screen stands. */
interface Place {
	/** Of the navigation; without one, the screen is reached from others and from the palette. */
	section?: 'data' | 'operations' | 'setup'
	/** Without a connection it shows the first start. */
	needsConnection?: true
	/** The next start may show it; elsewhere it would surprise. */
	isStart?: true
}

const tenant: Place = {section: 'data', needsConnection: true, isStart: true}
const operations: Place = {section: 'operations'}
const work: Place = {...operations, needsConnection: true}
const setup: Place = {section: 'setup'}
const inside: Place = {}

type Line = readonly [place: Place, path: `/${string}`, title: string, detail: string, ...keys: readonly string[]]

/**
 * One line for each screen: its place, path and title, what the palette says beside it, and its shortcuts. Its routes are in
 * `renderer/features/<name>/screen.tsx`.
 */
const lines = {
	overview: [tenant, '/overview', 'Overview', '', 'g o'],
	computers: [tenant, '/computers', 'Computers', '', 'g c'],
	groups: [tenant, '/groups', 'Groups', 'the tree, policies of each group, its computers', 'g g'],
	policies: [tenant, '/policies', 'Policies', 'by product, groups and lists that belong to them', 'g p'],
	fileLists: [tenant, '/file-lists', 'File lists', 'custom detections and application blocking', 'g f'],
	detections: [tenant, '/detections', 'Detections', 'groups, worst first: status, owner, work', 'g d'],
	events: [tenant, '/events', 'Events', 'the local store of events and detections', 'g e'],
	search: [{section: 'data', needsConnection: true}, '/search', 'Search', 'computers, users, hashes, addresses, URLs, files', 'Mod+Shift+f'],
	commandLine: [work, '/command-line', 'Command line', 'the whole screen: scrollback, commands and their help', 'g t'],
	jobs: [work, '/jobs', 'Jobs', 'bulk operations: progress, results, plans', 'g j', 'Mod+j'],
	playbooks: [work, '/playbooks', 'Playbooks', 'start, answer, retry: library and own ones', 'g b'],
	approvals: [operations, '/approvals', 'Approvals', 'what waits for another person, and keys', 'g v'],
	log: [{...operations, isStart: true}, '/log', 'Incident log', '', 'g l'],
	handover: [{needsConnection: true}, '/log/handover', 'Shift handover', 'what is open, evidence, next steps'],
	unlockCodes: [inside, '/unlock-codes', 'Unlock codes', 'the vault of this computer'],
	instances: [operations, '/instances', 'Instances', 'the forwarding server and its routes', 'g i'],
	parameters: [inside, '/instances/parameters', 'Server parameters', 'instance.execute.external and others'],
	connections: [setup, '/connections', 'Connections', '', 'g n'],
	automation: [{...setup, needsConnection: true}, '/automation', 'Automation', 'event streams, targets, local API', 'g a'],
	settings: [setup, '/settings', 'Settings', 'theme, times, shortcuts, notifications, local data, diagnostics', 'g s', 'Mod+,']
} as const satisfies Record<string, Line>

export type ScreenId = keyof typeof lines

export interface ScreenLine extends Place {
	readonly id: ScreenId
	readonly path: (typeof lines)[ScreenId][1]
	readonly title: string
	readonly detail: string
	readonly keys: readonly string[]
}

/** Menus, navigation, palette, shortcuts and the tests of every screen read it. */
export const screens: readonly ScreenLine[] = Object.entries(lines).map(([id, [place, path, title, detail, ...keys]]) => ({
	...place,
	...{id: id as ScreenId, path, title, detail, keys} // the entries of the literal above
}))
