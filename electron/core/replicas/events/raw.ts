import type {Database} from '#core/store/database.ts'
import {deflateRawSync, inflateRawSync} from 'node:zlib'

/**
 * Common text of service records. A million of them take 1 GB uncompressed and a third with this. A change here makes stored
 * records unreadable: then increase `schemaVersion`.
 */
const dictionary = Buffer.from(
	'"process_id":"sha1":"","md5":""}"parent":{"archived_file":{"cloud_ioc":{"description":"short_description":"' +
		'"tactics":["TA00"techniques":["T10"network_info":{"remote_ip":"","remote_port":"local_ip":"","local_port":' +
		'"nfm":{"direction":"protocol":"command_line":{"arguments":"error":{"error_code":"scan":{"description":"Flash Scan"' +
		',"clean":true,"scanned_files":,"scanned_processes":,"scanned_paths":,"malicious_detections":0}}' +
		'"severity":"Critical""severity":"High""severity":"Low""severity":"Medium","detection":"W32."detection_id":"' +
		'"file":{"disposition":"Clean"Unknown"Blocklisted"Malicious","file_name":"","file_path":"\\\\\\\\?\\\\C:\\\\Users\\\\' +
		'AppData\\\\Local\\\\Temp\\\\C:\\\\Windows\\\\System32\\\\C:\\\\Program Files\\\\.exe","identity":{"sha256":"' +
		'{"id":,"timestamp":17,"timestamp_nanoseconds":000000,"date":"2026-T:+00:00","event_type":"Threat Detected","event_type_id":' +
		',"connector_guid":"","group_guids":[""],"computer":{"connector_guid":"","hostname":"","external_ip":"","user":"' +
		'","active":true,"network_addresses":[{"ip":"10.","mac":"02:"}],"links":{"computer":"https://api.amp.cisco.com/v1/computers/' +
		'","trajectory":"https://api.amp.cisco.com/v1/computers//trajectory","group":"https://api.amp.cisco.com/v1/groups/"}}'
)

export function packRecord(json: string): Uint8Array {
	return deflateRawSync(json, {dictionary, level: 4})
}

export function unpackRecord(packed: Uint8Array) {
	return inflateRawSync(packed, {dictionary}).toString('utf8')
}

/** As the service gave it, with all digits. */
export function recordAt(database: Database, id: number): string {
	const packed = database.get<{json: Uint8Array}>('SELECT json FROM raw WHERE id = ?', id)
	return packed === undefined ? '{}' : unpackRecord(packed.json)
}
