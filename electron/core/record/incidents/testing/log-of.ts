import {join} from 'node:path'

import type {World} from '#core/store/testing/world.ts'
import {openIncidentLog, type LocalLog} from '../log.ts'

export const logOf = ({folder, clock, random}: World, operator = 'ada'): LocalLog =>
	openIncidentLog({path: join(folder, 'incidents.db'), clock, random, operator})
