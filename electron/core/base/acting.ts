/**
 * The surface on whose behalf work runs: a console answers command lines too, and the log tells which of the two changed
 * something.
 */
import {AsyncLocalStorage} from 'node:async_hooks'

import type {Surface} from '#model/incident.ts'

const acting = new AsyncLocalStorage<Surface>()

export function actingFor<T>(surface: Surface, work: () => T): T {
	return acting.run(surface, work)
}

/** The surface of the running work, else the given one. */
export function actingSurface(surface: Surface): Surface {
	return acting.getStore() ?? surface
}

/** A person's actions at this process are logged for the requester; automations stay what they are. */
export function asActing<T extends {surface: Surface}>(entry: T): T {
	return entry.surface === 'screen' ? {...entry, surface: actingSurface('screen')} : entry
}
