/** All settings, with their search words. */
import type {SectionId} from './search.ts'

export const partIds = [
	'theme',
	'palette',
	'size',
	'density',
	'zone',
	'timeForm',
	'singleKeys',
	'keyMap',
	'notify',
	'notifyKinds',
	'quietHours',
	'connectionFiles',
	'guards',
	'network',
	'stored',
	'keptEvents',
	'tray',
	'secretStore',
	'sessions',
	'managed',
	'version',
	'licences',
	'diagnostics',
] as const
export type PartId = (typeof partIds)[number]

interface Part {
	readonly id: PartId
	readonly section: SectionId
	readonly title: string
	/** Synonyms. */
	readonly words: string
}

export const sectionTitles: Readonly<Record<SectionId, string>> = {
	look: 'Appearance',
	times: 'Times',
	keys: 'Keyboard',
	notices: 'Notifications',
	connections: 'Connections',
	data: 'Data on this computer',
	secrets: 'Secrets',
	managed: 'Administrator',
	about: 'About',
	diagnostics: 'Diagnostics',
}

export const parts: readonly Part[] = [
	{id: 'theme', section: 'look', title: 'Theme', words: 'dark light high contrast colours mode'},
	{
		id: 'palette',
		section: 'look',
		title: 'State colours',
		words: 'colour blind palette deuteranopia protanopia tritanopia red green',
	},
	{id: 'size', section: 'look', title: 'Text size', words: 'font text zoom large small'},
	{id: 'density', section: 'look', title: 'Density', words: 'rows compact roomy spacing height'},
	{id: 'tray', section: 'look', title: 'Closing the window', words: 'tray background quit desktop'},
	{id: 'zone', section: 'times', title: 'Time zone', words: 'utc local clock'},
	{
		id: 'timeForm',
		section: 'times',
		title: 'Date and time format',
		words: 'date format 12 24 hours am pm iso order language english locale',
	},
	{id: 'singleKeys', section: 'keys', title: 'Single letters', words: 'shortcuts screen reader letters'},
	{id: 'keyMap', section: 'keys', title: 'Key map', words: 'shortcuts keyboard rebind change hotkeys'},
	{id: 'notify', section: 'notices', title: 'Desktop notifications', words: 'notifications desktop browser permission'},
	{id: 'notifyKinds', section: 'notices', title: 'Notification types', words: 'notifications kinds lease pending silent job'},
	{id: 'quietHours', section: 'notices', title: 'Quiet hours', words: 'notifications night do not disturb'},
	{id: 'connectionFiles', section: 'connections', title: 'Connections', words: 'import export tenant api key file'},
	{id: 'guards', section: 'connections', title: 'Guard rules', words: 'protected limits confirmation lease reserve'},
	{id: 'network', section: 'connections', title: 'Network', words: 'proxy certificate authority ca tls'},
	{id: 'stored', section: 'data', title: 'What is stored', words: 'cache size wipe delete local data copy disk folder'},
	{id: 'keptEvents', section: 'data', title: 'Events that are kept', words: 'retention store limit disk'},
	{id: 'secretStore', section: 'secrets', title: 'Where keys are kept', words: 'keychain password encryption api key'},
	{id: 'sessions', section: 'secrets', title: 'Browsers that entered', words: 'session cookie entry link log out end'},
	{
		id: 'managed',
		section: 'managed',
		title: 'Managed configuration',
		words: 'administrator policy locked fields file managed.json',
	},
	{id: 'version', section: 'about', title: 'Version', words: 'update release profile operator'},
	{id: 'licences', section: 'about', title: 'Licences', words: 'license open source third party software'},
	{id: 'diagnostics', section: 'diagnostics', title: 'Diagnostics', words: 'bundle log support bug report redaction'},
]

/** The parts that match all typed words, in screen order. */
export function matchingParts(find: string): readonly Part[] {
	const words = find
		.toLowerCase()
		.split(/\s+/)
		.filter(word => word !== '')
	return parts.filter(part => {
		const text = `${part.title} ${sectionTitles[part.section]} ${part.words}`.toLowerCase()
		return words.every(word => text.includes(word))
	})
}
