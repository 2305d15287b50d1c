import {z} from 'zod'

import {clockTimeSchema, noticeKinds} from './notice.ts'

const fields = {
	theme: z.enum(['system', 'light', 'dark', 'contrast']),
	/** Alternative colours for colour blindness: red and green, or blue and yellow. */
	palette: z.enum(['usual', 'deuteranopia', 'protanopia', 'tritanopia']),
	fontSize: z.enum(['small', 'normal', 'large', 'largest']),
	density: z.enum(['compact', 'normal', 'roomy']),
	/** Single-letter shortcuts can be disabled for screen readers. */
	singleKeys: z.boolean(),
	/** Chosen keys by id of the key map; others keep their default. Shortcuts open, they never change. */
	keys: z.record(z.string().max(60), z.array(z.string().min(1).max(40)).max(4)),
	timeZone: z.enum(['local', 'utc']),
	clockForm: z.enum(['24', '12']),
	/** 2026-01-31, 31/01/2026, 01/31/2026. */
	dateForm: z.enum(['iso', 'dmy', 'mdy']),
	/** Notifications of the system or browser. */
	notify: z.boolean(),
	notifyKinds: z.array(z.enum(noticeKinds)),
	quietHours: z.object({from: clockTimeSchema, to: clockTimeSchema}).nullable(),
	/** Maximum stored events per connection; the oldest are removed beyond it. */
	keptEvents: z.int().min(10_000).max(5_000_000),
	/** Desktop: closing the window leaves Cordon in the tray. */
	stayInTray: z.boolean(),
	/** Column ids of the computers table, in order. */
	computerColumns: z.array(z.string()),
	/** Recent searches, newest first. */
	recentSearches: z.array(z.string().max(500)).max(20),
	/** Templates for reasons. */
	isolateReasons: z.array(z.string().min(1).max(255)).max(20),
	releaseReasons: z.array(z.string().min(1).max(255)).max(20),
	/** The connection shown at startup. */
	activeConnection: z.string().nullable(),
	/** The incident that new entries join. */
	activeIncident: z.string().nullable()
}

/** Settings of this profile. Each field has a default, so an old file stays readable. */
export const settingsSchema = z.object({
	theme: fields.theme.default('system'),
	palette: fields.palette.default('usual'),
	fontSize: fields.fontSize.default('normal'),
	density: fields.density.default('normal'),
	singleKeys: fields.singleKeys.default(true),
	keys: fields.keys.default({}),
	timeZone: fields.timeZone.default('local'),
	clockForm: fields.clockForm.default('24'),
	dateForm: fields.dateForm.default('iso'),
	notify: fields.notify.default(true),
	notifyKinds: fields.notifyKinds.default([...noticeKinds]),
	quietHours: fields.quietHours.default(null),
	keptEvents: fields.keptEvents.default(2_000_000),
	stayInTray: fields.stayInTray.default(false),
	computerColumns: fields.computerColumns.default(['hostname', 'group', 'policy', 'os', 'connector', 'internal_ip', 'last_seen', 'isolation']),
	recentSearches: fields.recentSearches.default([]),
	isolateReasons: fields.isolateReasons.default([
		'Beaconing to a known bad address',
		'Malware found, quarantine failed',
		'Suspected account takeover',
		'Ransomware behaviour'
	]),
	releaseReasons: fields.releaseReasons.default(['Host is clean', 'Reimaged', 'False positive', 'Isolated by mistake']),
	activeConnection: fields.activeConnection.default(null),
	activeIncident: fields.activeIncident.default(null)
})
export type Settings = z.infer<typeof settingsSchema>

/** A change of some settings. Not `settingsSchema.partial()`, which would fill in defaults of omitted ones. */
export const settingsChangeSchema = z.object(fields).partial()
