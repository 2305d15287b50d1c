import {fold} from '#shared/model/fold.ts'

import type {Database} from '#core/store/database.ts'
import type {EventWords} from './words.ts'

/** Beginnings up to this length have lists of their own in the index (see `schema.ts`). */
const indexedLength = 3
/** With more words than these the index joins their lists by itself: then each of them is rare. */
const mostWords = 64

/** Hexadecimal words are left out: hashes and ids would be most of the table, and lists of numbers are short. */
function isKept(word: string): boolean {
	return word.length > indexedLength && !/^[0-9a-f]+$/.test(word)
}

/** Words as the index cuts them: letters and digits without accents. */
export function wordsIn(text: string): readonly string[] {
	return fold(text.normalize('NFD').replaceAll(/\p{M}/gu, '')).match(/[\p{L}\p{N}]+/gu) ?? []
}

/** Remembers the words of events, so that a beginning of a word can be asked for as the few words that begin so. */
export function writeVocabulary(database: Database, events: readonly {readonly words: EventWords}[]): void {
	const met = new Set(events.flatMap(({words}) => wordsIn(Object.values(words).join(' '))))
	for (const word of met) if (isKept(word)) database.run('INSERT OR IGNORE INTO word VALUES (?)', word)
}

/** Words of stored events that begin so; `null` when the index has to look for itself. */
export function wordsFrom(database: Database, beginning: string): readonly string[] | null {
	const typed = beginning.toLowerCase()
	if (!isKept(typed) || !/^[a-z0-9]+$/.test(typed)) return null
	const sql = 'SELECT word FROM word WHERE word >= ? AND word < ? LIMIT ?'
	const found = database.all<{readonly word: string}>(sql, typed, `${typed}\u{10FFFF}`, mostWords + 1)
	const usable = found.length <= mostWords && found.every(({word}) => /^[a-z0-9]+$/.test(word))
	return usable ? found.map(({word}) => word) : null
}
