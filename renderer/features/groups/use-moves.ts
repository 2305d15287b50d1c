import {useState} from 'react'

import type {Moved, MoveRequest} from '#commands/move/types.ts'

export type Moves = ReturnType<typeof useMoves>

/** The dialog that moves a computer, and undo of the last move. */
export function useMoves() {
	const [request, setRequest] = useState<MoveRequest | null>(null)
	const [last, setLast] = useState<Moved | null>(null)
	return {
		request,
		/** The last accepted move of this screen, until dismissed or undone. */
		last,
		ask: setRequest,
		close: () => setRequest(null),
		done: setLast,
		dismiss: () => setLast(null)
	}
}
