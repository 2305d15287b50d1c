/**
 * All keyboard shortcuts of the page, in one place. None changes anything in the service: they move, show, and open dialogs. One
 * takes effect at once, in the safe direction: it locks changes. `Mod` is Ctrl, or Cmd on a Mac. Sequences are separated by
 * blanks. Entries without a modifier are *single keys*, which can be disabled in the settings.
 */

export interface KeyEntry {
	readonly keys: readonly string[]
	readonly title: string
	readonly section:
		| 'Everywhere'
		| 'Go to'
		| 'Lists'
		| 'Charts'
		| 'Overview'
		| 'Computers'
		| 'Computer'
		| 'Trajectory'
		| 'Search'
		| 'Events'
		| 'Groups'
		| 'Tree'
		| 'Group'
		| 'Policies'
		| 'Policy'
		| 'File lists'
		| 'File list'
		| 'File-list editor'
		| 'Hash'
		| 'Jobs'
		| 'Job'
		| 'Incident log'
		| 'Shift handover'
		| 'Instances'
		| 'Instance'
		| 'Server parameters'
		| 'Connections'
		| 'Settings'
		| 'Command line'
}

export const keyMap = {
	'global.palette': {keys: ['Mod+k', 'Mod+p'], title: 'Search and command palette', section: 'Everywhere'},
	'global.search': {keys: ['Mod+Shift+f'], title: 'Search everything', section: 'Everywhere'},
	'global.commandLine': {keys: [':', 'Ctrl+`'], title: 'Command line', section: 'Everywhere'},
	'global.keys': {keys: ['?'], title: 'Keyboard shortcuts of this screen', section: 'Everywhere'},
	'global.settings': {keys: ['Mod+,'], title: 'Settings', section: 'Everywhere'},
	'global.switch': {keys: ['Mod+Shift+o'], title: 'Switch connection', section: 'Everywhere'},
	'global.lock': {keys: ['Mod+Shift+l'], title: 'Lock changes now', section: 'Everywhere'},
	'global.notices': {keys: ['Mod+Shift+y'], title: 'Open notifications', section: 'Everywhere'},
	'global.undo': {keys: ['Mod+z'], title: 'Open undo history…', section: 'Everywhere'},
	'global.back': {keys: ['Alt+ArrowLeft'], title: 'Back', section: 'Everywhere'},
	'global.forward': {keys: ['Alt+ArrowRight'], title: 'Forward', section: 'Everywhere'},

	'goto.overview': {keys: ['g o'], title: 'Overview', section: 'Go to'},
	'goto.computers': {keys: ['g c'], title: 'Computers', section: 'Go to'},
	'goto.events': {keys: ['g e'], title: 'Events', section: 'Go to'},
	'goto.groups': {keys: ['g g'], title: 'Groups', section: 'Go to'},
	'goto.policies': {keys: ['g p'], title: 'Policies', section: 'Go to'},
	'goto.fileLists': {keys: ['g f'], title: 'File lists', section: 'Go to'},
	'goto.log': {keys: ['g l'], title: 'Incident log', section: 'Go to'},
	'goto.instances': {keys: ['g i'], title: 'Instances', section: 'Go to'},
	'goto.jobs': {keys: ['g j', 'Mod+j'], title: 'Jobs', section: 'Go to'},
	'goto.playbooks': {keys: ['g b'], title: 'Playbooks', section: 'Go to'},
	'goto.approvals': {keys: ['g v'], title: 'Approvals', section: 'Go to'},
	'goto.automation': {keys: ['g a'], title: 'Automation', section: 'Go to'},
	'goto.connections': {keys: ['g n'], title: 'Connections', section: 'Go to'},
	'goto.settings': {keys: ['g s'], title: 'Settings', section: 'Go to'},
	'goto.commandLine': {keys: ['g t'], title: 'Command line (full screen)', section: 'Go to'},

	'list.move': {keys: ['j', 'k', 'ArrowDown', 'ArrowUp'], title: 'Go to next or previous row', section: 'Lists'},
	'list.ends': {
		keys: ['Home', 'End', 'PageUp', 'PageDown'],
		title: 'Go to first, last, previous page, next page',
		section: 'Lists',
	},
	'list.open': {keys: ['Enter'], title: 'Open', section: 'Lists'},
	'list.peek': {keys: ['Space'], title: 'Preview', section: 'Lists'},
	'list.menu': {keys: ['Shift+F10'], title: 'Show the actions of the row', section: 'Lists'},
	'panel.close': {keys: ['Escape'], title: 'Close the side panel', section: 'Lists'},
	'list.select': {keys: ['x'], title: 'Select or deselect the row', section: 'Lists'},
	'list.extend': {keys: ['Shift+ArrowDown', 'Shift+ArrowUp'], title: 'Extend the selection', section: 'Lists'},
	'list.all': {keys: ['Mod+a'], title: 'Select all', section: 'Lists'},
	'list.filter': {keys: ['/'], title: 'Filter', section: 'Lists'},
	'list.columns': {keys: ['c'], title: 'Columns', section: 'Lists'},
	'list.sort': {keys: ['s'], title: 'Sort…', section: 'Lists'},
	'list.playbook': {keys: ['Mod+Shift+b'], title: 'Start a playbook with this…', section: 'Lists'},
	'list.refresh': {keys: ['r'], title: 'Refresh', section: 'Lists'},

	'picture.earlier': {keys: [','], title: 'Shift time range earlier', section: 'Charts'},
	'picture.later': {keys: ['.'], title: 'Shift time range later', section: 'Charts'},

	'overview.open1': {keys: ['1'], title: 'Open attention item 1', section: 'Overview'},
	'overview.open2': {keys: ['2'], title: 'Open attention item 2', section: 'Overview'},
	'overview.open3': {keys: ['3'], title: 'Open attention item 3', section: 'Overview'},
	'overview.open4': {keys: ['4'], title: 'Open attention item 4', section: 'Overview'},
	'overview.open5': {keys: ['5'], title: 'Open attention item 5', section: 'Overview'},
	'overview.open6': {keys: ['6'], title: 'Open attention item 6', section: 'Overview'},
	'overview.open7': {keys: ['7'], title: 'Open attention item 7', section: 'Overview'},
	'overview.open8': {keys: ['8'], title: 'Open attention item 8', section: 'Overview'},
	'overview.open9': {keys: ['9'], title: 'Open attention item 9', section: 'Overview'},
	'overview.shorter': {keys: ['['], title: 'Show events of the last 24 hours', section: 'Overview'},
	'overview.longer': {keys: [']'], title: 'Show events of the last 7 days', section: 'Overview'},
	'overview.brush': {keys: ['b'], title: 'Select a time range', section: 'Overview'},

	'computers.isolate': {keys: ['i'], title: 'Isolate…', section: 'Computers'},
	'computers.release': {keys: ['u'], title: 'Release…', section: 'Computers'},
	'computers.move': {keys: ['m'], title: 'Move to a group…', section: 'Computers'},
	'computers.copy': {keys: ['y'], title: 'Copy GUID', section: 'Computers'},
	'computers.copyAs': {keys: ['Shift+y'], title: 'Copy as…', section: 'Computers'},
	'computers.note': {keys: ['n'], title: 'Add a note to the incident log', section: 'Computers'},
	'computers.trajectory': {keys: ['t'], title: 'Trajectory', section: 'Computers'},
	'computers.labels': {keys: ['l'], title: 'Tags and roles…', section: 'Computers'},
	'computers.duplicates': {keys: ['d'], title: 'Find duplicates by name or MAC', section: 'Computers'},
	'computers.facets': {keys: ['f'], title: 'Show or hide the facets', section: 'Computers'},
	'computers.views': {keys: ['v'], title: 'Views', section: 'Computers'},
	'computers.hygiene': {keys: ['h'], title: 'Open asset hygiene', section: 'Computers'},
	'computers.export': {keys: ['e'], title: 'Export…', section: 'Computers'},
	'computers.selection': {keys: ['.'], title: 'Go to selection actions', section: 'Computers'},

	'computer.isolate': {keys: ['i'], title: 'Isolate…', section: 'Computer'},
	'computer.release': {keys: ['u'], title: 'Release…', section: 'Computer'},
	'computer.move': {keys: ['m'], title: 'Move to a group…', section: 'Computer'},
	'computer.copy': {keys: ['y'], title: 'Copy GUID', section: 'Computer'},
	'computer.copyAs': {keys: ['Shift+y'], title: 'Copy as…', section: 'Computer'},
	'computer.reveal': {keys: ['Shift+u'], title: 'Reveal the unlock code…', section: 'Computer'},
	'computer.refresh': {keys: ['r'], title: 'Refresh this computer', section: 'Computer'},
	'computer.note': {keys: ['n'], title: 'Add a note to the incident log', section: 'Computer'},
	'computer.labels': {keys: ['l'], title: 'Tags and roles…', section: 'Computer'},
	'computer.console': {keys: ['w'], title: 'Open in the web console', section: 'Computer'},
	'computer.tab1': {keys: ['1'], title: 'Activity', section: 'Computer'},
	'computer.tab2': {keys: ['2'], title: 'Trajectory', section: 'Computer'},
	'computer.tab3': {keys: ['3'], title: 'Incident log and isolation history', section: 'Computer'},
	'computer.tab4': {keys: ['4'], title: 'Vulnerabilities', section: 'Computer'},
	'computer.tab5': {keys: ['5'], title: 'JSON', section: 'Computer'},
	'computer.back': {keys: ['Escape'], title: 'Back to the list', section: 'Computer'},

	'trajectory.event': {keys: ['ArrowLeft', 'ArrowRight'], title: 'Previous and next event in the lane', section: 'Trajectory'},
	'trajectory.lane': {keys: ['ArrowUp', 'ArrowDown'], title: 'Lane above and below', section: 'Trajectory'},
	'trajectory.pan': {keys: ['Shift+ArrowLeft', 'Shift+ArrowRight'], title: 'Earlier and later', section: 'Trajectory'},
	'trajectory.inspect': {keys: ['Enter'], title: 'Show or close the details', section: 'Trajectory'},
	'trajectory.previousDetection': {keys: ['['], title: 'Previous detection', section: 'Trajectory'},
	'trajectory.nextDetection': {keys: [']'], title: 'Next detection', section: 'Trajectory'},
	'trajectory.parent': {keys: ['p'], title: 'Go to parent event', section: 'Trajectory'},
	'trajectory.child': {keys: ['c'], title: 'Go to child event', section: 'Trajectory'},
	'trajectory.across': {keys: ['x'], title: 'Go to same file on next computer', section: 'Trajectory'},
	'trajectory.compare': {keys: ['v'], title: 'Compare with another computer', section: 'Trajectory'},
	'trajectory.closer': {keys: ['+', '='], title: 'Zoom in', section: 'Trajectory'},
	'trajectory.wider': {keys: ['-'], title: 'Zoom out', section: 'Trajectory'},
	'trajectory.all': {keys: ['0'], title: 'Show full timeline', section: 'Trajectory'},
	'trajectory.hide': {keys: ['h'], title: 'Hide or show clean lanes', section: 'Trajectory'},
	'trajectory.mark': {keys: ['b'], title: 'Toggle bookmark', section: 'Trajectory'},
	'trajectory.nextMark': {keys: ['Shift+b'], title: 'Go to next bookmark', section: 'Trajectory'},
	'trajectory.table': {keys: ['t'], title: 'Go to table', section: 'Trajectory'},
	'trajectory.ask': {keys: ['q'], title: 'Go to query field', section: 'Trajectory'},
	'trajectory.name': {keys: ['/'], title: 'Filter the lanes by name', section: 'Trajectory'},
	'trajectory.export': {keys: ['e'], title: 'Save the table', section: 'Trajectory'},

	'search.box': {keys: ['/'], title: 'Go to search box', section: 'Search'},
	'search.ask': {keys: ['a'], title: 'Go to Query service', section: 'Search'},
	'search.silent': {keys: ['Shift+s'], title: 'Toggle computers without local events', section: 'Search'},
	'search.table': {keys: ['t'], title: 'Go to matching computers', section: 'Search'},
	'search.export': {keys: ['e'], title: 'Export these computers', section: 'Search'},

	'events.refresh': {keys: ['r'], title: 'Go to Refresh', section: 'Events'},
	'events.brush': {keys: ['b'], title: 'Select a time range', section: 'Events'},
	'events.critical': {keys: ['1'], title: 'Toggle critical severity', section: 'Events'},
	'events.high': {keys: ['2'], title: 'Toggle high severity', section: 'Events'},
	'events.medium': {keys: ['3'], title: 'Toggle medium severity', section: 'Events'},
	'events.low': {keys: ['4'], title: 'Toggle low severity', section: 'Events'},
	'events.none': {keys: ['5'], title: 'Toggle events without severity', section: 'Events'},
	'events.open': {keys: ['o'], title: 'Toggle open detections', section: 'Events'},
	'events.group': {keys: ['Shift+g'], title: 'Change grouping', section: 'Events'},
	'events.follow': {keys: ['f'], title: 'Toggle this computer only', section: 'Events'},
	'events.silent': {keys: ['Shift+s'], title: 'Find computers that have this hash', section: 'Events'},
	'events.story': {keys: ['t'], title: 'Show in trajectory, with its attack story', section: 'Events'},
	'events.views': {keys: ['v'], title: 'Views', section: 'Events'},
	'events.export': {keys: ['e'], title: 'Export…', section: 'Events'},
	'events.copy': {keys: ['y'], title: 'Copy the id', section: 'Events'},

	'groups.assign': {keys: ['o'], title: 'Assign policies…', section: 'Groups'},
	'groups.selection': {keys: ['.'], title: 'Go to selection actions', section: 'Groups'},
	'groups.move': {keys: ['m'], title: 'Move the selected member…', section: 'Groups'},
	'groups.diff': {keys: ['Shift+d'], title: 'Compare two groups', section: 'Groups'},
	'groups.open': {keys: ['Shift+Enter'], title: 'Open group page', section: 'Groups'},
	'groups.computers': {keys: ['c'], title: 'Show computers in this group', section: 'Groups'},
	'groups.copy': {keys: ['y'], title: 'Copy GUID', section: 'Groups'},
	'groups.note': {keys: ['n'], title: 'Add a note to the incident log', section: 'Groups'},
	'groups.export': {keys: ['e'], title: 'Export…', section: 'Groups'},
	'groups.refresh': {keys: ['r'], title: 'Go to Refresh', section: 'Groups'},
	'groups.view1': {keys: ['1'], title: 'Show tree', section: 'Groups'},
	'groups.view2': {keys: ['2'], title: 'Show computer chart', section: 'Groups'},
	'groups.view3': {keys: ['3'], title: 'Show policy chart', section: 'Groups'},

	'tree.open': {keys: ['ArrowRight', 'ArrowLeft'], title: 'Expand or collapse, go to parent', section: 'Tree'},
	'tree.all': {keys: ['Shift+ArrowRight', 'Shift+ArrowLeft'], title: 'Expand or collapse all below', section: 'Tree'},
	'tree.members': {keys: ['Enter'], title: 'Go to members', section: 'Tree'},
	'tree.peek': {keys: ['Space'], title: 'Toggle preview', section: 'Tree'},
	'tree.jump': {keys: ['f'], title: 'Jump to a group by name', section: 'Tree'},

	'group.assign': {keys: ['o'], title: 'Assign policies…', section: 'Group'},
	'group.move': {keys: ['m'], title: 'Move the selected member…', section: 'Group'},
	'group.diff': {keys: ['Shift+d'], title: 'Compare with another group', section: 'Group'},
	'group.copy': {keys: ['y'], title: 'Copy GUID', section: 'Group'},
	'group.note': {keys: ['n'], title: 'Add a note to the incident log', section: 'Group'},
	'group.back': {keys: ['Escape'], title: 'Back to the tree', section: 'Group'},

	'policies.diff': {keys: ['Shift+d'], title: 'Compare two policies', section: 'Policies'},
	'policies.groups': {keys: ['Shift+g'], title: 'Show groups that use this policy', section: 'Policies'},
	'policies.lists': {keys: ['l'], title: 'Show lists that this policy uses', section: 'Policies'},
	'policies.xml': {keys: ['Shift+x'], title: 'Show XML', section: 'Policies'},
	'policies.copy': {keys: ['y'], title: 'Copy GUID', section: 'Policies'},
	'policies.view1': {keys: ['1'], title: 'List', section: 'Policies'},
	'policies.view2': {keys: ['2'], title: 'Matrix with groups', section: 'Policies'},
	'policies.view3': {keys: ['3'], title: 'Matrix with file lists', section: 'Policies'},
	'policies.details': {keys: ['d'], title: 'Load row details (1 call)', section: 'Policies'},
	'policies.export': {keys: ['e'], title: 'Export…', section: 'Policies'},
	'policies.refresh': {keys: ['r'], title: 'Go to Refresh', section: 'Policies'},

	'policy.tab1': {keys: ['1'], title: 'Used by', section: 'Policy'},
	'policy.tab2': {keys: ['2', 'l'], title: 'Lists', section: 'Policy'},
	'policy.tab3': {keys: ['3'], title: 'History', section: 'Policy'},
	'policy.tab4': {keys: ['4'], title: 'JSON', section: 'Policy'},
	'policy.tab5': {keys: ['5', 'Shift+x'], title: 'XML', section: 'Policy'},
	'policy.groups': {keys: ['Shift+g'], title: 'Show groups that use this policy', section: 'Policy'},
	'policy.diff': {keys: ['Shift+d'], title: 'Compare with another policy', section: 'Policy'},
	'policy.copy': {keys: ['y'], title: 'Copy GUID', section: 'Policy'},
	'policy.note': {keys: ['n'], title: 'Add a note to the incident log', section: 'Policy'},
	'policy.refresh': {keys: ['r'], title: 'Go to Refresh', section: 'Policy'},
	'policy.back': {keys: ['Escape'], title: 'Back to the policies', section: 'Policy'},

	'fileLists.add': {keys: ['a'], title: 'Add a hash…', section: 'File lists'},
	'fileLists.refresh': {keys: ['r'], title: 'Go to Refresh', section: 'File lists'},

	'fileList.add': {keys: ['a'], title: 'Add a hash…', section: 'File list'},
	'fileList.remove': {keys: ['Delete'], title: 'Remove the hash…', section: 'File list'},
	'fileList.coverage': {keys: ['Shift+v'], title: 'Toggle coverage', section: 'File list'},
	'fileList.export': {keys: ['e'], title: 'Export…', section: 'File list'},
	'fileList.refresh': {keys: ['r'], title: 'Go to Refresh', section: 'File list'},
	'fileList.copy': {keys: ['y'], title: 'Copy the hash', section: 'File list'},
	'fileList.copyAs': {keys: ['Shift+y'], title: 'Copy as…', section: 'File list'},
	'fileList.note': {keys: ['n'], title: 'Add a note to the incident log', section: 'File list'},
	'fileList.close': {keys: ['Escape'], title: 'Back to the lists', section: 'File list'},

	'fileList.edit': {keys: ['Shift+e'], title: 'Edit list', section: 'File list'},

	'listEditor.add': {keys: ['a'], title: 'Stage hashes…', section: 'File-list editor'},
	'listEditor.files': {keys: ['o'], title: 'Stage from files…', section: 'File-list editor'},
	'listEditor.difference': {keys: ['d'], title: 'Compare with a file or a list…', section: 'File-list editor'},
	'listEditor.note': {keys: ['n'], title: 'Edit note and reason of rows…', section: 'File-list editor'},
	'listEditor.prevalence': {keys: ['p'], title: 'Check prevalence…', section: 'File-list editor'},
	'listEditor.drop': {keys: ['Delete'], title: 'Drop rows from draft', section: 'File-list editor'},
	'listEditor.preview': {keys: ['Mod+Enter'], title: 'Preview the calls…', section: 'File-list editor'},
	'listEditor.commit': {keys: ['Mod+s'], title: 'Commit…', section: 'File-list editor'},
	'listEditor.discard': {keys: ['Mod+Backspace'], title: 'Discard the draft…', section: 'File-list editor'},
	'listEditor.close': {keys: ['Escape'], title: 'Clear the selection, or back to the list', section: 'File-list editor'},

	'hash.add': {keys: ['a'], title: 'Add hash to a list…', section: 'Hash'},
	'hash.remove': {keys: ['Delete'], title: 'Remove hash from the list…', section: 'Hash'},
	'hash.prevalence': {keys: ['p'], title: 'Go to Check prevalence', section: 'Hash'},
	'hash.copy': {keys: ['y'], title: 'Copy the hash', section: 'Hash'},
	'hash.copyAs': {keys: ['Shift+y'], title: 'Copy as…', section: 'Hash'},
	'hash.note': {keys: ['n'], title: 'Add a note to the incident log', section: 'Hash'},
	'hash.back': {keys: ['Escape'], title: 'Back', section: 'Hash'},

	'jobs.import': {keys: ['Shift+i'], title: 'Plan from a file…', section: 'Jobs'},
	'jobs.undo': {keys: ['Shift+u'], title: 'Open undo history…', section: 'Jobs'},
	'job.filter': {keys: ['/'], title: 'Search results', section: 'Job'},
	'job.retry': {keys: ['Shift+r'], title: 'Retry unsuccessful targets…', section: 'Job'},
	'job.export': {keys: ['e'], title: 'Export…', section: 'Job'},
	'job.stop': {keys: ['s'], title: 'Go to Stop job', section: 'Job'},
	'job.back': {keys: ['Escape'], title: 'Back to the jobs', section: 'Job'},

	'log.filter': {keys: ['/', 'Mod+f'], title: 'Search the log', section: 'Incident log'},
	'log.note': {keys: ['n'], title: 'Add a note', section: 'Incident log'},
	'log.mention': {keys: ['@'], title: 'Add a note that mentions someone', section: 'Incident log'},
	'log.pin': {keys: ['Shift+p'], title: 'Pin or unpin evidence…', section: 'Incident log'},
	'log.handover': {keys: ['Shift+h'], title: 'Open shift handover', section: 'Incident log'},
	'log.export': {keys: ['e'], title: 'Export', section: 'Incident log'},
	'log.verify': {keys: ['Shift+v'], title: 'Verify hash chain', section: 'Incident log'},
	'log.unfold': {keys: ['ArrowRight'], title: 'Show the entries of a change', section: 'Incident log'},
	'log.fold': {keys: ['ArrowLeft'], title: 'Fold the entries of a change', section: 'Incident log'},
	'log.again': {keys: ['Shift+r'], title: 'Copy entry to command line', section: 'Incident log'},

	'handover.steps': {keys: ['n'], title: 'Write the next steps', section: 'Shift handover'},
	'handover.copy': {keys: ['y'], title: 'Copy as Markdown', section: 'Shift handover'},
	'handover.save': {keys: ['e'], title: 'Go to Save', section: 'Shift handover'},
	'handover.back': {keys: ['Escape'], title: 'Back to the incident log', section: 'Shift handover'},

	'instances.add': {keys: ['a'], title: 'Add an instance…', section: 'Instances'},
	'instances.edit': {keys: ['e'], title: 'Change…', section: 'Instances'},
	'instances.expose': {keys: ['o'], title: 'Start or stop exposing…', section: 'Instances'},
	'instances.probe': {keys: ['t'], title: 'Probe the route…', section: 'Instances'},
	'instances.copy': {keys: ['y'], title: 'Copy the address of the route', section: 'Instances'},
	'instances.certificate': {keys: ['Shift+c'], title: 'Certificate…', section: 'Instances'},
	'instances.reach': {keys: ['Shift+n'], title: 'Who can reach the server…', section: 'Instances'},
	'instances.parameters': {keys: ['Shift+p'], title: 'Server parameters', section: 'Instances'},

	'instance.edit': {keys: ['e'], title: 'Change…', section: 'Instance'},
	'instance.expose': {keys: ['o'], title: 'Start or stop exposing…', section: 'Instance'},
	'instance.probe': {keys: ['t'], title: 'Probe the route…', section: 'Instance'},
	'instance.copy': {keys: ['y'], title: 'Copy the address of the route', section: 'Instance'},
	'instance.filter': {keys: ['/'], title: 'Filter the requests', section: 'Instance'},
	'instance.pause': {keys: ['p'], title: 'Pause or follow the requests', section: 'Instance'},
	'instance.tab1': {keys: ['1'], title: 'Requests', section: 'Instance'},
	'instance.tab2': {keys: ['2'], title: 'Addresses', section: 'Instance'},
	'instance.tab3': {keys: ['3'], title: 'Settings', section: 'Instance'},
	'instance.tab4': {keys: ['4'], title: 'Output or list', section: 'Instance'},
	'instance.back': {keys: ['Escape'], title: 'Back to the list', section: 'Instance'},

	'parameters.add': {keys: ['a'], title: 'Add a parameter', section: 'Server parameters'},
	'parameters.back': {keys: ['Escape'], title: 'Back to the instances', section: 'Server parameters'},

	'connections.add': {keys: ['a'], title: 'Add a connection', section: 'Connections'},
	'connections.test': {keys: ['t'], title: 'Test the focused or active connection', section: 'Connections'},

	'settings.find': {keys: ['/', 'Mod+f'], title: 'Search the settings', section: 'Settings'},

	'line.stop': {keys: ['Ctrl+.'], title: 'Stop the newest running line', section: 'Command line'},
	'line.help': {keys: ['F1'], title: 'Go to list of commands', section: 'Command line'},
	'line.earlier': {keys: ['Alt+ArrowUp'], title: 'Go to previous result', section: 'Command line'},
	'line.later': {keys: ['Alt+ArrowDown'], title: 'Go to next result, then to the line', section: 'Command line'},
} as const satisfies Record<string, KeyEntry>

export type KeyId = keyof typeof keyMap

export const keyEntries = Object.entries(keyMap) as readonly (readonly [KeyId, KeyEntry])[] // the entries of the literal above

/** Keys handled by the tables; the overlay shows them wherever a table is. */
export const tableKeys: readonly KeyId[] = ['list.move', 'list.ends', 'list.open', 'list.peek', 'list.menu']

/** Keys handled by a tree. */
export const treeKeys: readonly KeyId[] = [
	'list.move',
	'list.ends',
	'tree.open',
	'tree.all',
	'tree.members',
	'tree.peek',
	'list.menu',
	'tree.jump',
]

/** Keys of tables whose rows can be selected. */
export const selectionKeys: readonly KeyId[] = ['list.select', 'list.extend', 'list.all']
