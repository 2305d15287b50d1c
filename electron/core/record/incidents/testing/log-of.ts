import {join} from 'node:path'

import {onTestFinished} from 'vitest'

import type {World} from '#core/store/testing/world.ts'
import {openIncidentLog, type LocalLog} from '../log.ts'

/** Stopped when the test is over, if it was not before. */
export function logOf({folder, clock, random}: World, operator = 'ada'): LocalLog {
	const log = openIncidentLog({path: join(folder, 'incidents.db'), clock, random, operator})
	onTestFinished(log.stop)
	return log
}
