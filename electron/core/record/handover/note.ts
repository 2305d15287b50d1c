import {openCount, type Handover} from '#model/handover.ts'
import type {Surface} from '#model/incident.ts'

import type {NewEntry} from '../incidents/types.ts'

/** The next steps as an entry of the log, with how much was open then: whoever comes next reads it where everything stands. */
export function handoverNote(handover: Handover, next: string, incident: string | null, surface: Surface): NewEntry {
	const {parts} = handover
	const counts = Object.fromEntries(Object.entries(parts).map(([part, lines]) => [part, lines.length]))
	return {
		kind: 'note',
		surface,
		incident,
		message: `Shift handover, ${openCount(handover)} open. Next steps: ${next.trim()}`,
		data: {handover: {since: handover.since, connection: handover.connection, ...counts, ...handover.cut}}
	}
}
