import {fold} from '#model/fold.ts'

import type {Database} from '#core/store/database.ts'
import type {EventWords} from './words.ts'

/** Prefixes up to this length have their own lists in the index (see `schema.ts`). */
const indexedLength = 3
/** Beyond this number of words the index joins their lists itself: then each word is rare. */
const mostWords = 64

/** Omits hexadecimal words: hashes and ids would be most of the table, and their lists are short. */
function isKept(word: string) {
	return word.length > indexedLength && !/^[0-9a-f]+$/.test(word)
}

/** Words as split by the index: letters and digits without accents. */
function wordsIn(text: string) {
	return fold(text.normalize('NFD').replaceAll(/\p{M}/gu, '')).match(/[\p{L}\p{N}]+/gu) ?? []
}

/** Stores the words of events, so that a prefix becomes a few explicit words. */
export function writeVocabulary(database: Database, events: readonly {words: EventWords}[]) {
	const met = new Set(events.flatMap(({words}) => wordsIn(Object.values(words).join(' '))))
	for (const word of met) if (isKept(word)) database.run('INSERT OR IGNORE INTO word VALUES (?)', word)
}

/** Words of stored events with this beginning; `null` when the index has to search by prefix. */
export function wordsFrom(database: Database, beginning: string): readonly string[] | null {
	const typed = beginning.toLowerCase()
	if (!isKept(typed) || !/^[a-z0-9]+$/.test(typed)) return null
	const sql = 'SELECT word FROM word WHERE word >= ? AND word < ? LIMIT ?'
	const found = database.all<{word: string}>(sql, typed, `${typed}\u{10FFFF}`, mostWords + 1)
	const usable = found.length <= mostWords && found.every(({word}) => /^[a-z0-9]+$/.test(word))
	return usable ? found.map(({word}) => word) : null
}
