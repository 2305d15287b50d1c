import type {Database} from '#core/store/database.ts'
import {asInNumbers, type SearchTexts} from './columns.ts'

/** Search texts of all rows, in memory: scanning them takes a tenth of the time of scanning the table. */
export type Texts = ReturnType<typeof makeTexts>

/** Texts of one piece: row n begins at `starts[n]`. */
interface Lines {
	text: string
	starts: Int32Array
}

interface Piece extends Readonly<Record<keyof SearchTexts, Lines>> {
	version: number
	ids: readonly number[]
}

/** Reloads a piece when the file marks one of its rows as changed (see `schema.ts`). */
export function makeTexts(database: Database) {
	const known = new Map<number, Piece>()
	const stale = () =>
		database.all<PieceVersion>('SELECT no, version FROM piece ORDER BY no').filter(({no, version}) => known.get(no)?.version !== version)
	const pieces = (): Iterable<Piece> => {
		for (const piece of stale()) known.set(piece.no, readPiece(database, piece))
		return known.values()
	}
	const gather = (most: number, except: ReadonlySet<number>, rowsOf: (piece: Piece) => Uint8Array) => {
		const found: number[] = []
		for (const piece of pieces()) {
			const rows = rowsOf(piece)
			for (let row = rows.indexOf(1); row >= 0 && found.length < most; row = rows.indexOf(1, row + 1)) {
				const id = piece.ids[row] ?? 0
				if (!except.has(id)) found.push(id)
			}
			if (found.length >= most) break
		}
		return found
	}
	return {
		/** Ids of rows that hold each word in one of its forms, oldest rows first; at most `most`. */
		holding: (words: readonly (readonly string[])[], most: number, except: ReadonlySet<number> = none) =>
			gather(most, except, piece => rowsHolding(piece, words)),
		/** Ids of rows whose name holds the word. */
		named: (word: string, most: number, except: ReadonlySet<number> = none) => gather(most, except, piece => rowsWith(piece, piece.host, word)),
		/** Ids of rows with an address, MAC or GUID that starts with the text. */
		addressed: (beginning: string, most: number, except: ReadonlySet<number> = none) =>
			gather(most, except, piece => rowsWith(piece, piece.numbers, `\n${beginning}`)),
		/** Loads the next missing piece; `false` when there is none. */
		warm: () => {
			const [next, further] = stale()
			if (next !== undefined) known.set(next.no, readPiece(database, next))
			return further !== undefined
		}
	}
}

const none: ReadonlySet<number> = new Set()

interface PieceVersion {
	no: number
	version: number
}

function readPiece(database: Database, {no, version}: PieceVersion): Piece {
	const arrays = ['id', 'host', 'numbers', 'others'].map(name => `json_group_array(${name}) AS ${name}`)
	const sql = `SELECT ${arrays.join(', ')} FROM search WHERE id >= ?1 * 1024 AND id < (?1 + 1) * 1024`
	const row = database.get<Readonly<Record<'id' | keyof SearchTexts, string>>>(sql, no)
	const list = <T>(json = '[]') => JSON.parse(json) as readonly T[]
	return {
		version,
		ids: list<number>(row?.id),
		host: linesOf(list<string>(row?.host)),
		numbers: linesOf(list<string>(row?.numbers)),
		others: linesOf(list<string>(row?.others))
	}
}

function linesOf(rows: readonly string[]): Lines {
	const starts = new Int32Array(rows.length + 1)
	for (const [row, text] of rows.entries()) starts[row + 1] = (starts[row] ?? 0) + text.length
	return {text: rows.join(''), starts}
}

/** Marks the rows that hold the word, which must not be empty. */
function mark(rows: Uint8Array, {text, starts}: Lines, word: string) {
	let row = 0
	for (let at = text.indexOf(word); at >= 0;) {
		while ((starts[row + 1] ?? 0) <= at) row += 1
		rows[row] = 1
		row += 1
		const next = starts[row] ?? text.length
		at = next >= text.length ? -1 : text.indexOf(word, next)
	}
	return rows
}

function rowsWith(piece: Piece, lines: Lines, word: string) {
	return mark(new Uint8Array(piece.ids.length), lines, word)
}

function rowsHolding(piece: Piece, words: readonly (readonly string[])[]) {
	// The longest is the rarest.
	const [first = [], ...others] = words.toSorted((one, other) => longest(other) - longest(one))
	const rows = new Uint8Array(piece.ids.length)
	for (const form of first) for (const lines of linesFor(piece, form)) mark(rows, lines, form)
	if (others.length === 0) return rows
	return rows.map((found, row) => (found === 1 && others.every(forms => holds(piece, row, forms)) ? 1 : 0))
}

function longest(forms: readonly string[]) {
	return Math.max(...forms.map(({length}) => length))
}

function linesFor({host, numbers, others}: Piece, word: string) {
	return asInNumbers.test(word) ? [host, numbers, others] : [host, others]
}

function holds(piece: Piece, row: number, forms: readonly string[]) {
	return forms.some(form => linesFor(piece, form).some(({text, starts}) => text.slice(starts[row], starts[row + 1]).includes(form)))
}
