import {inPieces} from '#base/pieces.ts'
import {openSnapshot} from '#core/store/cache-file.ts'
import type {Database} from '#core/store/database.ts'
import {CordonError} from '#contract/errors.ts'

export type Exports = ReturnType<typeof makeExports>

/** Exports of one copy. */
export function makeExports(live: Database) {
	const ended = new AbortController()
	const open = new Set<Database>()
	return {
		/**
		 * What `texts` reads of the file, in pieces, as all of it was when the first was asked for: a slow reader gets no mixture of
		 * two refreshes. Until the last piece, or until the reader has gone, the file's journal keeps what changes meanwhile.
		 */
		async *read(texts: (database: Database) => Iterable<string>, most: number, signal: AbortSignal | undefined): AsyncGenerator<string, boolean> {
			ended.signal.throwIfAborted()
			const database = openSnapshot(live)
			open.add(database)
			try {
				return yield* inPieces(texts(database), most, AbortSignal.any([ended.signal, ...(signal === undefined ? [] : [signal])]))
			} finally {
				open.delete(database)
				database.close()
			}
		},
		/** Ends them; the file may be deleted then. */
		stop() {
			ended.abort(new CordonError('cancelled'))
			for (const database of open) database.close()
		}
	}
}
