/** Generates any number of events; the same index always gives the same event. */
import type {ServiceEvent} from '#model/event.ts'

import {guidOf} from '#core/replicas/computers/testing/world.ts'

export const endOfTime = Date.UTC(2026, 0, 15, 12)
export const groupGuids = Array.from({length: 30}, (_, index) => guidOf(900_000 + index))

export interface GeneratedOptions {
	count: number
	/** Spread over this many days before `end`. */
	days: number
	/** Time of the newest event, Unix milliseconds; default `endOfTime`. */
	end?: number
}

/** A number below `limit`, evenly distributed. */
function pick(index: number, salt: number, limit: number) {
	let x = Math.imul(index + 1, 0x9e37_79b1) ^ Math.imul(salt + 1, 0x85eb_ca6b)
	x = Math.imul(x ^ (x >>> 15), 0x2c1b_3c6d)
	x = Math.imul(x ^ (x >>> 12), 0x297a_2d39)
	return ((x ^ (x >>> 15)) >>> 0) % limit
}

function one<T>(list: readonly T[], index: number, salt: number) {
	const found = list[pick(index, salt, list.length)]
	if (found === undefined) throw new Error('nothing to pick from')
	return found
}

export function hashOf(index: number) {
	return Array.from({length: 8}, (_, part) =>
		pick(index, 100 + part, 2 ** 32)
			.toString(16)
			.padStart(8, '0')
	).join('')
}

const departments = ['FIN', 'HR', 'ENG', 'OPS', 'LEGAL', 'MED']
const users = ['m.keller', 'p.schmid', 'j.petrov', 'l.fischer', 'a.novak', 's.moreau', 'k.tanaka', 'b.hartmann']
const programs = ['WINWORD.EXE', 'chrome.exe', 'powershell.exe', 'setup_free.exe', 'invoice.pdf.exe', 'update.msi']
const folders = [
	String.raw`\\?\C:\Users\USER\Downloads`,
	String.raw`C:\Users\USER\AppData\Local\Temp`,
	String.raw`C:\Windows\System32`,
	String.raw`C:\Program Files\Microsoft Office\root\Office16`
]
const threats = ['W32.GenericKD', 'Win.Ransomware.Eicar', 'PUA.Win.Adware.Toolbar', 'W32.Auto', 'Doc.Dropper.Agent']
/** With its share per hundred events. */
const kinds: readonly (readonly [share: number, id: number, name: string])[] = [
	[28, 554_696_714, 'Scan Started'],
	[27, 554_696_715, 'Scan Completed, No Detections'],
	[15, 553_648_130, 'Policy Update'],
	[5, 553_648_196, 'Fault Cleared'],
	[5, 553_648_195, 'Minor Fault Raised'],
	[8, 1_090_519_054, 'Threat Detected'],
	[4, 553_648_143, 'Threat Quarantined'],
	[2, 2_164_260_880, 'Quarantine Failure'],
	[1, 553_648_147, 'Retrospective Detection'],
	[1, 553_648_155, 'Cloud Recall Quarantine Successful'],
	[2, 1_107_296_274, 'Cloud IOC'],
	[2, 1_090_519_084, 'DFC Threat Detected']
]

function kindOf(index: number) {
	let place = pick(index, 1, 100)
	for (const kind of kinds) {
		place -= kind[0]
		if (place < 0) return kind
	}
	throw new Error('the shares are less than a hundred')
}

/** `index` 0 is the newest. */
export function generatedEvent(index: number, {count, days, end = endOfTime}: GeneratedOptions): ServiceEvent {
	const step = (days * 86_400_000) / count
	const ms = Math.floor(end - index * step - pick(index, 2, Math.max(1, Math.floor(step))))
	const [, id, name] = kindOf(index)
	const host = pick(index, 3, 20_000)
	const user = `${users[host % users.length] ?? ''}${host % 400}`
	return {
		id: BigInt('6000000000000000000') + BigInt(index) * 1_000_003n,
		timestamp: Math.floor(ms / 1000),
		timestamp_nanoseconds: (ms % 1000) * 1_000_000,
		date: new Date(ms).toISOString().replace(/\.\d+Z$/, '+00:00'),
		event_type: name,
		event_type_id: id,
		connector_guid: guidOf(host),
		group_guids: [groupGuids[host % 30] ?? ''],
		computer: {
			connector_guid: guidOf(host),
			hostname: `${departments[host % 6] ?? ''}-WS-${String(host).padStart(5, '0')}`,
			external_ip: `203.0.113.${host % 200}`,
			user: `${user}@${departments[host % 6] ?? ''}-WS-${host}`,
			active: true,
			network_addresses: [{ip: `10.${host % 200}.${(host >> 8) % 250}.${host % 250}`, mac: '02:6a:82:22:23:ce'}]
		},
		...blockOf(index, id, user)
	}
}

/** Fields of the kind; three consecutive events share a detection. */
function blockOf(index: number, id: number, user: string): Readonly<Record<string, unknown>> {
	const file = one(programs, index, 5)
	const hash = hashOf(pick(index, 6, 50_000))
	const chain = {detection_id: String(7_000_000_000_000_000_000n + BigInt(Math.floor(index / 3)))}
	const severity = one(['Low', 'Medium', 'High', 'Critical'], index, 7)
	if (id === 1_090_519_054 || id === 553_648_147)
		return {
			...chain,
			severity,
			detection: `${one(threats, index, 8)}:${hashOf(pick(index, 9, 4000)).slice(0, 10)}.in03.Talos`,
			file: {
				disposition: 'Malicious',
				file_name: file,
				file_path: `${one(folders, index, 10).replace('USER', user)}\\${file}`,
				identity: {sha256: hash, sha1: hash.slice(0, 40), md5: hash.slice(0, 32)},
				parent: {process_id: 4020, disposition: 'Clean', file_name: 'explorer.exe', identity: {sha256: hashOf(7)}}
			}
		}
	if (id === 553_648_143 || id === 2_164_260_880 || id === 553_648_155)
		return {...chain, severity, file: {disposition: 'Malicious', identity: {sha256: hash}}}
	if (id === 1_107_296_274)
		return {
			severity,
			cloud_ioc: {description: 'PowerShell was started with an encoded command.', short_description: 'W32.Enc.ioc'},
			command_line: {arguments: `powershell.exe -enc ${hash}`},
			tactics: ['TA0002'],
			techniques: ['T1059.001']
		}
	if (id === 1_090_519_084)
		return {
			severity,
			network_info: {remote_ip: `198.51.100.${pick(index, 11, 250)}`, dirty_url: `http://bad${pick(index, 12, 900)}.example.net/gate.php`}
		}
	return id === 554_696_714 ? {scan: {description: 'Flash Scan'}} : {}
}
