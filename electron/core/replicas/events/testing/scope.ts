import type {Database} from '#core/store/database.ts'
import {scopeOf, type Scope} from '../filter-match.ts'
import {wordsFrom} from '../vocabulary.ts'
import {endOfTime} from './generate.ts'

/** The scope of a filter over all time, when the generated events end. */
export function scopeIn(database: Database, filter: string): Scope {
	const words = (beginning: string) => wordsFrom(database, beginning)
	const context = {now: endOfTime, groupNames: () => new Map<string, string>(), wordsFrom: words}
	return scopeOf({filter, from: null, to: null}, context)
}
