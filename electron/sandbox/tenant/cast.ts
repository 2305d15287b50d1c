import type {Host, InitialIsolation} from './host.ts'
import {legacyConnector, legacyReleases, linuxReleases, macReleases, phoneRelease, serverReleases} from './platforms.ts'
import {pickAt} from './random.ts'

/** The computer's part in the attack; see `story.ts`. */
export type StoryRole = 'patientZero' | 'fileServer' | 'ward' | 'recipient' | 'mac' | 'miner'

/** A computer of every tenant, whatever its seed: generated like its kind, then changed in places. */
export interface CastMember {
	department: string
	tag: string
	plays?: StoryRole
	change: Partial<Host>
	groupName?: string
	/** Another record of the computer before it: same name and hardware, other GUID. */
	twin?: boolean
}

const hour = 3600
const day = 24 * hour
const healthy: Partial<Host> = {online: true, active: true, isolationAvailable: true, silentFor: 40, generation: 2024}
const stricken: Partial<Host> = {compromised: true, risk: 100}

function isolation(status: InitialIsolation['status'], unlockCode: string, comment: string | null, since: number): InitialIsolation {
	return {status, unlockCode, comment, by: 'Marta Weber', since}
}

/** One of a kind such as `FIN-LT`: healthy but for the change. */
function of(kind: string, hostname: string, change: Partial<Host> = {}, plays?: StoryRole): CastMember {
	const [department = '', tag = ''] = kind.split('-')
	return {department, tag, ...(plays && {plays}), change: {...healthy, hostname, ...change}}
}

/** In order of importance: a very small tenant has only the first ones. */
export const cast: readonly CastMember[] = [
	of('FIN-LT', 'FIN-LT-0231', {...stricken, user: 'g.hartmann'}, 'patientZero'),
	of('FIN-SRV', 'FIN-SRV-014', {...stricken, os: pickAt(serverReleases, 1)}, 'fileServer'),
	of('FIN-LT', 'FIN-LT-0107', {compromised: false}),
	of('MED-WS', 'MED-WS-0412', stricken, 'ward'),
	of('HR-LT', 'HR-LT-0042', {...stricken, risk: 60}, 'recipient'),
	of('ENG-MBP', 'ENG-MBP-118', {...stricken, risk: 80}, 'mac'),
	of('LAB-LIMS', 'LAB-LIMS-001', {...stricken, isolationAvailable: false}, 'miner'),
	of('FIN-LT', 'FIN-LT-0118', {compromised: false}),
	of('ITS-DC', 'FIN-DC-01', {isolationAvailable: false, os: pickAt(serverReleases, 0)}),
	of('FIN-LT', 'FIN-LT-0260', {isolation: isolation('isolated', 'qmzrtk', 'Ticket 48121: suspicious mail', 5 * hour)}),
	of('OPS-LT', 'OPS-LT-0077', {online: false, silentFor: 6 * day, isolation: isolation('pending_start', 'hbwxpe', null, 26 * hour)}),
	of('ENG-WS', 'ENG-WS-0150', {online: false, silentFor: 2 * day, isolation: isolation('isolated', 'vtrkdn', 'Incident 2024-117', 9 * day)}),
	of('HR-LT', 'HR-LT-0019', {online: false, silentFor: 3 * hour, isolation: isolation('pending_stop', 'cjlqsa', null, 2 * day)}),
	of('FIN-WS', 'FIN-WS-0033', {compromised: false}),
	{department: 'FIN', tag: 'WS', twin: true, change: {online: false, active: false, silentFor: 41 * day, isolationAvailable: true}},
	of('MKT-MBP', 'Jane’s MacBook Pro', {os: pickAt(macReleases, 0)}),
	of('MED-PACS', 'MED-PACS-02', {isolationAvailable: false, os: pickAt(serverReleases, 2)}),
	of('RAD-WS', 'RAD-WS-READING-ROOM-3-NORTH-WING-DIAGNOSTIC-DISPLAY-07.clinic.stbarnaby.example'),
	of('RES-MBP', 'Zoë Käßler – Notebook'),
	of('LAB-WS', '検査室-端末-03'),
	{
		department: 'RAD',
		tag: 'MOD',
		change: {
			hostname: 'RAD-MOD-004',
			generation: 2018,
			os: pickAt(legacyReleases, 0),
			connectorVersion: legacyConnector,
			hardwareId: '',
			online: true,
			silentFor: 120,
			isolationAvailable: false,
			compromised: false
		}
	},
	{
		department: 'MED',
		tag: 'LT',
		groupName: 'Mobile Devices',
		change: {
			hostname: 'Ward round iPhone 3',
			platform: 'ios',
			role: 'phone',
			os: phoneRelease,
			connectorVersion: '1.5.3.197',
			hardwareId: '',
			online: true,
			silentFor: 200,
			isolationAvailable: false
		}
	},
	{
		department: 'ITS',
		tag: 'WS',
		groupName: 'Audit',
		change: {...healthy, hostname: 'Demo_AMP_Threat_Quarantined', demo: true, online: false, silentFor: 80 * day}
	},
	of('ITS-LNX', 'its-jump-01.stbarnaby.example', {isolationAvailable: false, os: pickAt(linuxReleases, 4)})
]

/** Positions of the cast in a tenant of that size: evenly spread, or in front when there are few. */
export function castPositions(computers: number): ReadonlyMap<number, CastMember> {
	const members = cast.slice(0, computers)
	const spread = computers >= cast.length * 3 ? Math.floor(computers / cast.length) : 1
	return new Map(members.map((member, index) => [spread === 1 ? index : positionOf(member, index, spread), member]))
}

/** A twin follows the computer that it repeats. */
function positionOf(member: CastMember, index: number, spread: number) {
	return member.twin === true ? (index - 1) * spread + 4 : index * spread + 3
}
