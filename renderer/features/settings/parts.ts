import type {SectionId} from './search.ts'

interface Part {
	id: PartId
	section: SectionId
	title: string
	/** Synonyms. */
	words: string
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
	diagnostics: 'Diagnostics'
}

const lines = [
	['theme', 'look', 'Theme', 'dark light high contrast colours mode'],
	['palette', 'look', 'State colours', 'colour blind palette deuteranopia protanopia tritanopia red green'],
	['size', 'look', 'Text size', 'font text zoom large small'],
	['density', 'look', 'Density', 'rows compact roomy spacing height'],
	['tray', 'look', 'Closing the window', 'tray background quit desktop'],
	['zone', 'times', 'Time zone', 'utc local clock'],
	['timeForm', 'times', 'Date and time format', 'date format 12 24 hours am pm iso order language english locale'],
	['singleKeys', 'keys', 'Single letters', 'shortcuts screen reader letters'],
	['keyMap', 'keys', 'Key map', 'shortcuts keyboard rebind change hotkeys'],
	['notify', 'notices', 'Desktop notifications', 'notifications desktop browser permission'],
	['notifyKinds', 'notices', 'Notification types', 'notifications kinds lease pending silent job'],
	['quietHours', 'notices', 'Quiet hours', 'notifications night do not disturb'],
	['connectionFiles', 'connections', 'Connections', 'import export tenant api key file'],
	['guards', 'connections', 'Guard rules', 'protected limits confirmation lease reserve'],
	['network', 'connections', 'Network', 'proxy certificate authority ca tls'],
	['stored', 'data', 'What is stored', 'cache size wipe delete local data copy disk folder'],
	['keptEvents', 'data', 'Events that are kept', 'retention store limit disk'],
	['secretStore', 'secrets', 'Where keys are kept', 'keychain password encryption api key'],
	['sessions', 'secrets', 'Browsers that entered', 'session cookie entry link log out end'],
	['managed', 'managed', 'Managed configuration', 'administrator policy locked fields file managed.json'],
	['version', 'about', 'Version', 'update release profile operator'],
	['licences', 'about', 'Licences', 'license open source third party software'],
	['diagnostics', 'diagnostics', 'Diagnostics', 'bundle log support bug report redaction']
] as const satisfies readonly (readonly [id: string, section: SectionId, title: string, words: string])[]

export type PartId = (typeof lines)[number][0]

export const parts: readonly Part[] = lines.map(([id, section, title, words]) => ({id, section, title, words}))

/** The parts that match all typed words, in screen order. */
export function matchingParts(find: string): readonly Part[] {
	const words = find.toLowerCase().split(/\s+/)
	return parts.filter(part => {
		const text = `${part.title} ${sectionTitles[part.section]} ${part.words}`.toLowerCase()
		return words.every(word => text.includes(word))
	})
}
