import {cloudIoc, detectedBlock, programNamed, quarantinedBlock, quarantineFailureBlock} from './blocks.ts'
import {types} from './event-types.ts'
import {cloudEventId, connectorEventId, factDie, type EventBlock, type EventFact} from './facts.ts'
import type {Host} from './host.ts'
import {everydayMalware, malwareAt, type Malware} from './malware.ts'
import {pickAt, type Random} from './random.ts'

const day = 86_400
const keptDays = 30
const most = 40_000

interface Scribe {
	seed: string
	malware: readonly Malware[]
	facts: EventFact[]
}

/** Ordinary events of thirty days: the service's retention. */
export function tellHistory(seed: string, hosts: readonly Host[], attacked: ReadonlySet<number>): readonly EventFact[] {
	const scribe: Scribe = {seed, malware: everydayMalware(seed), facts: []}
	const count = Math.min(most, hosts.length * 2)
	for (let index = 0; index < count; index += 1) {
		const die = factDie(seed, 'history', index)
		const host = pickAt(hosts, die.int(hosts.length))
		if (host.silentFor < keptDays * day) everyday(scribe, die, host)
	}
	for (const host of hosts) if (!attacked.has(host.index)) aboutHost(scribe, host)
	return scribe.facts
}

/** One event to tell of, and how its records are made. */
interface Telling {
	die: Random
	host: Host
	at: number
	malware: readonly Malware[]
	tell: (at: number, type: number, block: EventBlock, frame?: Frame) => void
}

type Teller = (telling: Telling) => void

const tellers: readonly (readonly [share: number, teller: Teller])[] = [
	[34, policyUpdate],
	[30, scan],
	[8, productUpdate],
	[7, faultAndCure],
	[6, cleanedDetection],
	[4, rebootAdvised],
	[4, vulnerable],
	[3, installStarted],
	[2, blocked],
	[1, failedDetection],
	[1, isolationEpisode]
]
const shares = tellers.reduce((sum, [share]) => sum + share, 0)

function everyday(scribe: Scribe, die: Random, host: Host) {
	const age = host.silentFor + die.next() ** 1.6 * (keptDays * day - host.silentFor)
	let left = die.int(shares)
	const found = tellers.find(([share]) => (left -= share) < 0)
	found?.[1](tellingOf(scribe, die, host, -Math.round(age * 1000)))
}

/** A compromised computer outside the attack has a remaining threat; an inactive one was uninstalled. */
function aboutHost(scribe: Scribe, host: Host) {
	if (host.silentFor >= (keptDays - 2) * day) return
	const die = factDie(scribe.seed, 'about', host.index)
	const telling = tellingOf(scribe, die, host, -(host.silentFor + 60 + die.int(day)) * 1000)
	if (host.compromised) failedDetection(telling)
	if (!host.active) telling.tell(-host.silentFor * 1000, types.uninstall, {}, {small: true})
	if (host.isolation?.status === 'isolated') telling.tell(-host.isolation.since * 1000, types.isolationStarted, {})
}

interface Frame {
	small?: boolean
	frame?: EventFact['frame']
	detection?: string
	application?: string
}

function tellingOf({malware, facts}: Scribe, die: Random, host: Host, at: number): Telling {
	const tell: Telling['tell'] = (at, type, block, frame = {}) => {
		// Events after the last contact have not been reported.
		if (at > -host.silentFor * 1000) return
		facts.push({
			id: frame.small === true ? cloudEventId(die) : connectorEventId(die),
			at,
			type,
			host: host.index,
			frame: frame.frame ?? 'computer',
			block,
			...(frame.detection === undefined ? {} : {detectionSha256: frame.detection}),
			...(frame.application === undefined ? {} : {applicationSha256: frame.application})
		})
	}
	return {die, host, at, malware, tell}
}

function policyUpdate({die, at, tell}: Telling) {
	if (die.chance(0.96)) return tell(at, types.policyUpdate, {})
	tell(at, types.policyUpdateFailure, {error: {error_code: 3221225524, description: 'Object name not found'}})
}

function scan({die, at, tell}: Telling) {
	const description = die.chance(0.8) ? 'Flash Scan' : 'Full Scan'
	tell(at, types.scanStarted, {scan: {description}})
	const files = description === 'Flash Scan' ? 400 + die.int(3000) : 90_000 + die.int(400_000)
	const counts = {scanned_files: files, scanned_processes: die.int(160), scanned_paths: 1 + die.int(9), malicious_detections: 0}
	tell(at + (20 + die.int(1800)) * 1000, types.scanClean, {scan: {description, clean: true, ...counts}})
}

function productUpdate({at, tell}: Telling) {
	tell(at, types.productUpdateStarted, {}, {small: true, frame: 'guid'})
	tell(at + 140_000, types.productUpdateCompleted, {}, {small: true, frame: 'guid'})
}

function faultAndCure({die, host, at, tell}: Telling) {
	const title = host.platform === 'mac' ? 'Disk access not granted' : 'Definitions update failed'
	tell(at, types.minorFault, {severity: 'Low', fault_event_title: title, intervention_required: 'yes'})
	tell(at + die.int(7200) * 1000, types.faultCleared, {fault_event_title: title})
}

function cleanedDetection(telling: Telling) {
	const {die, host, at, malware, tell} = telling
	if (host.platform !== 'windows') return policyUpdate(telling)
	const bad = malwareAt(malware, die.int(malware.length))
	const parent = programNamed(die.pick(['chrome.exe', 'msedge.exe', 'OUTLOOK.EXE', 'explorer.exe']))
	const id = connectorEventId(die)
	const hashes = {detection: bad.sha256, application: parent.sha256}
	const late = die.chance(0.12)
	const severity = die.pick(['Low', 'Medium', 'Medium', 'High'])
	const first = late ? types.retrospectiveDetection : types.threatDetected
	tell(at, first, detectedBlock(bad, host.user, id, severity, parent, 500 + die.int(9000)), hashes)
	tell(at, late ? types.retrospectiveQuarantine : types.quarantined, quarantinedBlock(bad, id, severity), hashes)
}

function failedDetection({die, host, at, malware, tell}: Telling) {
	const bad = malwareAt(malware, die.int(3))
	const parent = programNamed('explorer.exe')
	const id = connectorEventId(die)
	const hashes = {detection: bad.sha256, application: parent.sha256}
	tell(at, types.threatDetected, detectedBlock(bad, host.user, id, 'High', parent, 500 + die.int(9000)), hashes)
	const failure = quarantineFailureBlock(bad, id, 'High', 3221225524, 'Object name not found')
	tell(at + 1000, types.quarantineFailure, failure, hashes)
	if (die.chance(0.4))
		tell(at + 5000, types.cloudIoc, cloudIoc('Medium', 'W32.ClearEventLogs.ioc', 'The event log was cleared.', ['TA0005'], ['T1070']))
}

function rebootAdvised({at, tell}: Telling) {
	tell(at, types.rebootAdvised, {}, {small: true})
}

function vulnerable(telling: Telling) {
	const {host, at, tell} = telling
	if (host.platform !== 'windows') return policyUpdate(telling)
	const program = programNamed('firefox.exe')
	const file = {disposition: 'Clean', file_name: program.name, identity: {sha256: program.sha256}}
	const cve = {
		cve: 'CVE-2015-7204',
		name: 'Mozilla Firefox',
		score: '6.8',
		url: 'https://web.nvd.nist.gov/view/vuln/detail?vulnId=CVE-2015-7204',
		version: '41.0'
	}
	tell(at, types.vulnerable, {file, vulnerabilities: [cve]}, {application: program.sha256})
}

function installStarted({host, at, tell}: Telling) {
	tell(at, types.installStarted, {hostname: host.hostname}, {small: true, frame: 'hostname'})
}

function blocked(telling: Telling) {
	const {host, at, tell} = telling
	if (host.platform !== 'windows') return policyUpdate(telling)
	const program = programNamed('TeamViewer.exe')
	const file = {
		disposition: 'Blocklisted',
		file_name: program.name,
		file_path: 'C:\\Program Files\\TeamViewer\\TeamViewer.exe',
		identity: {sha256: program.sha256}
	}
	tell(at, types.executionBlocked, {file}, {detection: program.sha256})
}

function isolationEpisode(telling: Telling) {
	const {die, host, at, tell} = telling
	if (!host.isolationAvailable || host.isolation !== undefined) return policyUpdate(telling)
	const duration = 60 + die.int(7200)
	if (at + duration * 1000 > -host.silentFor * 1000) return policyUpdate(telling)
	tell(at, types.isolationStarted, {})
	tell(at + duration * 1000, types.isolationStopped, {isolation: {duration}})
}
