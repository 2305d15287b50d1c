import type {EventBlock} from './facts.ts'
import type {Malware} from './malware.ts'
import {programs, type Program} from './programs.ts'

/** The file of an activity or a detection. */
export interface FileBrief {
	name: string
	path: string
	sha256: string
	type: string
	disposition: string
}

export interface Connection {
	remoteIp: string
	remotePort: number
	localIp: string
	localPort: number
	incoming?: boolean
	url?: string | undefined
}

/** A catalogue program by name. Throws for an unknown name. */
export function programNamed(name: string) {
	const found = programs.find(program => program.name === name)
	if (found === undefined) throw new RangeError(`No program ${name}`)
	return found
}

export function briefOf(program: Program): FileBrief {
	return {name: program.name, path: program.path, sha256: program.sha256, type: program.type, disposition: 'Clean'}
}

/** File activity of a trajectory: created, executed or moved by its parent. */
export function fileActivity(file: FileBrief, parent: FileBrief): EventBlock {
	return {
		file: {
			disposition: file.disposition,
			file_name: file.name,
			file_path: file.path,
			file_type: file.type,
			identity: {sha256: file.sha256},
			parent: {disposition: parent.disposition, identity: {sha256: parent.sha256}}
		}
	}
}

/** Network activity of a trajectory. */
export function networkActivity(connection: Connection, parent: FileBrief): EventBlock {
	return {
		network_info: {
			...addresses(connection),
			nfm: {direction: connection.incoming === true ? 'Incoming connection from' : 'Outgoing connection from', protocol: 'TCP'},
			parent: {disposition: parent.disposition, identity: {sha256: parent.sha256}}
		}
	}
}

/** The network block of a DFC event, which has no direction. */
export function convictedConnection(connection: Connection, parent: FileBrief): EventBlock {
	return {
		network_info: {...addresses(connection), parent: {disposition: parent.disposition, file_name: parent.name, identity: {sha256: parent.sha256}}}
	}
}

function addresses({url, remoteIp, remotePort, localIp, localPort}: Connection): EventBlock {
	const known = {remote_ip: remoteIp, remote_port: remotePort, local_ip: localIp, local_port: localPort}
	return url === undefined ? known : {dirty_url: url, ...known}
}

/** `Threat Detected` and similar. */
export function detectedBlock(bad: Malware, user: string, detectionId: bigint, severity: string, parent: Program, processId: number): EventBlock {
	return {
		detection: bad.detection,
		detection_id: String(detectionId),
		severity,
		file: {
			disposition: 'Malicious',
			file_name: bad.fileName,
			file_path: bad.filePath.replaceAll('%USER%', user === '' ? 'Administrator' : user),
			identity: {sha256: bad.sha256, sha1: bad.sha1, md5: bad.md5},
			parent: {
				process_id: processId,
				disposition: 'Clean',
				file_name: parent.name,
				identity: {sha256: parent.sha256, sha1: parent.sha1, md5: parent.md5}
			}
		}
	}
}

/** `Threat Quarantined`: no name and no path, only the hash (API reference, 6.1). */
export function quarantinedBlock(bad: Malware, detectionId: bigint, severity: string): EventBlock {
	return {detection_id: String(detectionId), severity, file: {disposition: 'Malicious', identity: {sha256: bad.sha256}}}
}

export function quarantineFailureBlock(bad: Malware, detectionId: bigint, severity: string, code: number, description: string): EventBlock {
	return {...quarantinedBlock(bad, detectionId, severity), error: {error_code: code, description}}
}

export function cloudIoc(
	severity: string,
	short: string,
	description: string,
	tactics: readonly string[],
	techniques: readonly string[]
): EventBlock {
	return {severity, cloud_ioc: {description, short_description: short}, tactics, techniques}
}
