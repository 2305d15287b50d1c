import {
	detectedBlock,
	fileActivity,
	networkActivity,
	quarantinedBlock,
	quarantineFailureBlock,
	type Connection,
	type FileBrief
} from './blocks.ts'
import {types} from './event-types.ts'
import {connectorEventId, factDie, type EventBlock, type EventFact} from './facts.ts'
import {addressOf, type Host} from './host.ts'
import type {Malware} from './malware.ts'
import type {Program} from './programs.ts'
import type {Random} from './random.ts'

/** File or network activity of one computer, as in its trajectory. Milliseconds after the start. */
export interface ActivityFact {
	at: number
	type: 'Created by' | 'Executed by' | 'Moved by' | 'NFM'
	host: number
	block: EventBlock
}

export const second = 1000
export const minute = 60 * second
export const hour = 60 * minute

export const commandServer = '203.0.113.66'

/** Collects the facts of the attack. */
export interface Script {
	seed: string
	die: Random
	events: EventFact[]
	activities: ActivityFact[]
}

interface Detection {
	bad: Malware
	parent: Program
	severity: string
	outcome: 'quarantined' | 'failed'
}

interface Hashes {
	detectionSha256?: string
	applicationSha256?: string
}

/** Events that can happen on one computer. */
export type Stage = ReturnType<typeof openStage>

export function openStage(script: Script, host: Host) {
	const {seed, die} = script
	const act = (at: number, type: ActivityFact['type'], block: EventBlock) => void script.activities.push({at, type, host: host.index, block})
	const alarm = (at: number, type: number, block: EventBlock, hashes: Hashes = {}) => {
		const id = connectorEventId(factDie(seed, 'story event', host.index, type, at))
		script.events.push({id, at, type, host: host.index, frame: 'computer', block, ...hashes})
	}
	const connected = (at: number, connection: Connection, by: FileBrief) => act(at, 'NFM', networkActivity(connection, by))
	return {
		host,
		alarm,
		connected,
		created: (at: number, file: FileBrief, by: FileBrief) => act(at, 'Created by', fileActivity(file, by)),
		executed: (at: number, file: FileBrief, by: FileBrief, more: EventBlock = {}) => act(at, 'Executed by', {...fileActivity(file, by), ...more}),
		/** Connections to the command server, about twice an hour until now. */
		beacons: (from: number, by: FileBrief) => {
			for (let at = from; at < -minute; at += 25 * minute + die.int(10 * minute)) {
				connected(at, toCommandServer(script, host, `https://${commandServer}/status`), by)
			}
		},
		/** A detection and its outcome, which share a `detection_id`. */
		detected: (at: number, {bad, parent, severity, outcome}: Detection) => {
			const id = connectorEventId(factDie(seed, 'detection', host.index, at))
			const hashes = {detectionSha256: bad.sha256, applicationSha256: parent.sha256}
			alarm(at, types.threatDetected, detectedBlock(bad, host.user, id, severity, parent, 900 + die.int(9000)), hashes)
			if (outcome === 'quarantined') return alarm(at, types.quarantined, quarantinedBlock(bad, id, severity), hashes)
			const failure = quarantineFailureBlock(bad, id, severity, 3221225539, 'The file is open in another process.')
			alarm(at + second, types.quarantineFailure, failure, hashes)
		}
	}
}

export function toCommandServer({die}: Script, host: Host, url: string): Connection {
	return {remoteIp: commandServer, remotePort: 443, localIp: addressOf(host), localPort: 49_500 + die.int(9000), url}
}

/** A malicious file at its own path. */
export function dropped(bad: Malware, path: string, type = 'PE Executable'): FileBrief {
	return {name: bad.fileName, path, sha256: bad.sha256, type, disposition: 'Malicious'}
}
