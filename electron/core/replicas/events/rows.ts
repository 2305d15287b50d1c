import type {EventRow} from '#contract/events.ts'
import type {EventGrouping} from '#model/choices.ts'

import type {Database} from '#core/store/database.ts'
import {aboutOf} from '../kit/fields.ts'
import {outcomeOf} from './outcome.ts'
import {unpackRecord} from './raw.ts'
import {severityAt} from './record.ts'
import type {StoredEvent} from './words.ts'

interface FoundEvent extends StoredEvent {
	id: number
	kinds: number | null
	/** Only without a detection's name. */
	json: Uint8Array | null
}

const select = `SELECT e.*, d.kinds, r.json FROM event e LEFT JOIN detection d ON d.detection_id = e.detection_id
  LEFT JOIN raw r ON r.id = e.id AND e.detection IS NULL`

/** Rows of these ids, newest first; `beside` adds to an id's row. */
export function rowsOf(database: Database, ids: readonly number[], beside?: Beside): readonly EventRow[] {
	const sql = `${select} WHERE e.id IN (SELECT value FROM json_each(?)) ORDER BY e.id DESC`
	const found = database.all<FoundEvent>(sql, JSON.stringify(ids))
	return found.map(
		beside === undefined
			? rowOf
			: event => {
					const row = rowOf(event)
					return {...row, ...beside(event.id, row)}
				}
	)
}

type Beside = (id: number, row: EventRow) => Partial<EventRow>

/** What a grouping adds to the rows of its newest events. */
export function besideOf(database: Database, grouping: EventGrouping, gathered: Beside | undefined): Beside | undefined {
	return grouping === 'detections' ? carriedOf(database) : gathered
}

/** Name, file and hash of a detection's other events, where the event of its row lacks them. */
function carriedOf(database: Database): Beside {
	const sql = `SELECT max(e.detection) AS detection, max(e.file_name) AS fileName, max(e.file_path) AS filePath,
  max(e.sha256) AS sha256 FROM chain c JOIN chain o ON o.detection = c.detection JOIN event e ON e.id = o.id WHERE c.id = ?`
	return (id, {detectionId, detection, fileName, filePath, sha256}) => {
		const found = detectionId === null ? undefined : database.get<Pick<EventRow, 'detection' | 'fileName' | 'filePath' | 'sha256'>>(sql, id)
		if (found === undefined) return {}
		return {
			detection: detection ?? found.detection,
			fileName: fileName ?? found.fileName,
			filePath: filePath ?? found.filePath,
			sha256: sha256 ?? found.sha256
		}
	}
}

export function rowByKey(database: Database, key: string): {id: number; row: EventRow} | undefined {
	const found = database.get<FoundEvent>(`${select} WHERE e.key = ?`, key)
	return found === undefined ? undefined : {id: found.id, row: rowOf(found)}
}

function rowOf(event: FoundEvent): EventRow {
	return {
		key: event.key,
		id: event.service_id,
		at: new Date(event.ms).toISOString(),
		typeId: event.type_id,
		type: event.type,
		severity: severityAt(event.severity),
		detection: event.detection,
		about: event.json === null ? null : aboutIn(unpackRecord(event.json)),
		detectionId: event.detection_id,
		outcome: outcomeOf(event.kinds ?? 0),
		guid: event.guid,
		hostname: event.hostname,
		user: event.user,
		groupGuids: event.groups === '' ? [] : event.groups.split(' '),
		sha256: event.sha256,
		parent: event.parent_sha256,
		fileName: event.file_name,
		filePath: event.file_path,
		disposition: event.disposition,
		remote: event.remote,
		url: event.url,
		odd: event.odd === 1
	}
}

/** Most records have none of these fields, and are not parsed. */
function aboutIn(json: string) {
	return /"(?:cloud_ioc|threat_hunting|scan|fault_event_title|error)":/.test(json) ? aboutOf(JSON.parse(json)) : null
}
