/**
 * For whom a piece of work is done, where that is not the surface of this process: a console answers command lines too, and
 * the log tells which of the two changed something.
 */
import {AsyncLocalStorage} from 'node:async_hooks'

import type {Surface} from '#shared/model/incident.ts'

const acting = new AsyncLocalStorage<Surface>()

export function actingFor<T>(surface: Surface, work: () => T): T {
	return acting.run(surface, work)
}

/** The surface that the running work is done for, else the given one. */
export function actingSurface(surface: Surface): Surface {
	return acting.getStore() ?? surface
}

/** Actions of a person at this process, logged for the requester; automations stay what they are. */
export function asActing<T extends {readonly surface: Surface}>(entry: T): T {
	return entry.surface === 'screen' ? {...entry, surface: actingSurface('screen')} : entry
}
