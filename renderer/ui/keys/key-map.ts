import {type ScreenId, screens} from '#model/screens.ts'

/**
 * All keyboard shortcuts of the page, in one place. None changes anything in the service: they move, show, and open dialogs. One
 * takes effect at once, in the safe direction: it locks changes. `Mod` is Ctrl, or Cmd on a Mac. Sequences are separated by
 * blanks. Entries without a modifier are *single keys*, which can be disabled in the settings.
 */

/** The part of an id before its dot. */
const sections = {
	global: 'Everywhere',
	goto: 'Go to',
	list: 'Lists',
	picture: 'Charts',
	overview: 'Overview',
	computers: 'Computers',
	computer: 'Computer',
	trajectory: 'Trajectory',
	search: 'Search',
	detections: 'Detections',
	events: 'Events',
	groups: 'Groups',
	tree: 'Tree',
	group: 'Group',
	policies: 'Policies',
	policy: 'Policy',
	fileLists: 'File lists',
	fileList: 'File list',
	listEditor: 'File-list editor',
	hash: 'Hash',
	jobs: 'Jobs',
	job: 'Job',
	log: 'Incident log',
	handover: 'Shift handover',
	instances: 'Instances',
	instance: 'Instance',
	parameters: 'Server parameters',
	connections: 'Connections',
	settings: 'Settings',
	line: 'Command line'
} as const

type Line = readonly [title: string, ...Keys]
type Keys = readonly [string, ...(readonly string[])]

const lines = {
	'global.palette': ['Search and command palette', 'Mod+k', 'Mod+p'],
	'global.commandLine': ['Command line', ':', 'Ctrl+`'],
	'global.keys': ['Keyboard shortcuts of this screen', '?'],
	'global.switch': ['Switch connection', 'Mod+Shift+o'],
	'global.lock': ['Lock changes now', 'Mod+Shift+l'],
	'global.notices': ['Open notifications', 'Mod+Shift+y'],
	'global.undo': ['Open undo history…', 'Mod+z'],
	'global.back': ['Back', 'Alt+ArrowLeft'],
	'global.forward': ['Forward', 'Alt+ArrowRight'],

	'list.move': ['Go to next or previous row', 'j', 'k', 'ArrowDown', 'ArrowUp'],
	'list.ends': ['Go to first, last, previous page, next page', 'Home', 'End', 'PageUp', 'PageDown'],
	'list.open': ['Open', 'Enter'],
	'list.peek': ['Preview', 'Space'],
	'list.menu': ['Show the actions of the row', 'Shift+F10'],
	'list.close': ['Close the side panel', 'Escape'],
	'list.select': ['Select or deselect the row', 'x'],
	'list.extend': ['Extend the selection', 'Shift+ArrowDown', 'Shift+ArrowUp'],
	'list.all': ['Select all', 'Mod+a'],
	'list.filter': ['Filter', '/'],
	'list.columns': ['Columns', 'c'],
	'list.sort': ['Sort…', 's'],
	'list.playbook': ['Start a playbook with this…', 'Mod+Shift+b'],
	'list.refresh': ['Refresh', 'r'],

	'picture.earlier': ['Shift time range earlier', ','],
	'picture.later': ['Shift time range later', '.'],

	'overview.open1': ['Open attention item 1', '1'],
	'overview.open2': ['Open attention item 2', '2'],
	'overview.open3': ['Open attention item 3', '3'],
	'overview.open4': ['Open attention item 4', '4'],
	'overview.open5': ['Open attention item 5', '5'],
	'overview.open6': ['Open attention item 6', '6'],
	'overview.open7': ['Open attention item 7', '7'],
	'overview.open8': ['Open attention item 8', '8'],
	'overview.open9': ['Open attention item 9', '9'],
	'overview.shorter': ['Show events of the last 24 hours', '['],
	'overview.longer': ['Show events of the last 7 days', ']'],
	'overview.brush': ['Select a time range', 'b'],

	'computers.isolate': ['Isolate…', 'i'],
	'computers.release': ['Release…', 'u'],
	'computers.move': ['Move to a group…', 'm'],
	'computers.copy': ['Copy GUID', 'y'],
	'computers.copyAs': ['Copy as…', 'Shift+y'],
	'computers.note': ['Add a note to the incident log', 'n'],
	'computers.trajectory': ['Trajectory', 't'],
	'computers.labels': ['Tags and roles…', 'l'],
	'computers.duplicates': ['Find duplicates by name or MAC', 'd'],
	'computers.facets': ['Show or hide the facets', 'f'],
	'computers.views': ['Views', 'v'],
	'computers.hygiene': ['Open asset hygiene', 'h'],
	'computers.export': ['Export…', 'e'],
	'computers.selection': ['Go to selection actions', '.'],

	'computer.isolate': ['Isolate…', 'i'],
	'computer.release': ['Release…', 'u'],
	'computer.move': ['Move to a group…', 'm'],
	'computer.copy': ['Copy GUID', 'y'],
	'computer.copyAs': ['Copy as…', 'Shift+y'],
	'computer.reveal': ['Reveal the unlock code…', 'Shift+u'],
	'computer.refresh': ['Refresh this computer', 'r'],
	'computer.note': ['Add a note to the incident log', 'n'],
	'computer.labels': ['Tags and roles…', 'l'],
	'computer.console': ['Open in the web console', 'w'],
	'computer.tab1': ['Activity', '1'],
	'computer.tab2': ['Trajectory', '2'],
	'computer.tab3': ['Incident log and isolation history', '3'],
	'computer.tab4': ['Vulnerabilities', '4'],
	'computer.tab5': ['JSON', '5'],
	'computer.back': ['Back to the list', 'Escape'],

	'trajectory.event': ['Previous and next event in the lane', 'ArrowLeft', 'ArrowRight'],
	'trajectory.lane': ['Lane above and below', 'ArrowUp', 'ArrowDown'],
	'trajectory.pan': ['Earlier and later', 'Shift+ArrowLeft', 'Shift+ArrowRight'],
	'trajectory.inspect': ['Show or close the details', 'Enter'],
	'trajectory.previousDetection': ['Previous detection', '['],
	'trajectory.nextDetection': ['Next detection', ']'],
	'trajectory.parent': ['Go to parent event', 'p'],
	'trajectory.child': ['Go to child event', 'c'],
	'trajectory.across': ['Go to same file on next computer', 'x'],
	'trajectory.compare': ['Compare with another computer', 'v'],
	'trajectory.closer': ['Zoom in', '+', '='],
	'trajectory.wider': ['Zoom out', '-'],
	'trajectory.all': ['Show full timeline', '0'],
	'trajectory.hide': ['Hide or show clean lanes', 'h'],
	'trajectory.mark': ['Toggle bookmark', 'b'],
	'trajectory.nextMark': ['Go to next bookmark', 'Shift+b'],
	'trajectory.table': ['Go to table', 't'],
	'trajectory.ask': ['Go to query field', 'q'],
	'trajectory.name': ['Filter the lanes by name', '/'],
	'trajectory.export': ['Save the table', 'e'],

	'search.box': ['Go to search box', '/'],
	'search.ask': ['Go to Query service', 'a'],
	'search.silent': ['Toggle computers without local events', 'Shift+s'],
	'search.table': ['Go to matching computers', 't'],
	'search.export': ['Export these computers', 'e'],

	'detections.status': ['Set status and owner…', 'o'],
	'detections.story': ['Show attack story', 't'],
	'detections.events': ['Show events of this group', 'Shift+e'],

	'events.refresh': ['Go to Refresh', 'r'],
	'events.brush': ['Select a time range', 'b'],
	'events.critical': ['Toggle critical severity', '1'],
	'events.high': ['Toggle high severity', '2'],
	'events.medium': ['Toggle medium severity', '3'],
	'events.low': ['Toggle low severity', '4'],
	'events.none': ['Toggle events without severity', '5'],
	'events.open': ['Toggle open detections', 'o'],
	'events.group': ['Change grouping', 'Shift+g'],
	'events.follow': ['Toggle this computer only', 'f'],
	'events.silent': ['Find computers that have this hash', 'Shift+s'],
	'events.story': ['Show in trajectory, with its attack story', 't'],
	'events.views': ['Views', 'v'],
	'events.export': ['Export…', 'e'],
	'events.copy': ['Copy the id', 'y'],

	'groups.assign': ['Assign policies…', 'o'],
	'groups.selection': ['Go to selection actions', '.'],
	'groups.move': ['Move the selected member…', 'm'],
	'groups.diff': ['Compare two groups', 'Shift+d'],
	'groups.open': ['Open group page', 'Shift+Enter'],
	'groups.computers': ['Show computers in this group', 'c'],
	'groups.copy': ['Copy GUID', 'y'],
	'groups.note': ['Add a note to the incident log', 'n'],
	'groups.export': ['Export…', 'e'],
	'groups.refresh': ['Go to Refresh', 'r'],
	'groups.view1': ['Show tree', '1'],
	'groups.view2': ['Show computer chart', '2'],
	'groups.view3': ['Show policy chart', '3'],

	'tree.open': ['Expand or collapse, go to parent', 'ArrowRight', 'ArrowLeft'],
	'tree.all': ['Expand or collapse all below', 'Shift+ArrowRight', 'Shift+ArrowLeft'],
	'tree.members': ['Go to members', 'Enter'],
	'tree.peek': ['Toggle preview', 'Space'],
	'tree.jump': ['Jump to a group by name', 'f'],

	'group.assign': ['Assign policies…', 'o'],
	'group.move': ['Move the selected member…', 'm'],
	'group.diff': ['Compare with another group', 'Shift+d'],
	'group.copy': ['Copy GUID', 'y'],
	'group.note': ['Add a note to the incident log', 'n'],
	'group.back': ['Back to the tree', 'Escape'],

	'policies.diff': ['Compare two policies', 'Shift+d'],
	'policies.groups': ['Show groups that use this policy', 'Shift+g'],
	'policies.lists': ['Show lists that this policy uses', 'l'],
	'policies.xml': ['Show XML', 'Shift+x'],
	'policies.copy': ['Copy GUID', 'y'],
	'policies.view1': ['List', '1'],
	'policies.view2': ['Matrix with groups', '2'],
	'policies.view3': ['Matrix with file lists', '3'],
	'policies.details': ['Load row details (1 call)', 'd'],
	'policies.export': ['Export…', 'e'],
	'policies.refresh': ['Go to Refresh', 'r'],

	'policy.tab1': ['Used by', '1'],
	'policy.tab2': ['Lists', '2', 'l'],
	'policy.tab3': ['History', '3'],
	'policy.tab4': ['JSON', '4'],
	'policy.tab5': ['XML', '5', 'Shift+x'],
	'policy.groups': ['Show groups that use this policy', 'Shift+g'],
	'policy.diff': ['Compare with another policy', 'Shift+d'],
	'policy.copy': ['Copy GUID', 'y'],
	'policy.note': ['Add a note to the incident log', 'n'],
	'policy.refresh': ['Go to Refresh', 'r'],
	'policy.back': ['Back to the policies', 'Escape'],

	'fileLists.add': ['Add a hash…', 'a'],
	'fileLists.refresh': ['Go to Refresh', 'r'],

	'fileList.add': ['Add a hash…', 'a'],
	'fileList.remove': ['Remove the hash…', 'Delete'],
	'fileList.coverage': ['Toggle coverage', 'Shift+v'],
	'fileList.export': ['Export…', 'e'],
	'fileList.refresh': ['Go to Refresh', 'r'],
	'fileList.copy': ['Copy the hash', 'y'],
	'fileList.copyAs': ['Copy as…', 'Shift+y'],
	'fileList.note': ['Add a note to the incident log', 'n'],
	'fileList.close': ['Back to the lists', 'Escape'],

	'fileList.edit': ['Edit list', 'Shift+e'],

	'listEditor.add': ['Stage hashes…', 'a'],
	'listEditor.files': ['Stage from files…', 'o'],
	'listEditor.difference': ['Compare with a file or a list…', 'd'],
	'listEditor.note': ['Edit note and reason of rows…', 'n'],
	'listEditor.prevalence': ['Check prevalence…', 'p'],
	'listEditor.drop': ['Drop rows from draft', 'Delete'],
	'listEditor.preview': ['Preview the calls…', 'Mod+Enter'],
	'listEditor.commit': ['Commit…', 'Mod+s'],
	'listEditor.discard': ['Discard the draft…', 'Mod+Backspace'],
	'listEditor.close': ['Clear the selection, or back to the list', 'Escape'],

	'hash.add': ['Add hash to a list…', 'a'],
	'hash.remove': ['Remove hash from the list…', 'Delete'],
	'hash.prevalence': ['Go to Check prevalence', 'p'],
	'hash.copy': ['Copy the hash', 'y'],
	'hash.copyAs': ['Copy as…', 'Shift+y'],
	'hash.note': ['Add a note to the incident log', 'n'],
	'hash.back': ['Back', 'Escape'],

	'jobs.import': ['Plan from a file…', 'Shift+i'],
	'jobs.undo': ['Open undo history…', 'Shift+u'],
	'job.filter': ['Search results', '/'],
	'job.retry': ['Retry unsuccessful targets…', 'Shift+r'],
	'job.export': ['Export…', 'e'],
	'job.stop': ['Go to Stop job', 's'],
	'job.back': ['Back to the jobs', 'Escape'],

	'log.filter': ['Search the log', '/', 'Mod+f'],
	'log.note': ['Add a note', 'n'],
	'log.mention': ['Add a note that mentions someone', '@'],
	'log.pin': ['Pin or unpin evidence…', 'Shift+p'],
	'log.handover': ['Open shift handover', 'Shift+h'],
	'log.export': ['Export', 'e'],
	'log.verify': ['Verify hash chain', 'Shift+v'],
	'log.unfold': ['Show the entries of a change', 'ArrowRight'],
	'log.fold': ['Fold the entries of a change', 'ArrowLeft'],
	'log.again': ['Copy entry to command line', 'Shift+r'],

	'handover.steps': ['Write the next steps', 'n'],
	'handover.copy': ['Copy as Markdown', 'y'],
	'handover.save': ['Go to Save', 'e'],
	'handover.back': ['Back to the incident log', 'Escape'],

	'instances.add': ['Add an instance…', 'a'],
	'instances.edit': ['Change…', 'e'],
	'instances.expose': ['Start or stop exposing…', 'o'],
	'instances.probe': ['Probe the route…', 't'],
	'instances.copy': ['Copy the address of the route', 'y'],
	'instances.certificate': ['Certificate…', 'Shift+c'],
	'instances.reach': ['Who can reach the server…', 'Shift+n'],
	'instances.parameters': ['Server parameters', 'Shift+p'],

	'instance.edit': ['Change…', 'e'],
	'instance.expose': ['Start or stop exposing…', 'o'],
	'instance.probe': ['Probe the route…', 't'],
	'instance.copy': ['Copy the address of the route', 'y'],
	'instance.filter': ['Filter the requests', '/'],
	'instance.pause': ['Pause or follow the requests', 'p'],
	'instance.tab1': ['Requests', '1'],
	'instance.tab2': ['Addresses', '2'],
	'instance.tab3': ['Settings', '3'],
	'instance.tab4': ['Output or list', '4'],
	'instance.back': ['Back to the list', 'Escape'],

	'parameters.add': ['Add a parameter', 'a'],
	'parameters.back': ['Back to the instances', 'Escape'],

	'connections.add': ['Add a connection', 'a'],
	'connections.test': ['Test the focused or active connection', 't'],

	'settings.find': ['Search the settings', '/', 'Mod+f'],

	'line.stop': ['Stop the newest running line', 'Ctrl+.'],
	'line.help': ['Go to list of commands', 'F1'],
	'line.earlier': ['Go to previous result', 'Alt+ArrowUp'],
	'line.later': ['Go to next result, then to the line', 'Alt+ArrowDown']
} as const satisfies Record<`${keyof typeof sections}.${string}`, Line>

export type KeyId = keyof typeof lines | `goto.${ScreenId}`

/** The screens with a shortcut of their own. */
export const gotoKeys = screens.filter(({keys}) => keys.length > 0)

export interface KeyEntry {
	keys: Keys
	title: string
	section: (typeof sections)[keyof typeof sections]
}

const gotoLines = gotoKeys.map(({id, title, keys}) => [`goto.${id}`, [title, ...keys]])

export const keyEntries = ([...gotoLines, ...Object.entries(lines)] as [KeyId, Line][]) // the entries of the literals above
	.map(([id, [title, ...keys]]) => [id, {keys, title, section: sectionOf(id)}] as const)

export const keyMap: Readonly<Record<KeyId, KeyEntry>> = Object.fromEntries<KeyEntry>(keyEntries) as Record<KeyId, KeyEntry> // by the same ids

function sectionOf(id: KeyId): KeyEntry['section'] {
	return sections[id.slice(0, id.indexOf('.')) as keyof typeof sections] // checked with the lines
}

/** Keys handled by the tables; the overlay shows them wherever a table is. */
export const tableKeys: readonly KeyId[] = ['list.move', 'list.ends', 'list.open', 'list.peek', 'list.menu']

export const treeKeys: readonly KeyId[] = [
	'list.move',
	'list.ends',
	'tree.open',
	'tree.all',
	'tree.members',
	'tree.peek',
	'list.menu',
	'tree.jump'
]

/** Keys of tables whose rows can be selected. */
export const selectionKeys: readonly KeyId[] = ['list.select', 'list.extend', 'list.all']
