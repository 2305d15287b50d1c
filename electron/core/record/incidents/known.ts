import {CordonError} from '#contract/errors.ts'

import type {IncidentLog} from './types.ts'

/** Entries of an unknown incident would be found in none. Throws `not_found`. */
export async function knownIncident(log: Pick<IncidentLog, 'incidents'>, id: string | null | undefined) {
	if (id === null || id === undefined) return null
	if ((await log.incidents()).some(one => one.id === id)) return id
	throw unknownIncident(id)
}

export function unknownIncident(id: string) {
	return new CordonError('not_found', `There is no incident ${id}.`, {
		field: 'incident',
		fix: 'Take an ID of "cordon incidents list", or open one with "cordon incidents open TITLE".'
	})
}
