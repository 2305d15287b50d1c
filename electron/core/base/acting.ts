/**
 * On whose behalf work runs, and how long that one waits: a console answers command lines too, and the log tells which of the two
 * changed something.
 */
import {AsyncLocalStorage} from 'node:async_hooks'

import type {Surface} from '#model/incident.ts'

const acting = new AsyncLocalStorage<Surface>()

export function actingFor<T>(surface: Surface, work: () => T) {
	return acting.run(surface, work)
}

/** The surface of the running work, else the given one. */
export function actingSurface(surface: Surface): Surface {
	return acting.getStore() ?? surface
}

interface Patience {
	ms: number | undefined
	onWait?: OnWait
}

/** `error` is for whoever does not want to wait so long. */
type OnWait = (ms: number, error?: Error) => void

const patience = new AsyncLocalStorage<Patience>()

/** While the work runs, its calls wait this long for the API limit at most; what goes on after it waits like any other. */
export async function waitingAtMost<T>(ms: number | undefined, work: () => Promise<T>) {
	const most: Patience = {ms}
	try {
		return await patience.run(most, work)
	} finally {
		most.ms = undefined
	}
}

/** How long calls of the running work may wait for the API limit, if somebody said so. */
export function mostQuotaWaitMs() {
	return patience.getStore()?.ms
}

/** Work for several, who each have a patience of their own: it waits like any other, and tells of it. */
export function tellingWaits<T>(onWait: OnWait, work: () => T) {
	return patience.run({ms: undefined, onWait}, work)
}

/** The running work begins to wait for the API limit. */
export function tellWait(...told: Parameters<OnWait>) {
	patience.getStore()?.onWait?.(...told)
}

/** A person's actions at this process are logged for the requester; automations stay what they are. */
export function asActing<T extends {surface: Surface}>(entry: T) {
	return entry.surface === 'screen' ? {...entry, surface: actingSurface('screen')} : entry
}
