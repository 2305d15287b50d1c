import {hasCode} from '#contract/errors.ts'

import {reworded} from './outcome.ts'
import type {HandlerContext} from './types.ts'

/** A 404 about one computer names the computer and marks it as gone in the local data. */
export async function aboutComputer<T>(context: HandlerContext, guid: string, work: () => Promise<T>) {
	try {
		return await work()
	} catch (error) {
		if (!hasCode(error, 'not_found')) throw error
		context.learn.vanished(guid, context.clock.now())
		throw reworded(error, `The service has no computer ${context.label(guid)}; it may have been deleted elsewhere.`)
	}
}
