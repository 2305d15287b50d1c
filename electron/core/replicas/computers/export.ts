/** Matching computers as a file. Nothing is asked of the service for it. */
import type {exportFormats} from '#contract/computer-list.ts'
import {computerCells, computerColumnTitles, readColumns, type ComputerRow} from '#model/computer.ts'

import {csvLine} from '#text/csv.ts'
import type {Database} from '#core/store/database.ts'
import type {Exports} from '../kit/exports.ts'
import {type ComputerQuery, type Queries, readStored} from './queries.ts'

/** What one export holds at most, in characters. */
const mostText = 48 * 2 ** 20
const step = 250

type ExportFormat = (typeof exportFormats)[number]

export interface ExportQuery extends ComputerQuery {
	format: ExportFormat
	columns: readonly string[]
	/** A frozen list in place of what the filter gives. */
	guids: readonly string[] | null
}

/** The first line of the file says what it holds. */
type ExportHead = {
	/** Such as `Computers of ACME-EU`. */
	title: string
	at: string
	/** Why the list may lack computers; `null` for a whole one. */
	partial: string | null
}

interface Piece {
	row: ComputerRow
	/** The service's record as text. */
	json: string
}

interface Written {
	/** The line or lines of a computer. */
	piece(piece: Piece): string
	between: string
	begin(facts: Facts): string
	end: string
}

interface Facts {
	title: string
	at: string
	filter: string | null
	rows: number
	partial: string | null
}

export function makeExporter(exports: Exports, queries: Queries) {
	return {
		/** Labels are as they are when a computer's line is written. */
		export: async function* ({guids, ...query}: ExportQuery, head: ExportHead, signal: AbortSignal | undefined) {
			const {piece, between, begin, end} = formats[query.format](query.columns)
			let [rows, chosen, gone] = [0, 0, 0]
			const texts = function* (database: Database) {
				const ids = guids === null ? queries.idsIn(database, query) : idsOf(database, guids)
				gone = guids === null ? 0 : guids.length - ids.length
				chosen = ids.length
				for (let offset = 0; offset < ids.length; offset += step) {
					for (const one of piecesOf(database, queries, ids.subarray(offset, offset + step))) {
						yield `${rows === 0 ? '' : between}${piece(one)}`
						rows += 1
					}
				}
			}
			yield* exports.read(texts, mostText, signal)
			yield end
			const partial = missing(head.partial, chosen - rows, gone)
			return {head: begin({title: head.title, at: head.at, filter: guids === null ? query.filter : null, rows, partial}), rows, partial}
		}
	}
}

function missing(listing: string | null, cut: number, gone: number) {
	const reasons = [
		...(listing === null ? [] : [listing]),
		...(cut > 0 ? [`${cut} further computers do not fit into one file.`] : []),
		...(gone > 0 ? [`${gone} of the chosen computers are not in local data.`] : [])
	]
	return reasons.length === 0 ? null : reasons.join(' ')
}

/** In the order of the list that was frozen. */
function idsOf(database: Database, guids: readonly string[]) {
	const rows = database.all<{id: number}>(
		'SELECT computer.id FROM json_each(?) AS wanted JOIN computer ON computer.guid = wanted.value ORDER BY wanted.key',
		JSON.stringify(guids)
	)
	return Int32Array.from(rows, ({id}) => id)
}

function piecesOf(database: Database, queries: Queries, ids: Int32Array) {
	const records = new Map(
		database
			.all<{id: number; json: string}>('SELECT id, json FROM record WHERE id IN (SELECT value FROM json_each(?))', JSON.stringify([...ids]))
			.map(({id, json}) => [id, json] as const)
	)
	return readStored(database, [...ids]).map(stored => ({row: queries.row(stored), json: records.get(stored.id) ?? '{}'}))
}

const formats: Readonly<Record<ExportFormat, (columns: readonly string[]) => Written>> = {
	csv: ids => {
		const columns = readColumns(ids).map(({column}) => column)
		return {
			begin: facts => csvLine([noteOf(facts)]) + csvLine(columns.map(column => computerColumnTitles[column])),
			piece: ({row}) => csvLine(columns.map(column => computerCells[column](row))),
			between: '',
			end: ''
		}
	},
	json: () => ({begin: facts => `{"export":${JSON.stringify(facts)},\n"computers":[\n`, piece: labelled, between: ',\n', end: '\n]}\n'}),
	jsonl: () => ({begin: facts => `{"export":${JSON.stringify(facts)}}\n`, piece: piece => `${labelled(piece)}\n`, between: '', end: ''})
}

/** The service's record, every digit kept, and what this console knows beside it. */
function labelled({row, json}: Piece) {
	if (row.tags.length === 0 && row.roles.length === 0) return json
	const local = JSON.stringify({tags: row.tags, roles: row.roles})
	return json === '{}' ? `{"local":${local}}` : `${json.slice(0, -1)},"local":${local}}`
}

function noteOf({title, at, filter, rows, partial}: Facts) {
	const what = filter === null ? 'chosen computers' : filter === '' ? 'no filter' : `filter ${filter}`
	const whole = partial === null ? 'complete' : `PARTIAL: ${partial}`
	return `${title}, ${at}, ${what}, ${rows} rows, ${whole}`
}
