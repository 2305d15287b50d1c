import {useState} from 'react'

import type {Moved, MoveRequest} from '#commands/move/types.ts'

export interface Moves {
	readonly request: MoveRequest | null
	/** The last accepted move of this screen, until dismissed or undone. */
	readonly last: Moved | null
	ask(request: MoveRequest): void
	close(): void
	done(moved: Moved): void
	dismiss(): void
}

/** The dialog that moves a computer, and undo of the last move. */
export function useMoves(): Moves {
	const [request, setRequest] = useState<MoveRequest | null>(null)
	const [last, setLast] = useState<Moved | null>(null)
	return {
		request,
		last,
		ask: setRequest,
		close: () => setRequest(null),
		done: moved => setLast(request?.undo === undefined ? moved : null),
		dismiss: () => setLast(null),
	}
}
